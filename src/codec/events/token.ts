/** Events of the stream `@token:<name>`. Only the SHA-256 of a token is recorded. */
import { declare } from '../event-type.js';
import { choice, optional, required } from '../kit.js';
import { causedBy, hash, id } from '../scalars.js';

/** The roles of people, from the fewest to the most permissions. */
export const peopleRoles = ['viewer', 'reviewer', 'admin'] as const;
export type PeopleRole = (typeof peopleRoles)[number];
/** An `agent` is an assistant: it reads what people have approved and submits missions, and stands beside the order of people's roles. */
export const tokenRoles = [...peopleRoles, 'agent'] as const;
export type TokenRole = (typeof tokenRoles)[number];

export interface TokenOwner {
  readonly name: string;
  readonly role: TokenRole;
  /** There for an agent that may also have missions executed. */
  readonly may_execute?: true;
  /** The approver for whom its token acts; absent for none. */
  readonly approver?: string;
}

export const tokenRole = choice(...tokenRoles);

export const tokenEvents = [
  declare('token.created', {
    role: required(tokenRole),
    /** SHA-256 of the token's 43 characters. */
    token_sha256: required(hash),
    /** The approver for whom it acts. */
    approver: optional(id),
    /** Whether an agent may also have missions executed; absent for other roles. */
    may_execute: optional(choice(true)),
    ...causedBy,
  }),
  declare('token.rotated', { token_sha256: required(hash), ...causedBy }),
  declare('token.revoked', { ...causedBy }),
] as const;

/** Events of the stream `@token:<name>`. Only the SHA-256 of a token is recorded. */
import { declare } from '../event-type.js';
import { choice, optional, required } from '../kit.js';
import { causedBy, hash, id } from '../scalars.js';

/** The roles, from the fewest to the most permissions. */
export const tokenRoles = ['viewer', 'reviewer', 'admin'] as const;
export type TokenRole = (typeof tokenRoles)[number];
export const tokenRole = choice(...tokenRoles);

const tokenCreated = declare('token.created', {
  role: required(tokenRole),
  /** SHA-256 of the token's 43 characters. */
  token_sha256: required(hash),
  /** The approver for whom it acts. */
  approver: optional(id),
  ...causedBy,
});

const tokenRotated = declare('token.rotated', { token_sha256: required(hash), ...causedBy });

const tokenRevoked = declare('token.revoked', { ...causedBy });

export const tokenEvents = [tokenCreated, tokenRotated, tokenRevoked] as const;

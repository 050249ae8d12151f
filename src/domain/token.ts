/** The lifecycle of an access token: created with a role, rotated, revoked. The journal holds only its hash. */
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { invalid, ok, type Refusal, type Result } from '../base/refusal.js';
import { type TokenRole, tokenRole } from '../codec/events/token.js';
import { choice, flag, nullable, object, required, text } from '../codec/kit.js';
import { hash, idPattern, sequence, time } from '../codec/scalars.js';
import { nameRefusal } from './approver.js';
import { type EventContext, type EventIn, streams } from './stream.js';

/** Number of active tokens: every request is compared with each. */
const named_tokens_max = 100;

export type TokenEvent = EventIn<'token.'>;

export const tokenStates = ['active', 'revoked'] as const;

/** An access token that has entries in the journal. `api` has some once api.token was rotated; the file itself holds that token. */
export const tokenCodec = object('TokenRow', {
  name: required(text()),
  role: required(tokenRole),
  state: required(choice(...tokenStates)),
  /** Hexadecimal; null when the token is revoked. */
  token_sha256: required(nullable(hash)),
  /** The approver for whom it acts, or null. */
  approver: required(nullable(text())),
  /** Whether an agent may also have missions executed. */
  may_execute: required(flag),
  created_at: required(time),
  changed_at: required(time),
  /** Sequence of its newest event. */
  revision: required(sequence),
});

export type Token = t.TypeOf<typeof tokenCodec>;

/** The token of the file api.token, which `init` writes. Its stream holds rotations only; the file holds the token in force. */
export const builtIn = { name: 'api', role: 'admin' } as const;

export const tokenStream = streams<Token, 'token.'>('@token:', { noun: 'token', events: ['token.'], evolve: evolveToken });

function evolveToken(token: Token | null, { type, document }: TokenEvent, context: EventContext): Token | null {
  const { id: name, sequence: revision, time: changed_at } = context;
  const at = { name, revision, changed_at };
  switch (type) {
    case 'token.created': {
      const { role, token_sha256, approver = null, may_execute = false } = document;
      return { ...at, role, state: 'active', token_sha256, approver, may_execute, created_at: changed_at };
    }
    case 'token.rotated': {
      const first = { role: builtIn.role, approver: null, may_execute: false, created_at: changed_at };
      const before = token ?? (name === builtIn.name ? first : null);
      return before === null ? null : { ...before, ...at, state: 'active', token_sha256: document.token_sha256 };
    }
    case 'token.revoked':
      return token === null ? null : { ...token, ...at, state: 'revoked', token_sha256: null };
  }
}

type Events = Result<readonly TokenEvent[]>;

interface TokenDraft {
  readonly name: string;
  readonly actor: string;
}

interface TokenRequest extends TokenDraft {
  readonly role: TokenRole;
  readonly token_sha256: string;
  /** The approver for whom it is to act, who must be one; null for none. */
  readonly approver: string | null;
  /** Whether an agent may also have missions executed. */
  readonly may_execute: boolean;
}

/**
 * Decides to create a token. A name is free again once its token is revoked: the order of the entries shows which token a review belongs to.
 * @param tokens all that were ever created
 * @param names of all tokens and approvers
 */
export function decideCreate(
  tokens: readonly Token[],
  names: readonly string[],
  { name, role, token_sha256, approver, may_execute, actor }: TokenRequest,
): Events {
  const nameless = nameRefusal(names, name);
  if (nameless !== null) return E.left(nameless);
  if (may_execute && role !== 'agent')
    return E.left(invalid('--may-execute', `is for the role agent, and this token has the role ${role}`));
  const active = tokens.filter(({ name: each, state }) => state === 'active' && each !== builtIn.name);
  if (active.some((other) => other.name === name)) {
    const detail = `there is a token ${name} already`;
    return E.left({ code: 'exists', detail, facts: { token: name }, hint: `agent-cli token rotate ${name}` });
  }
  if (active.length >= named_tokens_max) {
    const detail = `there are ${named_tokens_max} active tokens, which is the most; revoke one first`;
    return E.left({ code: 'conflict', detail, hint: 'agent-cli token list' });
  }
  const more = { ...(approver === null ? {} : { approver }), ...(may_execute ? { may_execute } : {}) };
  return ok([{ type: 'token.created', document: { role, token_sha256, ...more, actor } }]);
}

/** The built-in token needs no event before it can be rotated. */
export function decideRotate(
  token: Token | null,
  { name, token_sha256, actor }: TokenDraft & { readonly token_sha256: string },
): Events {
  const refusal = name === builtIn.name ? null : inactive(token, name);
  return refusal === null ? ok([{ type: 'token.rotated', document: { token_sha256, actor } }]) : E.left(refusal);
}

export function decideRevoke(token: Token | null, { name, actor }: TokenDraft): Events {
  if (name === builtIn.name) {
    const hint = 'agent-cli token rotate';
    return E.left({ ...invalid('name', 'is the built-in token, which can be rotated and not revoked'), hint });
  }
  const refusal = inactive(token, name);
  return refusal === null
    ? ok([{ type: 'token.revoked', document: { actor } }])
    : E.left({ ...refusal, hint: 'agent-cli token list' });
}

function inactive(token: Token | null, name: string): Refusal | null {
  if (token === null) {
    const detail = idPattern.test(name) ? `there is no token ${name}` : 'there is no such token';
    return { code: 'not_found', detail, hint: 'agent-cli token list' };
  }
  if (token.state === 'active') return null;
  return {
    code: 'wrong_state',
    detail: `token ${name} is revoked`,
    facts: { token: name, state: token.state },
    hint: `agent-cli token create ${name} --role ${token.role}`,
  };
}

/** Access tokens as requests carry them, and the responses to wrong ones. */
import type { WrongTokens } from '../../base/wrong-tokens.js';
import { valuesOf, type RawHeaders } from './head.js';
import { challenge, type Denial } from './problem.js';

/** Permits more than the standard's characters, because a token that people choose may have any visible one. */
const bearerForm = /^Bearer +([!-~]+)$/i;

/**
 * Returns the token of the one Authorization field (RFC 6750, section 2.1), null if there is none, and an empty text for anything
 * else.
 */
export function bearerOf(raw: RawHeaders): string | null {
  const values = valuesOf(raw, 'authorization');
  const [value] = values;
  if (value === undefined) return null;
  return values.length > 1 ? '' : (bearerForm.exec(value)?.[1] ?? '');
}

export const tokenRequired: Denial = { code: 'unauthorized', detail: 'an access token is required', headers: challenge };
export const wrong_token = 'the access token is not valid';

/** Counts a wrong token. Returns what it is denied with: the given denial while it is within the limit, 429 beyond. */
export function deniedToken(wrongTokens: WrongTokens, address: string, denial: Denial): Denial {
  const wait_s = wrongTokens.failed(address);
  if (wait_s === 0) return denial;
  return { code: 'too_many_requests', detail: 'too many wrong tokens', headers: { 'Retry-After': String(wait_s) } };
}

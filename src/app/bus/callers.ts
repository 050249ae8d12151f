/** Who calls the message bus: somebody with a token of this home or of the bus, or anybody. */
import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '../../base/bytes.js';
import type { Home } from '../home/home.js';
import { activeTokens } from '../tokens/authenticate.js';

/** What a token proves; `missing` also for a token that may only read, and for an assistant's. */
export type TokenVerdict = 'known' | 'missing' | 'wrong';

export type BusCallers = Readonly<ReturnType<typeof busCallers>>;

/** Compares tokens in a time that reveals nothing about them. @param token the token of the bus, or null */
export function busCallers(home: Home, token: string | null) {
  const expected = token === null ? null : sha256(token);
  const { ownerOf } = activeTokens(home);
  const isBusToken = (given: string): boolean => expected !== null && timingSafeEqual(sha256(given), expected);
  return {
    /** Whether callers without a token are refused. */
    needsToken: expected !== null,
    /**
     * Checks the token of a call's metadata.
     * @throws RefusalError `integrity` when the tokens do not match the journal's signed entries
     */
    ofBearer: (bearer: string | null): TokenVerdict => {
      if (bearer === null) return 'missing';
      if (isBusToken(bearer)) return 'known';
      const owner = ownerOf(bearer);
      if (owner === null) return 'wrong';
      return owner.role === 'viewer' || owner.role === 'agent' ? 'missing' : 'known';
    },
    /** Checks the token of an envelope, where the bus has one. A bus without a token ignores it. */
    ofEnvelope: (given: string | null): TokenVerdict => {
      if (given === null || expected === null) return 'missing';
      return isBusToken(given) ? 'known' : 'wrong';
    },
  };
}

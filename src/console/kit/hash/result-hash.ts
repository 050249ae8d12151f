/**
 * The hash of a result, computed here from what was served: SHA-256 of its canonical JSON (RFC 8785). Web Crypto would do, but browsers
 * withhold it from a page that comes over plain HTTP from another host.
 */
import { sha256 } from '@noble/hashes/sha256';
import { bytesToHex } from '@noble/hashes/utils';
import { canonicalJson, CanonicalJsonError } from '../../../base/canonical-json.js';

export interface HashCheck {
  /** Null when the result has no canonical form. */
  readonly computed: string | null;
  readonly recorded: string | null;
  readonly equal: boolean;
}

export function checkResultHash(result: unknown, recorded: string | null): HashCheck {
  const computed = hashOf(result);
  return { computed, recorded, equal: computed !== null && computed === recorded };
}

function hashOf(result: unknown): string | null {
  try {
    return bytesToHex(sha256(canonicalJson(result)));
  } catch (error) {
    if (error instanceof CanonicalJsonError) return null;
    throw error;
  }
}

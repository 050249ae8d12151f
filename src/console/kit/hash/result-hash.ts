/** The hash of a result, computed here from what was served: SHA-256 of its canonical JSON (RFC 8785). */
import { canonicalJson, CanonicalJsonError } from '../../../base/canonical-json.js';
import { sha256Hex } from './sha256.js';

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
    return sha256Hex(canonicalJson(result));
  } catch (error) {
    if (error instanceof CanonicalJsonError) return null;
    throw error;
  }
}

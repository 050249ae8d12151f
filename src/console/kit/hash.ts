/** What the page computes itself of what the agent says: the hash of a result, and the place of an entry in the log. */
import { sha256 } from '@noble/hashes/sha256';
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils';
import type { InclusionProof } from '../../codec/api-journal.js';
import { canonicalOrNull } from '../../base/canonical-json.js';

export type HashCheck = Readonly<ReturnType<typeof checkResultHash>>;

export function checkResultHash(result: unknown, recorded: string | null) {
  const computed = hashOf(result);
  return { computed, recorded, equal: computed !== null && computed === recorded };
}

/** Returns null for a result that has no canonical form. */
function hashOf(result: unknown): string | null {
  const text = canonicalOrNull(result);
  return text === null ? null : bytesToHex(sha256(text));
}

/**
 * Checks that a C2SP tlog-proof leads from an entry to the root of its checkpoint (RFC 9162, 2.1.3.2). The checkpoint's signature is not
 * checked: the key that it would be checked with comes from the same agent.
 */
const header = 'c2sp.org/tlog-proof@v1';

const prefixed = (byte: number, ...parts: readonly Uint8Array[]): Uint8Array =>
  sha256(concatBytes(Uint8Array.of(byte), ...parts));
const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

/** The log data of an entry is SHA-256(hash ‖ signature); its leaf SHA-256(0x00 ‖ log data). */
const leafOf = (hash: string, signature: string): Uint8Array =>
  prefixed(0, sha256(concatBytes(hexToBytes(hash), fromBase64(signature))));

function rootFrom(leaf: Uint8Array, index: number, size: number, path: readonly Uint8Array[]): Uint8Array | null {
  let [fn, sn] = [index, size - 1];
  let root = leaf;
  for (const sibling of path) {
    if (sn === 0) return null;
    if (fn % 2 === 1 || fn === sn) {
      root = prefixed(1, sibling, root);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)];
    } else {
      root = prefixed(1, root, sibling);
    }
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  return sn === 0 ? root : null;
}

type EntryProof = Pick<InclusionProof, 'sequence' | 'hash' | 'signature' | 'proof'>;

export function isIncluded({ sequence, hash, signature, proof }: EntryProof): boolean {
  const [head = '', ...note] = proof.split('\n\n');
  const [first, index, ...path] = head.split('\n').filter((line) => !line.startsWith('extra '));
  const [, size = '', root = ''] = note.join('\n\n').split('\n');
  if (first !== header || index !== `index ${sequence - 1}` || !/^[0-9]+$/.test(size) || sequence > Number(size)) return false;
  try {
    const found = rootFrom(leafOf(hash, signature), sequence - 1, Number(size), path.map(fromBase64));
    const wanted = fromBase64(root);
    return found !== null && wanted.length === found.length && found.every((byte, i) => byte === wanted[i]);
  } catch {
    return false;
  }
}

/** RFC 6962, section 2.1, word for word and without memory: the oracle for the tree that the journal keeps. */
import { createHash } from 'node:crypto';
import type { NodeReader } from '../../src/journal/merkle.js';

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** A leaf for tests that need no entry. */
export const leafNumber = (i: number): Buffer => sha256(Buffer.from(`leaf ${i}`));
export const leavesTo = (n: number): Buffer[] => Array.from({ length: n }, (_, i) => leafNumber(i));

/** The largest power of two smaller than n. */
function split(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}

/** MTH(D[n]), given the leaf hashes. */
export function naiveRoot(leaves: readonly Buffer[]): Buffer {
  const [first] = leaves;
  if (first === undefined) return sha256();
  if (leaves.length === 1) return first;
  const k = split(leaves.length);
  return sha256(Buffer.of(1), naiveRoot(leaves.slice(0, k)), naiveRoot(leaves.slice(k)));
}

/** PATH(m, D[n]). */
export function naivePath(m: number, leaves: readonly Buffer[]): Buffer[] {
  if (leaves.length === 1) return [];
  const k = split(leaves.length);
  return m < k
    ? [...naivePath(m, leaves.slice(0, k)), naiveRoot(leaves.slice(k))]
    : [...naivePath(m - k, leaves.slice(k)), naiveRoot(leaves.slice(0, k))];
}

/** PROOF(m, D[n]). */
export function naiveProof(m: number, leaves: readonly Buffer[]): Buffer[] {
  const subproof = (m: number, part: readonly Buffer[], whole: boolean): Buffer[] => {
    if (m === part.length) return whole ? [] : [naiveRoot(part)];
    const k = split(part.length);
    return m <= k
      ? [...subproof(m, part.slice(0, k), whole), naiveRoot(part.slice(k))]
      : [...subproof(m - k, part.slice(k), false), naiveRoot(part.slice(0, k))];
  };
  return subproof(m, leaves, true);
}

/** Perfect subtrees of a list of leaves. */
export const readerOf =
  (leaves: readonly Buffer[]): NodeReader =>
  (height, index) =>
    naiveRoot(leaves.slice(index * 2 ** height, (index + 1) * 2 ** height));

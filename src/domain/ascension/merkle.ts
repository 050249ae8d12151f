/**
 * The Merkle tree that OpenZeppelin's MerkleProof verifies: a parent is the keccak256 of its two children in ascending order, so a
 * proof needs no directions. A node without a sibling moves up unchanged and adds nothing to its leaves' proofs.
 */
import { fromHex } from '../../base/bytes.js';
import { keccak256 } from '../../base/keccak.js';

/** Returns the parent of two hashes. Hashes are texts, `0x` and 64 lower-case digits, so text order equals byte order. */
export function parentOf(a: string, b: string): string {
  const [first, second] = a < b ? [a, b] : [b, a];
  return keccak256(bytesOf(first + second.slice(2)));
}

export interface Tree {
  readonly root: string;
  /** Siblings of each leaf, from the leaf upwards. */
  readonly proofs: readonly (readonly string[])[];
}

interface Node {
  readonly hash: string;
  /** Indexes of the leaves below it. */
  readonly leaves: readonly number[];
}

/** @param leaves at least one */
export function treeOf(leaves: readonly string[]): Tree {
  const proofs: string[][] = leaves.map(() => []);
  let level: readonly Node[] = leaves.map((hash, i) => ({ hash, leaves: [i] }));
  while (level.length > 1) {
    const above: Node[] = [];
    for (let i = 0; i < level.length; i += 2) above.push(joined(level[i], level[i + 1], proofs));
    level = above;
  }
  const [top] = level;
  if (top === undefined) throw new RangeError('a tree has at least one leaf');
  return { root: top.hash, proofs };
}

function joined(left: Node | undefined, right: Node | undefined, proofs: readonly string[][]): Node {
  if (left === undefined) throw new RangeError('no such node');
  if (right === undefined) return left;
  for (const i of left.leaves) proofs[i]?.push(right.hash);
  for (const i of right.leaves) proofs[i]?.push(left.hash);
  return { hash: parentOf(left.hash, right.hash), leaves: [...left.leaves, ...right.leaves] };
}

/** Returns the bytes of a `0x…` text that this program made. */
export function bytesOf(hex: string): Uint8Array {
  const bytes = fromHex(hex.slice(2));
  if (bytes === null) throw new RangeError('not a hexadecimal text');
  return bytes;
}

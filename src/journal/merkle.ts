/** The Merkle tree of RFC 6962, section 2.1 (SHA-256), over the entries' log data d = SHA-256(hash ‖ signature). */
import { sha256, writeSha256 } from '../base/bytes.js';

export const hash_bytes = 32;
const signature_bytes = 64;

const logInput = Buffer.alloc(hash_bytes + signature_bytes);
const leafInput = Buffer.alloc(1 + hash_bytes);
const nodeInput = Buffer.alloc(1 + 2 * hash_bytes);
nodeInput[0] = 1;

/** Log data of an entry: SHA-256(hash ‖ signature), 32 and 64 raw bytes. */
export function logData(entryHash: Uint8Array, signature: Uint8Array): Buffer {
  logInput.set(entryHash, 0);
  logInput.set(signature, hash_bytes);
  return sha256(logInput);
}

/** Leaf hash: SHA-256(0x00 ‖ d). */
export function leafHash(data: Uint8Array): Buffer {
  leafInput.set(data, 1);
  return sha256(leafInput);
}

/** Leaf hash of an entry: SHA-256(0x00 ‖ SHA-256(hash ‖ signature)). @param entry hash ‖ signature, 96 bytes */
export function entryLeaf(entry: Buffer): Buffer {
  writeSha256(entry, leafInput, 1);
  return sha256(leafInput);
}

/** Leaf hash of an entry. @param hash 32 bytes @param signature 64 bytes */
export function leafOfBytes(hash: Uint8Array, signature: Uint8Array): Buffer {
  logInput.set(hash, 0);
  logInput.set(signature, hash_bytes);
  return entryLeaf(logInput);
}

/** Node hash: SHA-256(0x01 ‖ left ‖ right). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  nodeInput.set(left, 1);
  nodeInput.set(right, 1 + hash_bytes);
  return sha256(nodeInput);
}

/** Root of the empty tree: SHA-256 of nothing. */
export const emptyRoot = (): Buffer => sha256('');

/**
 * Returns the root of a tree from its leaf hashes, concatenated. It is computed level by level in one buffer; the last node of a level with
 * an odd number is the same on the level above, which gives the tree of RFC 6962.
 */
export function rootOfLeaves(leaves: Uint8Array): Buffer {
  const nodes = Buffer.from(leaves);
  let count = nodes.length / hash_bytes;
  if (count === 0) return emptyRoot();
  for (; count > 1; count = Math.ceil(count / 2)) {
    for (let i = 0; i + 1 < count; i += 2) {
      nodes.copy(nodeInput, 1, i * hash_bytes, (i + 2) * hash_bytes);
      writeSha256(nodeInput, nodes, (i / 2) * hash_bytes);
    }
    if (count % 2 === 1) nodes.copy(nodes, ((count - 1) / 2) * hash_bytes, (count - 1) * hash_bytes, count * hash_bytes);
  }
  return Buffer.from(nodes.subarray(0, hash_bytes));
}

/** Height of the largest perfect tree whose leaves fit n (n ≥ 1): floor(log2 n). */
const floorLog2 = (n: number): number => {
  let height = 0;
  for (let rest = n; rest >= 2; rest = Math.floor(rest / 2)) height++;
  return height;
};

/** Returns the root of the perfect subtree of 2^height leaves whose first leaf is index·2^height. */
export type NodeReader = (height: number, index: number) => Buffer;

/** A perfect subtree, identified by height and index. */
interface Range {
  readonly height: number;
  readonly index: number;
}

/** Returns the perfect subtrees, left to right, that cover the leaves [start, end); start is a multiple of the first one's width. */
function decompose(start: number, end: number): Range[] {
  const ranges: Range[] = [];
  for (let at = start; at < end; ) {
    let height = floorLog2(end - at);
    while (at % 2 ** height !== 0) height--;
    ranges.push({ height, index: at / 2 ** height });
    at += 2 ** height;
  }
  return ranges;
}

/** MTH of leaves [start, end): the fold of its perfect subtrees from the right. */
export function rangeRoot(read: NodeReader, start: number, end: number): Buffer {
  const nodes = decompose(start, end).map((r) => read(r.height, r.index));
  const last = nodes.pop();
  return last === undefined ? emptyRoot() : nodes.reduceRight((right, left) => nodeHash(left, right), last);
}

/** k, the largest power of two smaller than n (n ≥ 2). */
const splitPoint = (n: number): number => 2 ** floorLog2(n - 1);

/** PATH(m, D[n]) of RFC 6962, 2.1.1: sibling hashes from leaf to root. */
export function inclusionPath(read: NodeReader, index: number, size: number): Buffer[] {
  const path: Buffer[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + splitPoint(end - start);
    if (index < middle) {
      path.push(rangeRoot(read, middle, end));
      end = middle;
    } else {
      path.push(rangeRoot(read, start, middle));
      start = middle;
    }
  }
  return path.reverse();
}

/** PROOF(m, D[n]) of RFC 6962, 2.1.2, for 0 < m ≤ n. */
export function consistencyPath(read: NodeReader, oldSize: number, size: number): Buffer[] {
  const path: Buffer[] = [];
  let [start, end] = [0, size];
  let whole = true;
  while (end !== oldSize) {
    const middle = start + splitPoint(end - start);
    if (oldSize <= middle) {
      path.push(rangeRoot(read, middle, end));
      end = middle;
    } else {
      path.push(rangeRoot(read, start, middle));
      start = middle;
      whole = false;
    }
  }
  if (!whole) path.push(rangeRoot(read, start, end));
  return path.reverse();
}

/** Returns the root that an inclusion proof gives (RFC 9162, 2.1.3.2), or null when the proof's length does not match index and size. */
export function rootFromInclusion(leaf: Uint8Array, index: number, size: number, path: readonly Uint8Array[]): Buffer | null {
  if (index < 0 || index >= size || leaf.length !== hash_bytes) return null;
  let [fn, sn] = [index, size - 1];
  let root: Buffer = Buffer.from(leaf);
  for (const sibling of path) {
    if (sn === 0) return null;
    if (fn % 2 === 1 || fn === sn) {
      root = nodeHash(sibling, root);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)];
    } else {
      root = nodeHash(root, sibling);
    }
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  return sn === 0 ? root : null;
}

/** Returns whether a consistency proof proves that the tree of `size` extends that of `oldSize` ≥ 1 (RFC 9162, 2.1.4.2; every tree extends the empty one). */
export function isConsistent(
  oldSize: number,
  size: number,
  path: readonly Uint8Array[],
  oldRoot: Uint8Array,
  root: Uint8Array,
): boolean {
  if (oldSize < 1 || oldSize > size) return false;
  if (oldSize === size) return path.length === 0 && sameBytes(oldRoot, root);
  const rest = [...path];
  if (oldSize === 2 ** floorLog2(oldSize)) rest.unshift(oldRoot);
  const first = rest.shift();
  if (first === undefined) return false;
  let [fn, sn] = [oldSize - 1, size - 1];
  while (fn % 2 === 1) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  let oldComputed: Buffer = Buffer.from(first);
  let computed: Buffer = oldComputed;
  for (const node of rest) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      oldComputed = nodeHash(node, oldComputed);
      computed = nodeHash(node, computed);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)];
    } else {
      computed = nodeHash(computed, node);
    }
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  return sn === 0 && sameBytes(oldComputed, oldRoot) && sameBytes(computed, root);
}

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

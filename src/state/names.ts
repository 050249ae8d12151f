/**
 * T: the names that exist, each with the sequence of the entry that made it: a 16-ary trie over the names' hashes, with buckets of at most 64
 * items. Names are only ever added. The signed root proves that a name exists, and that it does not (docs/journal-format.md, "State
 * snapshot").
 *
 * The nodes are read from a table that anybody may have altered: each is compared with the hash that its parent, and in the end the signed
 * root, has of it.
 */
import { Fault, RefusalError } from '../base/refusal.js';
import { sha256 } from '../base/bytes.js';
import { Recent } from '../base/recent.js';
import { hash_bytes } from '../journal/merkle.js';

const sequence_bytes = 6;
const item_bytes = hash_bytes + sequence_bytes;
export const bucket_items_max = 64;
const branches = 16;
/** Buckets that are remembered: at most 10 MB. */
const buckets_known_max = 4_096;

/** The key of a name within a family, such as the streams. */
export const nameKey = (family: string, name: string): Buffer => sha256(`agent-state/name/1\n${family}\0${name}`);

/** The key of the place that a stream has in a group, from 1. */
export const memberKey = (group: string, ordinal: number): Buffer => nameKey('group', `${ordinal}\0${group}`);

/**
 * Returns how many streams a group has: the largest place that is taken.
 * @param before only of the streams whose first entry is before this one; for a group that each stream joins with its first entry
 */
export function groupSize(names: Names, group: string, before = Number.POSITIVE_INFINITY): number {
  const isTaken = (ordinal: number): boolean => (names.get(memberKey(group, ordinal)) ?? before) < before;
  let above = 1;
  while (isTaken(above)) above *= 2;
  let taken = Math.floor(above / 2);
  while (above - taken > 1) {
    const middle = Math.floor((taken + above) / 2);
    if (isTaken(middle)) taken = middle;
    else above = middle;
  }
  return taken;
}

/** A bucket's items, in order of their keys, are kept as they are stored. */
type Bucket = { readonly kind: 'bucket'; readonly items: Buffer };
/** The hashes of an inner node's children, one after the other; zeros where there is none. */
type Node = Bucket | { readonly kind: 'inner'; readonly hashes: Buffer };

const empty: Bucket = { kind: 'bucket', items: Buffer.alloc(0) };

/** Reads the stored bytes of the node at a path, the hexadecimal digits with which its keys begin. */
export type ReadName = (path: string) => Buffer | null;

const damaged = (path: string): RefusalError =>
  new RefusalError('integrity', `node "${path}" of the names is not what was signed`, {
    facts: { table: 'snapshot_name' },
    hint: 'agent-cli rebuild',
  });

/** Hash of a node: its path is part of it, so that no node can be moved. */
const nodeHash = (path: string, bytes: Buffer): Buffer =>
  sha256(Buffer.concat([Buffer.from(`agent-state/names/1\n${path}\n`), bytes]));

export class Names {
  /** Inner nodes that were compared with their hash, and nodes that were changed. */
  private readonly nodes = new Map<string, Node>();
  /** Buckets that were compared with their hash. */
  private readonly known = new Recent<string, Bucket>(buckets_known_max);
  private readonly dirty = new Set<string>();

  /** @param root hash of the node at the empty path; null for an empty trie */
  constructor(
    private readonly read: ReadName,
    private root: Buffer | null,
  ) {
    if (root !== null) return;
    this.nodes.set('', empty);
    this.dirty.add('');
  }

  /** Returns the sequence of the entry that made a name; null when there is none. @throws RefusalError `integrity` */
  get(key: Buffer): number | null {
    const { items } = this.bucketOf(key.toString('hex')).node;
    const { at, isThere } = placeOf(items, key);
    return isThere ? items.readUIntBE(at + hash_bytes, sequence_bytes) : null;
  }

  /** The number of nodes that are stored. */
  size(): number {
    const below = (path: string, hash: Buffer | null): number => {
      const node = this.node(path, hash);
      if (node.kind === 'bucket') return 1;
      return digits.reduce((sum, digit) => {
        const child = childOf(node.hashes, digit);
        return child === null ? sum : sum + below(path + digit, child);
      }, 1);
    };
    return below('', this.root);
  }

  /** Adds a name that is not there. */
  add(key: Buffer, sequence: number): void {
    const hex = key.toString('hex');
    const { path, node } = this.bucketOf(hex);
    const { at, isThere } = placeOf(node.items, key);
    if (isThere) throw new Fault(`the name ${hex} exists already`);
    const item = Buffer.alloc(item_bytes);
    key.copy(item);
    item.writeUIntBE(sequence, hash_bytes, sequence_bytes);
    this.put(path, Buffer.concat([node.items.subarray(0, at), item, node.items.subarray(at)]));
    for (let length = 0; length < path.length; length++) this.dirty.add(path.slice(0, length));
  }

  /** Sets the items of a bucket, which is split when they are too many. */
  private put(path: string, items: Buffer): void {
    this.dirty.add(path);
    this.known.delete(path);
    if (items.length <= bucket_items_max * item_bytes) {
      this.nodes.set(path, { kind: 'bucket', items });
      return;
    }
    this.nodes.set(path, { kind: 'inner', hashes: Buffer.alloc(branches * hash_bytes) });
    for (let from = 0, to = 0; from < items.length; from = to) {
      const digit = digitAt(items, from, path.length);
      while (to < items.length && digitAt(items, to, path.length) === digit) to += item_bytes;
      this.put(path + digit, items.subarray(from, to));
    }
  }

  /** Computes the hashes of what was changed, and returns the nodes to store. */
  seal(): { readonly root: Buffer; readonly changed: readonly { readonly path: string; readonly bytes: Buffer }[] } {
    const changed: { path: string; bytes: Buffer }[] = [];
    // The longest paths first: a node holds the hashes of those below.
    for (const path of [...this.dirty].toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))) {
      const node = this.nodes.get(path);
      if (node === undefined) throw new Fault(`the names lost the node ${path}`);
      const bytes = encode(node);
      changed.push({ path, bytes });
      this.setHash(path, nodeHash(path, bytes));
      if (node.kind === 'inner') continue;
      this.nodes.delete(path);
      this.known.set(path, node);
    }
    this.dirty.clear();
    if (this.root === null) throw new Fault('the names have no root');
    return { root: this.root, changed };
  }

  private setHash(path: string, hash: Buffer): void {
    if (path === '') {
      this.root = hash;
      return;
    }
    const parent = this.nodes.get(path.slice(0, -1));
    if (parent?.kind !== 'inner') throw new Fault(`the names lost the node above ${path}`);
    hash.copy(parent.hashes, Number.parseInt(path.slice(-1), branches) * hash_bytes);
  }

  private bucketOf(key: string): { readonly path: string; readonly node: Bucket } {
    let above: Buffer | null = null;
    for (let path = ''; ; path = key.slice(0, path.length + 1)) {
      const node: Node =
        this.kept(path) ?? this.node(path, above === null ? this.root : childOf(above, key.charAt(path.length - 1)));
      if (node.kind === 'bucket') return { path, node };
      above = node.hashes;
    }
  }

  private kept(path: string): Node | undefined {
    return this.nodes.get(path) ?? this.known.get(path);
  }

  /** @param hash that the node above has of it */
  private node(path: string, hash: Buffer | null): Node {
    const known = this.kept(path);
    if (known !== undefined) return known;
    if (hash === null) return empty;
    const bytes = this.read(path);
    if (!Buffer.isBuffer(bytes) || !nodeHash(path, bytes).equals(hash)) throw damaged(path);
    const node = decode(path, bytes);
    if (node.kind === 'inner') this.nodes.set(path, node);
    else this.known.set(path, node);
    return node;
  }
}

/** Returns where a key is among items, or would be. */
function placeOf(items: Buffer, key: Buffer): { readonly at: number; readonly isThere: boolean } {
  const beginning = key.readUInt32BE(0);
  let [from, to] = [0, items.length / item_bytes];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const at = middle * item_bytes;
    const order = items.readUInt32BE(at) - beginning || items.compare(key, 0, hash_bytes, at, at + hash_bytes);
    if (order === 0) return { at, isThere: true };
    if (order < 0) from = middle + 1;
    else to = middle;
  }
  return { at: from * item_bytes, isThere: false };
}

/** The hexadecimal digit of an item's key. */
const digitAt = (items: Buffer, at: number, digit: number): string =>
  items.toString('hex', at + Math.floor(digit / 2), at + Math.floor(digit / 2) + 1).charAt(digit % 2);

const digits = [...'0123456789abcdef'];
const no_child = Buffer.alloc(hash_bytes);

/** Returns the hash of the child at a digit; null where there is none. */
function childOf(hashes: Buffer, digit: string): Buffer | null {
  const at = Number.parseInt(digit, branches) * hash_bytes;
  const hash = hashes.subarray(at, at + hash_bytes);
  return hash.equals(no_child) ? null : hash;
}

/** A bucket is 0 and its items in order; an inner node is 1 and, for each digit, the child's hash or zeros. */
const encode = (node: Node): Buffer =>
  node.kind === 'bucket' ? Buffer.concat([Buffer.of(0), node.items]) : Buffer.concat([Buffer.of(1), node.hashes]);

function decode(path: string, bytes: Buffer): Node {
  // A copy: children's hashes are written into it.
  if (bytes[0] === 1 && bytes.length === 1 + branches * hash_bytes)
    return { kind: 'inner', hashes: Buffer.from(bytes.subarray(1)) };
  if (bytes[0] !== 0 || (bytes.length - 1) % item_bytes !== 0) throw damaged(path);
  return { kind: 'bucket', items: bytes.subarray(1) };
}

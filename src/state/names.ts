/**
 * T: the names that exist, each with the sequence of the entry that made it: a 16-ary trie over the names' hashes, with buckets of at most 64
 * items. Names are only ever added. The signed root proves that a name exists, and that it does not (docs/journal-format.md, "State
 * snapshot").
 *
 * The nodes are read from a table that anybody may have altered: each is compared with the hash that its parent, and in the end the signed
 * root, has of it.
 */
import { Fault } from '../base/fault.js';
import { sha256 } from '../base/hash.js';
import { RefusalError } from '../base/result.js';

const hash_bytes = 32;
const sequence_bytes = 6;
const item_bytes = hash_bytes + sequence_bytes;
export const bucket_items_max = 64;
const branches = 16;

/** The key of a name within a family, such as the streams. */
export const nameKey = (family: string, name: string): Buffer => sha256(`agent-state/name/1\n${family}\0${name}`);

/** The key of the place that a stream has in a group, from 1. */
export const memberKey = (group: string, ordinal: number): Buffer => nameKey('group', `${ordinal}\0${group}`);

/** Returns how many streams a group has: the largest place that is taken. */
export function groupSize(names: Names, group: string): number {
  const isTaken = (ordinal: number): boolean => names.get(memberKey(group, ordinal)) !== null;
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

type Node =
  | { readonly kind: 'bucket'; readonly items: Map<string, number> }
  | { readonly kind: 'inner'; readonly children: (Buffer | undefined)[] };

/** Reads the stored bytes of the node at a path, the hexadecimal digits with which its keys begin. */
export type ReadName = (path: string) => Buffer | null;

const damaged = (path: string): RefusalError =>
  new RefusalError({
    code: 'integrity',
    detail: `node "${path}" of the names is not what was signed`,
    facts: { table: 'snapshot_name' },
    hint: 'agent-cli rebuild',
  });

/** Hash of a node: its path is part of it, so that no node can be moved. */
const nodeHash = (path: string, bytes: Buffer): Buffer =>
  sha256(Buffer.concat([Buffer.from(`agent-state/names/1\n${path}\n`), bytes]));

export class Names {
  /** Nodes that were compared with their hash. Buckets are kept only while they are changed. */
  private readonly nodes = new Map<string, Node>();
  private readonly dirty = new Set<string>();

  /** @param root hash of the node at the empty path; null for an empty trie */
  constructor(
    private readonly read: ReadName,
    private root: Buffer | null,
  ) {
    if (root !== null) return;
    this.nodes.set('', { kind: 'bucket', items: new Map() });
    this.dirty.add('');
  }

  /** Returns the sequence of the entry that made a name; null when there is none. @throws RefusalError `integrity` */
  get(key: Buffer): number | null {
    const hex = key.toString('hex');
    const { node } = this.bucketOf(hex);
    return node.items.get(hex) ?? null;
  }

  /** The number of nodes that are stored. */
  size(): number {
    const below = (path: string, hash: Buffer | null): number => {
      const node = this.nodes.get(path) ?? this.load(path, hash);
      if (node.kind === 'bucket') return 1;
      return node.children.reduce(
        (sum, child, i) => (child === undefined ? sum : sum + below(path + i.toString(branches), child)),
        1,
      );
    };
    return below('', this.root);
  }

  /** Adds a name that is not there. */
  add(key: Buffer, sequence: number): void {
    const hex = key.toString('hex');
    const { path, node } = this.bucketOf(hex);
    if (node.items.has(hex)) throw new Fault(`the name ${hex} exists already`);
    node.items.set(hex, sequence);
    this.nodes.set(path, node);
    for (let length = 0; length <= path.length; length++) this.dirty.add(path.slice(0, length));
    if (node.items.size > bucket_items_max) this.split(path, node.items);
  }

  private split(path: string, items: ReadonlyMap<string, number>): void {
    const parts = Array.from({ length: branches }, () => new Map<string, number>());
    for (const [key, sequence] of items) parts[Number.parseInt(key.charAt(path.length), branches)]?.set(key, sequence);
    this.nodes.set(path, { kind: 'inner', children: [] });
    parts.forEach((part, i) => {
      if (part.size === 0) return;
      const below = path + i.toString(branches);
      this.nodes.set(below, { kind: 'bucket', items: part });
      this.dirty.add(below);
      if (part.size > bucket_items_max) this.split(below, part);
    });
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
      if (node.kind === 'bucket') this.nodes.delete(path);
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
    parent.children[Number.parseInt(path.slice(-1), branches)] = hash;
  }

  private bucketOf(key: string): { readonly path: string; readonly node: Node & { readonly kind: 'bucket' } } {
    let hash = this.root;
    for (let path = ''; ; path = key.slice(0, path.length + 1)) {
      const node = this.nodes.get(path) ?? this.load(path, hash);
      if (node.kind === 'bucket') return { path, node };
      hash = node.children[Number.parseInt(key.charAt(path.length), branches)] ?? null;
    }
  }

  private load(path: string, hash: Buffer | null): Node {
    if (hash === null) return { kind: 'bucket', items: new Map() };
    const bytes = this.read(path);
    if (!Buffer.isBuffer(bytes) || !nodeHash(path, bytes).equals(hash)) throw damaged(path);
    const node = decode(path, bytes);
    if (node.kind === 'inner') this.nodes.set(path, node);
    return node;
  }
}

/** A bucket is 0 and its items in order; an inner node is 1 and, for each digit, the child's hash or zeros. */
function encode(node: Node): Buffer {
  if (node.kind === 'inner')
    return Buffer.concat([
      Buffer.of(1),
      ...Array.from({ length: branches }, (_, i) => node.children[i] ?? Buffer.alloc(hash_bytes)),
    ]);
  const bytes = Buffer.alloc(1 + node.items.size * item_bytes);
  let at = 1;
  for (const key of [...node.items.keys()].toSorted()) {
    bytes.write(key, at, 'hex');
    bytes.writeUIntBE(node.items.get(key) ?? 0, at + hash_bytes, sequence_bytes);
    at += item_bytes;
  }
  return bytes;
}

function decode(path: string, bytes: Buffer): Node {
  if (bytes[0] === 1 && bytes.length === 1 + branches * hash_bytes) {
    const children = Array.from({ length: branches }, (_, i) => bytes.subarray(1 + i * hash_bytes, 1 + (i + 1) * hash_bytes));
    return { kind: 'inner', children: children.map((hash) => (hash.every((byte) => byte === 0) ? undefined : hash)) };
  }
  if (bytes[0] !== 0 || (bytes.length - 1) % item_bytes !== 0) throw damaged(path);
  const items = new Map<string, number>();
  for (let at = 1; at < bytes.length; at += item_bytes)
    items.set(bytes.toString('hex', at, at + hash_bytes), bytes.readUIntBE(at + hash_bytes, sequence_bytes));
  return { kind: 'bucket', items };
}

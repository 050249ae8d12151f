/**
 * P: one record where an entry is the newest of its stream, in blocks of 64 positions under nodes of 32 children. A node holds the hash of
 * each child and the number of its records by code, so that the signed root proves what a position holds, how many records have a code, and,
 * walked from the right, that none was left out (docs/journal-format.md, "State snapshot").
 *
 * The nodes are read from a table that anybody may have altered: each is compared with the hash that its parent, and in the end the signed
 * root, has of it.
 */
import { Fault } from '../base/fault.js';
import { sha256 } from '../base/hash.js';
import { RefusalError } from '../base/result.js';

export const hash_bytes = 32;
export const block_positions = 64;
export const node_children = 32;

const count_bytes = 6;
const bitmap_bytes = block_positions / 8;
const record_bytes = 1 + count_bytes + 2 * hash_bytes;

/** What is known of a stream as of the snapshot, at the position of its newest entry. */
export interface PositionRecord {
  /** Number of the table and the state that it shows; an index of the list of codes. */
  readonly code: number;
  /** Number of the stream's entries. */
  readonly count: number;
  /** The chain of hashes over the stream's entries (`nextHistory`). */
  readonly history: Buffer;
  /** The digest of the stream's rows (`rowDigest`). */
  readonly row: Buffer;
}

/** Number of records by code. */
export type Counts = ReadonlyMap<number, number>;

interface Child {
  readonly hash: Buffer;
  readonly counts: Counts;
}

interface Node {
  readonly children: (Child | undefined)[];
}

type Block = Map<number, PositionRecord>;

/** Reads the stored bytes of a node; level 0 holds the blocks. */
export type ReadNode = (level: number, n: number) => Buffer | null;

export interface Range {
  /** Only positions below this one. */
  readonly before: number;
  /** Only positions above this one. */
  readonly after: number;
  readonly oldestFirst: boolean;
}

interface Walk extends Range {
  readonly has: (code: number) => boolean;
}

export type Placed = PositionRecord & { readonly position: number };

export interface ChangedNode {
  readonly level: number;
  readonly n: number;
  /** Null when nothing is left below the node. */
  readonly bytes: Buffer | null;
}

const damaged = (level: number, n: number): RefusalError =>
  new RefusalError({
    code: 'integrity',
    detail: `node ${level}/${n} of the positions is not what was signed`,
    facts: { table: 'snapshot_position' },
    hint: 'agent-cli rebuild',
  });

/** The level of the root of a journal of `size` entries. */
function rootLevel(size: number): number {
  let level = 1;
  for (let covered = block_positions * node_children; covered < size; covered *= node_children) level++;
  return level;
}

/** Hash of a node: its level and number are part of it, so that no node can be moved. */
const nodeHash = (level: number, n: number, bytes: Buffer): Buffer =>
  sha256(Buffer.concat([Buffer.from(`agent-state/positions/1\n${level}/${n}\n`), bytes]));

export class Positions {
  private readonly nodes = new Map<string, Node>();
  /** Blocks that were changed since the last `seal`. */
  private readonly blocks = new Map<number, Block>();
  private top: number;
  /** Levels that `grow` has added since the last `seal`. */
  private readonly added = new Set<number>();

  /** @param root hash of the node at the top of `size` positions; null for an empty tree */
  constructor(
    private readonly read: ReadNode,
    size: number,
    private root: Buffer | null,
  ) {
    this.top = rootLevel(size);
    if (root === null) this.nodes.set(`${this.top}/0`, { children: [] });
  }

  /** Returns the record of a position, from 1; null when there is none. @throws RefusalError `integrity` */
  at(position: number): PositionRecord | null {
    return this.block(Math.floor((position - 1) / block_positions)).get((position - 1) % block_positions) ?? null;
  }

  /** The number of all records by code. */
  counts(): Counts {
    return sumOf(this.node(this.top, 0).children);
  }

  /** Yields the records of the codes with their positions, from the newest on unless `oldestFirst`. */
  walk(has: (code: number) => boolean, { before, after, oldestFirst }: Range): Generator<Placed> {
    return this.walkBelow(this.top, 0, { has, before, after, oldestFirst });
  }

  private *walkBelow(level: number, n: number, walk: Walk): Generator<Placed> {
    const { has, before, after, oldestFirst } = walk;
    const sign = oldestFirst ? 1 : -1;
    if (level === 0) {
      for (const [i, record] of [...this.block(n)].toSorted(([a], [b]) => sign * (a - b))) {
        const position = n * block_positions + i + 1;
        if (position < before && position > after && has(record.code)) yield { ...record, position };
      }
      return;
    }
    const width = block_positions * node_children ** (level - 1);
    const { children } = this.node(level, n);
    for (let step = 0; step < node_children; step++) {
      const i = oldestFirst ? step : node_children - 1 - step;
      const [child, index] = [children[i], n * node_children + i];
      const isOutside = index * width + 1 >= before || (index + 1) * width <= after;
      if (child === undefined || isOutside || ![...child.counts.keys()].some(has)) continue;
      yield* this.walkBelow(level - 1, index, walk);
    }
  }

  /** The number of nodes that are stored. */
  size(): number {
    const below = (level: number, n: number): number =>
      level === 0 ? 1 : this.node(level, n).children.reduce((sum, _, i) => sum + below(level - 1, n * node_children + i), 1);
    return below(this.top, 0);
  }

  /** Sets or removes the record of a position. */
  set(position: number, record: PositionRecord | null): void {
    const n = Math.floor((position - 1) / block_positions);
    const block = this.block(n);
    this.blocks.set(n, block);
    if (record === null) block.delete((position - 1) % block_positions);
    else block.set((position - 1) % block_positions, record);
  }

  /** Makes room for the positions up to `size`, before the first of them is set. */
  grow(size: number): void {
    for (const level = rootLevel(size); this.top < level; this.top++) {
      const { children } = this.node(this.top, 0);
      const counts = sumOf(children);
      const below: Child | undefined = this.root === null ? undefined : { hash: this.root, counts };
      this.nodes.set(`${this.top + 1}/0`, { children: below === undefined ? [] : [below] });
      this.added.add(this.top + 1);
    }
  }

  /** Computes the hashes of what was changed, and returns the nodes to store. */
  seal(): { readonly root: Buffer; readonly changed: readonly ChangedNode[] } {
    const changed: ChangedNode[] = [];
    let dirty = new Map<number, Child | undefined>();
    for (const [n, block] of this.blocks) {
      const bytes = block.size === 0 ? null : encodeBlock(block);
      changed.push({ level: 0, n, bytes });
      dirty.set(n, bytes === null ? undefined : { hash: nodeHash(0, n, bytes), counts: countsOf(block) });
    }
    this.blocks.clear();
    for (let level = 1; level <= this.top; level++) {
      const above = new Map<number, Child | undefined>();
      const changedHere = new Set([...dirty.keys()].map((index) => Math.floor(index / node_children)));
      if (this.added.has(level)) changedHere.add(0);
      for (const n of changedHere) {
        const { children } = this.node(level, n);
        for (let i = 0; i < node_children; i++) {
          const index = n * node_children + i;
          if (dirty.has(index)) children[i] = dirty.get(index);
        }
        const bytes = encodeNode(children);
        const isEmpty = level < this.top && children.every((child) => child === undefined);
        changed.push({ level, n, bytes: isEmpty ? null : bytes });
        above.set(n, isEmpty ? undefined : { hash: nodeHash(level, n, bytes), counts: sumOf(children) });
      }
      dirty = above;
    }
    const root = dirty.get(0)?.hash ?? this.root;
    if (root === null) throw new Fault('the positions have no root');
    this.root = root;
    this.added.clear();
    return { root, changed };
  }

  private block(n: number): Block {
    const known = this.blocks.get(n);
    if (known !== undefined) return known;
    const hash = this.hashOf(0, n);
    return hash === null ? new Map() : decodeBlock(this.stored(0, n, hash), n);
  }

  private node(level: number, n: number): Node {
    const key = `${level}/${n}`;
    const known = this.nodes.get(key);
    if (known !== undefined) return known;
    const hash = this.hashOf(level, n);
    const node = { children: hash === null ? [] : decodeNode(this.stored(level, n, hash), level, n) };
    this.nodes.set(key, node);
    return node;
  }

  /** The hash that the parent has of a node; null when it has no such child. */
  private hashOf(level: number, n: number): Buffer | null {
    if (level === this.top) return n === 0 ? this.root : null;
    return this.node(level + 1, Math.floor(n / node_children)).children[n % node_children]?.hash ?? null;
  }

  private stored(level: number, n: number, hash: Buffer): Buffer {
    const bytes = this.read(level, n);
    if (!Buffer.isBuffer(bytes) || !nodeHash(level, n, bytes).equals(hash)) throw damaged(level, n);
    return bytes;
  }
}

function countsOf(block: Block): Counts {
  const counts = new Map<number, number>();
  for (const { code } of block.values()) counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}

function sumOf(children: readonly (Child | undefined)[]): Counts {
  const counts = new Map<number, number>();
  for (const child of children)
    for (const [code, count] of child?.counts ?? []) counts.set(code, (counts.get(code) ?? 0) + count);
  return counts;
}

/** A bitmap of the positions that have a record (position i is bit i mod 8 of byte i div 8), then the records in order. */
function encodeBlock(block: Block): Buffer {
  const bytes = Buffer.alloc(bitmap_bytes + block.size * record_bytes);
  let at = bitmap_bytes;
  for (const i of [...block.keys()].toSorted((a, b) => a - b)) {
    const record = block.get(i);
    if (record === undefined) continue;
    bytes[Math.floor(i / 8)] = (bytes[Math.floor(i / 8)] ?? 0) + 2 ** (i % 8);
    bytes.writeUInt8(record.code, at);
    bytes.writeUIntBE(record.count, at + 1, count_bytes);
    record.history.copy(bytes, at + 1 + count_bytes);
    record.row.copy(bytes, at + 1 + count_bytes + hash_bytes);
    at += record_bytes;
  }
  return bytes;
}

function decodeBlock(bytes: Buffer, n: number): Block {
  const block: Block = new Map();
  let at = bitmap_bytes;
  for (let i = 0; i < block_positions; i++) {
    if (Math.floor((bytes[Math.floor(i / 8)] ?? 0) / 2 ** (i % 8)) % 2 === 0) continue;
    if (at + record_bytes > bytes.length) throw damaged(0, n);
    block.set(i, {
      code: bytes.readUInt8(at),
      count: bytes.readUIntBE(at + 1, count_bytes),
      history: bytes.subarray(at + 1 + count_bytes, at + 1 + count_bytes + hash_bytes),
      row: bytes.subarray(at + 1 + count_bytes + hash_bytes, at + record_bytes),
    });
    at += record_bytes;
  }
  return block;
}

/** For each child that has records: its place, its hash, the number of codes, and for each code in order the number of records. */
function encodeNode(children: readonly (Child | undefined)[]): Buffer {
  const parts: Buffer[] = [];
  children.forEach((child, i) => {
    if (child === undefined) return;
    const codes = [...child.counts].toSorted(([a], [b]) => a - b);
    const counts = Buffer.alloc(codes.length * (1 + count_bytes));
    codes.forEach(([code, count], at) => {
      counts.writeUInt8(code, at * (1 + count_bytes));
      counts.writeUIntBE(count, at * (1 + count_bytes) + 1, count_bytes);
    });
    parts.push(Buffer.of(i), child.hash, Buffer.of(codes.length), counts);
  });
  return Buffer.concat(parts);
}

function decodeNode(bytes: Buffer, level: number, n: number): (Child | undefined)[] {
  const children: (Child | undefined)[] = [];
  for (let at = 0; at < bytes.length; ) {
    const codes = bytes[at + 1 + hash_bytes];
    const end = at + 2 + hash_bytes + (codes ?? 0) * (1 + count_bytes);
    if (codes === undefined || end > bytes.length) throw damaged(level, n);
    const counts = new Map<number, number>();
    for (let from = at + 2 + hash_bytes; from < end; from += 1 + count_bytes)
      counts.set(bytes.readUInt8(from), bytes.readUIntBE(from + 1, count_bytes));
    children[bytes.readUInt8(at)] = { hash: bytes.subarray(at + 1, at + 1 + hash_bytes), counts };
    at = end;
  }
  return children;
}

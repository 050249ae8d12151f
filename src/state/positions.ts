/**
 * P: one record where an entry is the newest of its stream, in blocks of 64 positions under nodes of 32 children. A node holds the hash of
 * each child and the number of its records by code, so that the signed root proves what a position holds, how many records have a code, and,
 * walked from the right, that none was left out (docs/journal-format.md, "State snapshot").
 *
 * The nodes are read from a table that anybody may have altered: each is compared with the hash that its parent, and in the end the signed
 * root, has of it.
 */
import { Fault, RefusalError } from '../base/refusal.js';
import { sha256 } from '../base/bytes.js';
import { Recent } from '../base/recent.js';
import { hash_bytes } from '../journal/merkle.js';
import {
  block_positions,
  type Block,
  codeIn,
  decodeBlock,
  encodeBlock,
  isBlock,
  placesIn,
  type PositionRecord,
  recordIn,
} from './block.js';

export const node_children = 32;
const count_bytes = 6;
/** Blocks whose bytes are remembered: 2 MB. */
const blocks_known_max = 512;

/** Number of records by code. */
export type Counts = ReadonlyMap<number, number>;

interface Child {
  readonly hash: Buffer;
  readonly counts: Counts;
}

interface Node {
  readonly children: (Child | undefined)[];
}

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

/** A position that has a record, which is decoded when it is needed. */
export interface PendingRecord {
  readonly position: number;
  readonly record: () => PositionRecord;
}

export interface ChangedNode {
  readonly level: number;
  readonly n: number;
  /** Null when nothing is left below the node. */
  readonly bytes: Buffer | null;
}

const damaged = (level: number, n: number): RefusalError =>
  new RefusalError('integrity', `node ${level}/${n} of the positions is not what was signed`, {
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
  /** The bytes of blocks that were compared with their hash, or made here. */
  private readonly known = new Recent<number, Buffer>(blocks_known_max);
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
    const [n, place] = [Math.floor((position - 1) / block_positions), (position - 1) % block_positions];
    const changed = this.blocks.get(n);
    if (changed !== undefined) return changed.get(place) ?? null;
    const bytes = this.bytesOf(n);
    const i = bytes === null ? -1 : placesIn(bytes).indexOf(place);
    return bytes === null || i < 0 ? null : recordIn(bytes, i);
  }

  /** The number of all records by code. */
  counts(): Counts {
    return sumOf(this.node(this.top, 0).children);
  }

  /** Yields the records of the codes, from the newest on unless `oldestFirst`; not those that were set since the last `seal`. */
  *walk(has: (code: number) => boolean, { before, after, oldestFirst }: Range): Generator<PendingRecord> {
    for (const n of this.blocksIn(this.top, 0, { has, before, after, oldestFirst })) {
      const bytes = this.bytesOf(n) ?? encodeBlock(new Map());
      const places = placesIn(bytes);
      for (let step = 0; step < places.length; step++) {
        const i = oldestFirst ? step : places.length - 1 - step;
        const position = n * block_positions + (places[i] ?? 0) + 1;
        if (position < before && position > after && has(codeIn(bytes, i))) yield { position, record: () => recordIn(bytes, i) };
      }
    }
  }

  /** Yields the numbers of the blocks below a node that have records of the codes. */
  private *blocksIn(level: number, n: number, walk: Walk): Generator<number> {
    const { has, before, after, oldestFirst } = walk;
    const width = block_positions * node_children ** (level - 1);
    const { children } = this.node(level, n);
    for (let step = 0; step < node_children; step++) {
      const i = oldestFirst ? step : node_children - 1 - step;
      const [child, index] = [children[i], n * node_children + i];
      const isOutside = index * width + 1 >= before || (index + 1) * width <= after;
      if (child === undefined || isOutside || ![...child.counts.keys()].some(has)) continue;
      if (level === 1) yield index;
      else yield* this.blocksIn(level - 1, index, walk);
    }
  }

  /** The number of nodes that are stored. */
  size(): number {
    const below = (level: number, n: number): number =>
      level === 0
        ? 1
        : this.node(level, n).children.reduce(
            (sum, child, i) => (child === undefined ? sum : sum + below(level - 1, n * node_children + i)),
            1,
          );
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
      if (bytes === null) this.known.delete(n);
      else this.known.set(n, bytes);
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
    const changed = this.blocks.get(n);
    if (changed !== undefined) return changed;
    const bytes = this.bytesOf(n);
    return bytes === null ? new Map() : decodeBlock(bytes);
  }

  /** The bytes of a block as of the last `seal`; null when it has no record. */
  private bytesOf(n: number): Buffer | null {
    const known = this.known.get(n);
    if (known !== undefined) return known;
    const hash = this.hashOf(0, n);
    const bytes = hash === null ? null : this.stored(0, n, hash);
    if (bytes !== null && !isBlock(bytes)) throw damaged(0, n);
    if (bytes !== null) this.known.set(n, bytes);
    return bytes;
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

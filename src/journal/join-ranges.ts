/** Combines the verified ranges of a journal and checks what spans them: the chain, the root, the upper tiles, the blobs. */
import type { Db } from '../store/database.js';
import { checkBlobs } from './check-blobs.js';
import { indexFault } from './check-index.js';
import { checkpointFault, tileFault } from './check-sealed.js';
import { sameBytes } from './merkle.js';
import { genesis, latestNote, type Head } from './reader.js';
import { addSums } from './row-sum.js';
import { Tree } from './tree.js';
import type { Failure, RangeReport } from './verify-range.js';
import type { Walked } from './verify-threads.js';

export interface JournalReport {
  readonly failure: Failure | null;
  readonly head: Head;
  readonly root: string;
  readonly origin: string;
  readonly checkpoint: string;
  readonly signatures_checked: number;
  /** Sequences of entries with a valid signature that this journal's key does not make: only where the key itself is used. */
  readonly otherSignatures: readonly number[];
  readonly timesBackwards: number;
  /** Sequences of entries that this program does not fully know: verified, but not interpreted. */
  readonly unknown: readonly number[];
}

/** Returns the report on a journal of which no entry was read. */
export const unread = (db: Db, head: Head, failure: Failure): JournalReport => ({
  failure,
  head,
  root: '',
  origin: '',
  checkpoint: latestNote(db)?.note ?? '',
  signatures_checked: 0,
  otherSignatures: [],
  timesBackwards: 0,
  unknown: [],
});

/**
 * Which checkpoints a journal must have. `kept`: the newest, and those with a cosignature. `any`: the newest, and others of which the
 * cosignature may not be there, as in an archive. `absent`: none covers the entries (those of the reference agent).
 */
export type Checkpoints = 'kept' | 'any' | 'absent';

/** Returns the report on the whole journal. Without checkpoints the root is that of the entries themselves, and tiles are not compared. */
export function joinRanges(db: Db, head: Head, { ranges: reports, index }: Walked, checkpoints: Checkpoints): JournalReport {
  const areAbsent = checkpoints === 'absent';
  const { failures, upper, root, origin } = chain(reports, areAbsent);
  if (failures.length === 0) {
    const blobs = checkBlobs(
      db,
      reports.flatMap((r) => r.blobs),
    );
    const sealed = areAbsent ? [] : [tileFault(db, upper, head), checkpointFault(db, head, checkpoints === 'any')];
    const indexed = indexFault(db, index, addSums(reports.map((r) => r.rowSum)), head.size);
    failures.push(...[...sealed, indexed].filter((failure) => failure !== null), ...blobs);
  }
  const first = failures.toSorted((a, b) => a.sequence - b.sequence)[0] ?? null;
  return {
    failure: first,
    head,
    root: root.toString('hex'),
    origin,
    checkpoint: latestNote(db)?.note ?? '',
    signatures_checked: reports.reduce((sum, r) => sum + r.signatures, 0),
    otherSignatures: reports.flatMap((r) => r.otherSignatures),
    timesBackwards: reports.reduce((sum, r) => sum + r.timesBackwards, 0),
    unknown: reports.flatMap((r) => r.unknown),
  };
}

interface Chain {
  readonly failures: Failure[];
  /** The tree over the roots of complete tiles. */
  readonly upper: Tree;
  readonly root: Buffer;
  readonly origin: string;
}

function chain(reports: readonly RangeReport[], areAbsent: boolean): Chain {
  const failures: Failure[] = reports.flatMap((r) => (r.failure === null ? [] : [r.failure]));
  const upper = new Tree();
  let previous = genesis;
  let root = upper.root();
  let origin = '';
  for (const range of reports) {
    if (range.failure !== null) break;
    if (range.previous !== previous)
      failures.push({ sequence: range.first, detail: 'the entry does not follow the one before it' });
    for (const { size, local, signed, origin: by } of range.checkpoints) {
      root = upper.root(Buffer.from(local));
      origin = by;
      if (!sameBytes(root, signed))
        failures.push({ sequence: size, detail: `the checkpoint of size ${size} signs another root` });
    }
    if (areAbsent) root = upper.root(Buffer.from(range.root));
    for (let at = 0; at < range.tileRoots.length; at += 32) upper.append(Buffer.from(range.tileRoots.subarray(at, at + 32)));
    previous = range.hash;
  }
  return { failures, upper, root, origin };
}

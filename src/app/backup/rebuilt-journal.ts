/**
 * Builds the journal of a restored home with this program's migrations from the rows of the archive, and verifies it to the last
 * signature.
 */
import * as os from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import { RefusalError } from '../../base/refusal.js';
import type { ManifestJournal } from '../../codec/backup.js';
import type { Signer } from '../../journal/keys.js';
import { latestNote, readEntry, readHead, type Head } from '../../journal/reader.js';
import { leafOf, Tree } from '../../journal/tree.js';
import type { JournalReport } from '../../journal/join-ranges.js';
import { verifyJournal, verifyOpened } from '../../journal/verify.js';
import { rebuildingProjections } from '../../tables/projections.js';
import { openDatabase, openError, type Db } from '../../store/database.js';
import { migrate } from '../../store/migrations.js';
import { allEntries } from '../home/upgrade.js';
import { copyForeignRows } from '../../store/foreign-rows.js';
import type { Incoming } from './incoming.js';

export interface RebuildOptions {
  readonly signer: Signer;
  readonly now: number;
  readonly onProgress?: ((stage: string, done: number) => void) | undefined;
}

export interface Rebuilt {
  readonly head: Head;
  readonly root: string;
  readonly report: JournalReport;
}

const refused = (detail: string): RefusalError => new RefusalError('integrity', detail);

/** Builds the journal. The archive's checkpoints are verified before the older ones, without their cosignatures, are removed. @param file the path of the new journal, at which nothing exists yet */
export async function rebuildJournal(incoming: Incoming, file: string, options: RebuildOptions): Promise<{ db: Db } & Rebuilt> {
  const db = openDatabase(file, { create: true });
  try {
    await fill(db, incoming, options);
    const report = await verify(db, file, incoming, options);
    const { failure, head, root } = report;
    if (failure !== null) throw refused(failure.sequence === 0 ? failure.detail : `entry ${failure.sequence}: ${failure.detail}`);
    if (incoming.journal !== null) checkManifest(incoming.journal, head, root, report.checkpoint);
    db.exec('DELETE FROM checkpoint WHERE size < (SELECT max(size) FROM checkpoint)');
    return { db, head, root, report };
  } catch (error) {
    // Closing frees space on the disk, so whether it was full must be checked before.
    const why = openError(error, file);
    db.close();
    throw why;
  }
}

/** Copies the rows. No other process uses this database yet, so the event loop may run inside the transaction. */
async function fill(db: Db, incoming: Incoming, { signer, now, onProgress }: RebuildOptions): Promise<void> {
  db.exec('BEGIN IMMEDIATE');
  migrate(db, now);
  const total = incoming.journal?.events ?? 0;
  for (const { file, first, last } of incoming.snapshots) {
    const before = readHead(db).size;
    const copied = copyForeignRows(file, db, {
      onEntry: (sequence) => sequence % 1_000 === 0 && total > 0 && onProgress?.('copy', sequence / total),
    });
    for (const _ of copied) await turn();
    const after = readHead(db).size;
    if (before + 1 !== first || (last !== null && after !== last))
      throw refused(`a part of the series holds the entries ${before + 1} to ${after} instead of ${first} to ${String(last)}`);
  }
  const newest = readEntry(db, readHead(db).size);
  if (newest === null) throw refused('the archive holds no entry');
  if (newest.identity !== signer.identity) throw refused('identity.key is not the key of the journal beside it');
  for (const _ of growTree(db)) await turn();
  for (const _ of rebuildingProjections(db, allEntries(db))) await turn();
  db.exec('COMMIT');
}

const leaves_a_pause = 10_000;

function* growTree(db: Db): Generator<void> {
  const tree = new Tree();
  const rows = db.prepare<[], [string, string]>('SELECT hash, signature FROM events ORDER BY seq').raw();
  for (const [hash, signature] of rows.iterate()) {
    tree.append(leafOf(hash, signature));
    if (tree.size % leaves_a_pause === 0) yield;
  }
  tree.store(db);
  yield;
}

/**
 * Verifies the entries. Checkpoints cover this program's entries; none covers those of the reference agent (schema 1, no
 * incarnation) until the restore.
 */
async function verify(
  db: Db,
  file: string,
  { journal }: Incoming,
  { signer, onProgress }: RebuildOptions,
): Promise<JournalReport> {
  const progress = (verified: number, total: number): void => onProgress?.('verify', verified / total);
  if (journal !== null) {
    const threads = os.availableParallelism();
    return verifyJournal(file, signer.publicKey, { deep: true, threads, checkpoints: 'any', onProgress: progress });
  }
  if (latestNote(db) !== undefined || readEntry(db, readHead(db).size)?.incarnation !== null)
    throw refused('the manifest of an archive of this program must name its journal');
  return verifyOpened(db, signer.publicKey, { deep: true, checkpoints: 'absent', onProgress: progress });
}

function checkManifest(said: ManifestJournal, head: Head, root: string, checkpoint: string): void {
  if (said.events !== head.size || said.head !== head.hash)
    throw refused(
      `the manifest names the head ${said.events}:${said.head.slice(0, 16)}, the journal has ${head.size}:${head.hash.slice(0, 16)}`,
    );
  if (said.root !== root || said.checkpoint !== checkpoint)
    throw refused('the manifest names another root or checkpoint than the journal has');
}

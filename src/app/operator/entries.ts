/**
 * Reads the journal's entries for display: the whole log by page, and those of one mission with their proofs. Where damage is tolerated,
 * entries that cannot be read are left out.
 */
import { mission_entries_chars_max, mission_entries_max, page_items_default } from '../../base/limits.js';
import { RefusalError } from '../../base/result.js';
import type { ConsistencyProof, InclusionProof, JournalEntry, JournalPage } from '../../codec/api-journal.js';
import type { MissionEntries, MissionEntry } from '../../codec/api-missions.js';
import type { Entry, StoredEntry } from '../../codec/entry.js';
import { consistencyPath, inclusionPath } from '../../journal/merkle.js';
import { formatProof } from '../../journal/proof.js';
import { entryOf, latestNote } from '../../journal/reader.js';
import { nodeReader } from '../../journal/tree.js';
import { readEntries } from '../../rows/compare.js';
import type { Home } from '../home/home.js';
import { requireEntry } from '../home/require-entry.js';
import { requireMission } from '../missions/store.js';
import type { Db } from '../../store/database.js';
import { prove } from '../log/proof.js';

export function entryPage(home: Home, before = Number.MAX_SAFE_INTEGER, limit = page_items_default): JournalPage {
  const rows = home.db
    .prepare<[number, number], StoredEntry>(
      'SELECT seq, mission, body, hash, signature FROM events WHERE seq < ? ORDER BY seq DESC LIMIT ?',
    )
    .iterate(before, limit);
  const items: JournalEntry[] = [];
  let last = 1;
  // One row at a time: a page of bodies may have more than 100 MiB.
  for (const row of rows) {
    last = row.seq;
    const item = readEntries(home.db, () => itemOf(entryOf(row)));
    if (item !== null) items.push(item);
  }
  return { items, next_before: last > 1 ? last : null };
}

const itemOf = ({ sequence, time, stream, event, hash, previous }: Entry): JournalEntry => ({
  sequence,
  time,
  stream,
  type: event?.type ?? '',
  hash,
  previous,
});

/** Returns a page of a mission's entries. @throws RefusalError `not_found` */
export function missionEntries(home: Home, id: string, after = 0): MissionEntries {
  return home.db.transaction(() => {
    requireMission(home.db, id);
    const { page, isLast } = entriesAfter(home.db, id, after);
    const proofOf = prover(home);
    const entryWithProof = (row: StoredEntry): MissionEntry => {
      const { stream: _, ...item } = itemOf(entryOf(row));
      const { document } = JSON.parse(row.body) as { readonly document: MissionEntry['document'] };
      return { ...item, signature: row.signature, document, proof: proofOf(row.seq) };
    };
    const items = page.flatMap((row) => readEntries(home.db, () => entryWithProof(row)) ?? []);
    return { items, next_after: isLast ? null : (page.at(-1)?.seq ?? null) };
  })();
}

/** Returns the rows of a page of a mission's entries: at least one if there is one, and no more than their bodies' limit allows. */
function entriesAfter(db: Db, id: string, after: number): { readonly page: readonly StoredEntry[]; readonly isLast: boolean } {
  const page: StoredEntry[] = [];
  let chars = 0;
  const rows = db
    .prepare<[string, number], StoredEntry>(
      'SELECT seq, mission, body, hash, signature FROM events WHERE mission = ? AND seq > ? ORDER BY seq',
    )
    .iterate(id, after);
  for (const row of rows) {
    chars += row.body.length;
    if (page.length === mission_entries_max || (page.length > 0 && chars > mission_entries_chars_max))
      return { page, isLast: false };
    page.push(row);
  }
  return { page, isLast: true };
}

/** Returns a function that makes the proof of an entry, all under one checkpoint. */
function prover(home: Home): (sequence: number) => string {
  const latest = latestNote(home.db);
  if (latest === undefined) throw new RefusalError({ code: 'integrity', detail: 'the journal has no checkpoint' });
  const read = nodeReader(home.db, latest.size);
  return (sequence) => formatProof(sequence - 1, inclusionPath(read, sequence - 1, latest.size), latest.note);
}

/** Returns the document of `proof SEQUENCE`, with the entry's hash and signature, which make up the leaf. */
export function inclusion(home: Home, sequence: number): InclusionProof {
  const { output: _, ...report } = prove(home, { sequence });
  const { hash, signature } = requireEntry(home.db, sequence);
  return { ...report, sequence, index: sequence - 1, from: null, hash, signature };
}

/** Returns the document of `proof --from SIZE`, with the hashes of the path in base64. */
export function consistency(home: Home, from: number): ConsistencyProof {
  return home.db.transaction((): ConsistencyProof => {
    const { output: _, ...report } = prove(home, { from });
    const path = consistencyPath(nodeReader(home.db, report.size), from, report.size);
    return { ...report, sequence: null, index: null, from, hashes: path.map((hash) => hash.toString('base64')) };
  })();
}

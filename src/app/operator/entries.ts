/**
 * Reads the journal's entries for display: the whole log by page, and those of one mission with their proofs. Where damage is tolerated,
 * entries that cannot be read are left out.
 */
import { canonicalJson } from '../../base/canonical-json.js';
import { page_items_default } from '../../base/limits.js';
import { RefusalError } from '../../base/result.js';
import { boundOf } from '../../base/time.js';
import type { ConsistencyProof, EntryDetail, InclusionProof, JournalEntry, JournalPage } from '../../codec/api-journal.js';
import type { MissionEntries, MissionEntry } from '../../codec/api-missions.js';
import { type Entry, type StoredEntry, timeOf, typeOf } from '../../codec/entry.js';
import { isObject } from '../../codec/faults.js';
import { via, type Via } from '../../codec/scalars.js';
import { consistencyPath, inclusionPath } from '../../journal/merkle.js';
import { requireEntry } from '../../journal/position.js';
import { formatProof } from '../../journal/proof.js';
import { entryOf, latestNote, readRow } from '../../journal/reader.js';
import { nodeReader } from '../../journal/tree.js';
import { readEntries } from '../../tables/compare.js';
import type { Db } from '../../store/database.js';
import type { Home } from '../home/home.js';
import { prove } from '../log/proof.js';
import { requireMission } from '../missions/record.js';

/** Entries of a mission on one page, with a proof for each. */
const mission_entries_max = 100;
/** UTF-16 code units of their bodies, unless the first one has more. */
export const mission_entries_chars_max = 4_194_304;
/** Entries that one page of a filtered journal covers. */
const journal_scan_entries_max = 20_000;
/** UTF-16 code units of their bodies. */
const journal_scan_chars_max = 67_108_864;
/** Characters of the line that says what an entry contains. */
const entry_summary_chars_max = 200;

/** What one page covers of the journal: entries, and UTF-16 code units of their bodies. */
interface ScanLimits {
  readonly entries_max: number;
  readonly chars_max: number;
}

/**
 * Returns a page of the journal, the newest entry first. A filtered page covers a bounded part of the journal, so it may hold fewer entries
 * than requested, or none, and not be the last.
 */
export function entryPage(
  home: Home,
  before = Number.MAX_SAFE_INTEGER,
  limit = page_items_default,
  filter: JournalFilter = {},
  { entries_max, chars_max }: ScanLimits = { entries_max: journal_scan_entries_max, chars_max: journal_scan_chars_max },
): JournalPage {
  const items: JournalEntry[] = [];
  let [last, scanned, chars] = [before, 0, 0];
  // One row at a time: a page of bodies may have more than 100 MiB.
  for (const row of rowsBefore(home.db, before, filter.mission)) {
    if (items.length === limit || scanned === entries_max || chars > chars_max) return { items, next_before: last };
    [last, scanned, chars] = [row.seq, scanned + 1, chars + row.body.length];
    const item = mayMatch(row.body, filter) ? readEntries(home.db, () => auditItem(entryOf(row))) : null;
    if (item !== null && isMatch(item, filter)) items.push(item);
  }
  return { items, next_before: null };
}

/** Yields the rows before a sequence, the newest first: all, or those of the missions whose ids begin with a text. */
function rowsBefore(db: Db, before: number, mission: string | undefined): IterableIterator<StoredEntry> {
  const columns = 'SELECT seq, mission, body, hash, signature FROM events';
  if (mission === undefined)
    return db.prepare<[number], StoredEntry>(`${columns} WHERE seq < ? ORDER BY seq DESC`).iterate(before);
  return db
    .prepare<[number, string, string], StoredEntry>(`${columns} WHERE seq < ? AND mission >= ? AND mission < ? ORDER BY seq DESC`)
    .iterate(before, mission, `${mission}~`);
}

/** Returns an entry with its document. @throws RefusalError `not_found` */
export function entryDetail(home: Home, sequence: number): EntryDetail {
  const row = readRow(home.db, sequence);
  if (row === undefined) throw new RefusalError({ code: 'not_found', detail: `the journal has no entry ${sequence}` });
  return { ...auditItem(entryOf(row)), signature: row.signature, document: documentOf(row) };
}

/** Returns the document as it was recorded, which another version may have upcast since. */
const documentOf = ({ body }: StoredEntry): EntryDetail['document'] =>
  (JSON.parse(body) as { readonly document: EntryDetail['document'] }).document;

/** Returns a page of a mission's entries. @throws RefusalError `not_found` */
export function missionEntries(home: Home, id: string, after = 0): MissionEntries {
  return home.db.transaction(() => {
    requireMission(home.db, id);
    const { page, isLast } = entriesAfter(home.db, id, after);
    const proofOf = prover(home);
    const entryWithProof = (row: StoredEntry): MissionEntry => {
      const { sequence, time, event, hash, previous } = entryOf(row);
      const item = { sequence, time, type: event?.type ?? '', hash, previous };
      return { ...item, signature: row.signature, document: documentOf(row), proof: proofOf(row.seq) };
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

export interface JournalFilter {
  /** The id of a mission, or its beginning. */
  readonly mission?: string | undefined;
  /** A type, or the part before the dot for all types of that group. */
  readonly type?: string | undefined;
  readonly actor?: string | undefined;
  /** Only entries of this moment or later. */
  readonly since?: string | undefined;
  /** Only entries before this moment. */
  readonly until?: string | undefined;
}

/** Returns an entry as the journal's pages show it. */
function auditItem({ sequence, time, stream, event, hash, previous }: Entry): JournalEntry {
  const document: Document = event?.document ?? {};
  return {
    sequence,
    time,
    stream,
    type: event?.type ?? '',
    actor: actorOf(document),
    via: viaOf(document),
    stage: stageOf(document),
    summary: summaryOf(document),
    hash,
    previous,
  };
}

type Document = Readonly<Record<string, unknown>>;

const member = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const actorOf = (document: Document): string | null =>
  textOrNull(document['actor']) ?? textOrNull(member(document['review'], 'actor'));

const viaOf = (document: Document): Via | null => {
  const found = document['via'] ?? member(document['review'], 'via');
  return via.is(found) ? found : null;
};

const stageOf = (document: Document): string | null =>
  textOrNull(document['index'] === undefined ? member(document['error'], 'stage') : document['role']);

/** Returns the member that says most: a decision's reason, a goal, an error, a given reason; else all members that are single values. */
function summaryOf(document: Document): string {
  const { goal, reason, note, name, changed, error, review, detail } = document;
  const said =
    textOrNull(member(review, 'note')) ??
    (isObject(error) ? `${String(error['code'])}: ${String(error['message'])}` : null) ??
    textOrNull(goal) ??
    textOrNull(reason) ??
    textOrNull(note) ??
    textOrNull(name) ??
    (Array.isArray(changed) ? changed.join(', ') : null) ??
    membersOf(isObject(detail) ? detail : document);
  return said.length > entry_summary_chars_max ? `${said.slice(0, entry_summary_chars_max - 1)}\u2026` : said;
}

/** Members that say nothing beside the type, the time and the actor, or nothing to people. */
const unsaid = /^(?:actor|via|state)$|_(?:hash|sha256|blob|at)$/;

const membersOf = (document: Document): string =>
  Object.entries(document)
    .filter(([name, value]) => !unsaid.test(name) && (typeof value === 'string' || typeof value === 'number'))
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ');

/** Returns whether an entry's text may be of one that is looked for: it tells without decoding where it can. */
function mayMatch(bodyText: string, { type, actor, since, until }: JournalFilter): boolean {
  if (type !== undefined && !isOfType(typeOf(bodyText)?.type ?? type, type)) return false;
  if (actor !== undefined && !bodyText.includes(`"actor":${canonicalJson(actor)}`)) return false;
  const time = timeOf(bodyText);
  return time === null || isWithin(time, { since, until });
}

/** Returns whether an entry is one that is looked for, apart from its mission. */
const isMatch = (item: JournalEntry, { type, actor, ...period }: JournalFilter): boolean =>
  (type === undefined || isOfType(item.type, type)) &&
  (actor === undefined || item.actor === actor) &&
  isWithin(item.time, period);

const isOfType = (type: string, wanted: string): boolean => type === wanted || type.startsWith(`${wanted}.`);

const isWithin = (time: string, { since, until }: Pick<JournalFilter, 'since' | 'until'>): boolean =>
  (since === undefined || time >= boundOf(since)) && (until === undefined || time < boundOf(until));

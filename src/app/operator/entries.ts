/**
 * Reads the journal's entries for display: the whole log by page, and those of one mission with their proofs. Where damage is tolerated,
 * entries that cannot be read are left out.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { assistantMark } from '../../base/assistant-mark.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { page_items_default } from '../../base/limits.js';
import { RefusalError } from '../../base/refusal.js';
import { boundOf } from '../../base/time.js';
import type { ConsistencyProof, EntryDetail, InclusionProof, JournalEntry, JournalPage } from '../../codec/api-journal.js';
import type { MissionEntries, MissionEntry } from '../../codec/api-missions.js';
import { type Entry, timeOf, typeOf } from '../../codec/entry.js';
import { actorOf, assistantOf, member, viaOf } from '../../codec/acted.js';
import { isObject } from '../../codec/faults.js';
import { consistencyPath, inclusionPath } from '../../journal/merkle.js';
import { missionStream } from '../../domain/mission.js';
import { entryOf, latestNote, readHead, readRow, requireEntry, requireRow } from '../../journal/reader.js';
import { formatProof } from '../../journal/proof.js';
import { nodeReader } from '../../journal/tree.js';
import { tolerating } from '../../tables/compare.js';
import { reading, readSequences, readStream } from '../../tables/read.js';
import type { Db } from '../../store/database.js';
import type { Home } from '../home/home.js';
import { prove } from '../log/checkpoint.js';
import { isUuid, requireMission } from '../missions/record.js';

/** Entries of a mission on one page, with a proof for each. */
const mission_entries_max = 100;
/** UTF-16 code units of their bodies, unless the first one has more. */
export const mission_entries_chars_max = 4_194_304;
/** The parts of a filtered journal that one page covers: each is read at once, and others are served before the next. */
const page_parts = 20;
/** Entries of a part, and UTF-16 code units of their bodies. */
const part_limits = { entries_max: 1_000, chars_max: 4_194_304 };
/** Characters of the line that says what an entry contains. */
const entry_summary_chars_max = 200;

/**
 * Returns a page of the journal, the newest entry first. A filtered page covers a bounded part of the journal, so it may hold fewer entries
 * than requested, or none, and not be the last.
 */
export async function entryPage(home: Home, { before, limit = page_items_default, ...filter }: EntryQuery): Promise<JournalPage> {
  const items: JournalEntry[] = [];
  for (let [from, parts] = [before, 1]; ; parts++) {
    const part = entryPart(home, from, limit - items.length, filter);
    items.push(...part.items);
    from = part.next_before ?? undefined;
    if (from === undefined || items.length === limit || parts === page_parts) return { ...part, items };
    await nextTurn();
  }
}

interface EntryQuery extends JournalFilter {
  readonly before?: number | undefined;
  readonly limit?: number | undefined;
}

/** Returns the page that one part of the journal gives. */
export const entryPart = (
  home: Home,
  before = Number.MAX_SAFE_INTEGER,
  limit = page_items_default,
  filter: JournalFilter = {},
  limits = part_limits,
): JournalPage => reading(home.db, () => scan(home.db, { before, limit, filter, ...limits }));

interface Scan {
  readonly before: number;
  readonly limit: number;
  readonly filter: JournalFilter;
  readonly entries_max: number;
  readonly chars_max: number;
}

function scan(db: Db, { before, limit, filter, entries_max, chars_max }: Scan): JournalPage {
  const items: JournalEntry[] = [];
  let [last, scanned, chars] = [before, 0, 0];
  // One row at a time: a page of bodies may have more than 100 MiB.
  for (const sequence of sequencesBefore(db, before, filter.mission)) {
    if (items.length === limit || scanned === entries_max || chars > chars_max) return { items, next_before: last };
    const row = tolerating(db, () => requireRow(db, sequence));
    [last, scanned, chars] = [sequence, scanned + 1, chars + (row?.body.length ?? 0)];
    const item = row !== null && mayMatch(row.body, filter) ? tolerating(db, () => auditItem(entryOf(row, db))) : null;
    if (item !== null && isMatch(item, filter)) items.push(item);
  }
  return { items, next_before: null };
}

/** Yields the sequences before one, the newest first: all, those of a mission, or those of the missions whose ids begin with a text. */
function* sequencesBefore(db: Db, before: number, mission: string | undefined): Generator<number> {
  if (mission === undefined) {
    for (let sequence = Math.min(before - 1, readHead(db).size); sequence > 0; sequence--) yield sequence;
  } else if (isUuid(mission)) {
    yield* readSequences(db, missionStream.nameOf(mission))
      .reverse()
      .filter((sequence) => sequence < before);
  } else {
    const sql = 'SELECT seq FROM events WHERE seq < ? AND mission >= ? AND mission < ? ORDER BY seq DESC';
    yield* db.prepare<[number, string, string], number>(sql).pluck().iterate(before, mission, `${mission}~`);
  }
}

/** Returns an entry with its document. @throws RefusalError `not_found` */
export function entryDetail(home: Home, sequence: number): EntryDetail {
  const row = readRow(home.db, sequence);
  if (row === undefined) throw new RefusalError('not_found', `the journal has no entry ${sequence}`);
  return { ...auditItem(entryOf(row, home.db)), signature: row.signature, document: documentOf(row.body) };
}

/** Returns the document as it was recorded, which another version may have upcast since. */
const documentOf = (body: string): EntryDetail['document'] =>
  (JSON.parse(body) as { readonly document: EntryDetail['document'] }).document;

/** Returns a page of a mission's entries. @throws RefusalError `not_found` */
export const missionEntries = (home: Home, id: string, after = 0): MissionEntries =>
  reading(home.db, () => {
    requireMission(home.db, id);
    const entries = readStream(home.db, missionStream.nameOf(id)).filter(({ sequence }) => sequence > after);
    const page = firstOf(entries);
    const proofOf = prover(home);
    const entryWithProof = ({ sequence, time, event, hash, previous, signature, text }: Entry): MissionEntry => {
      const item = { sequence, time, type: event?.type ?? '', hash, previous };
      return { ...item, signature, document: documentOf(text), proof: proofOf(sequence) };
    };
    const items = page.flatMap((entry) => tolerating(home.db, () => entryWithProof(entry)) ?? []);
    return { items, next_after: page.length === entries.length ? null : (page.at(-1)?.sequence ?? null) };
  });

/** Returns the entries of a page: at least one if there is one, and no more than their bodies' limit allows. */
function firstOf(entries: readonly Entry[]): readonly Entry[] {
  let chars = 0;
  const end = entries.findIndex(({ text }, i) => {
    chars += text.length;
    return i === mission_entries_max || (i > 0 && chars > mission_entries_chars_max);
  });
  return end < 0 ? entries : entries.slice(0, end);
}

/** Returns a function that makes the proof of an entry, all under one checkpoint. */
function prover(home: Home): (sequence: number) => string {
  const latest = latestNote(home.db);
  if (latest === undefined) throw new RefusalError('integrity', 'the journal has no checkpoint');
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
export const consistency = (home: Home, from: number): ConsistencyProof =>
  home.db.transaction((): ConsistencyProof => {
    const { output: _, ...report } = prove(home, { from });
    const path = consistencyPath(nodeReader(home.db, report.size), from, report.size);
    return { ...report, sequence: null, index: null, from, hashes: path.map((hash) => hash.toString('base64')) };
  })();

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

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const stageOf = (document: Document): string | null =>
  textOrNull(document['index'] === undefined ? member(document['error'], 'stage') : document['role']);

/** Returns the member that says most: a decision's reason, a goal, an error, a given reason; else all members that are single values. */
function summaryOf(document: Document): string {
  const assistant = assistantOf(document);
  const { goal, reason, note, name, changed, error, review, detail } = document;
  const said =
    textOrNull(member(review, 'note')) ??
    (isObject(error) ? `${String(error['code'])}: ${String(error['message'])}` : null) ??
    (typeof goal !== 'string' ? null : assistant === null ? goal : `(${assistantMark(assistant)}) ${goal}`) ??
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

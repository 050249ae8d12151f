/** What an entry of the journal says to who audits it: who acted, in which stage, what it contains; and which entries are looked for. */
import { canonicalJson } from '../../base/canonical-json.js';
import { entry_summary_chars_max } from '../../base/listing-limits.js';
import { boundOf } from '../../base/time.js';
import type { JournalEntry } from '../../codec/api-journal.js';
import { timeOf, typeOf, type Entry } from '../../codec/entry.js';
import { isObject } from '../../codec/faults.js';

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
export function auditItem({ sequence, time, stream, event, hash, previous }: Entry): JournalEntry {
  const document: Document = event?.document ?? {};
  return {
    sequence,
    time,
    stream,
    type: event?.type ?? '',
    actor: actorOf(document),
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
const unsaid = /^(?:actor|state)$|_(?:hash|sha256|blob|at)$/;

const membersOf = (document: Document): string =>
  Object.entries(document)
    .filter(([name, value]) => !unsaid.test(name) && (typeof value === 'string' || typeof value === 'number'))
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ');

/** Returns whether an entry's text may be of one that is looked for: it tells without decoding where it can. */
export function mayMatch(bodyText: string, { type, actor, since, until }: JournalFilter): boolean {
  if (type !== undefined && !isOfType(typeOf(bodyText)?.type ?? type, type)) return false;
  if (actor !== undefined && !bodyText.includes(`"actor":${canonicalJson(actor)}`)) return false;
  const time = timeOf(bodyText);
  return time === null || isWithin(time, { since, until });
}

/** Returns whether an entry is one that is looked for, apart from its mission. */
export const isMatch = (item: JournalEntry, { type, actor, ...period }: JournalFilter): boolean =>
  (type === undefined || isOfType(item.type, type)) &&
  (actor === undefined || item.actor === actor) &&
  isWithin(item.time, period);

const isOfType = (type: string, wanted: string): boolean => type === wanted || type.startsWith(`${wanted}.`);

const isWithin = (time: string, { since, until }: Pick<JournalFilter, 'since' | 'until'>): boolean =>
  (since === undefined || time >= boundOf(since)) && (until === undefined || time < boundOf(until));

/**
 * Lists, shows, recovers, cancels and erases missions. Submission, execution and review have their own files; no engine loads
 * here.
 */
import { search_chars_max, actor_chars_max } from '../../base/limits.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AskedPage, placeOfPage } from '../../base/page.js';
import { invalid, RefusalError, type Result } from '../../base/refusal.js';
import type { Mission, MissionState } from '../../codec/record.js';
import type { MissionItem, MissionPage, MissionRecord } from '../../codec/api-missions.js';
import { actor as actorName, moment, momentForm } from '../../codec/scalars.js';
import { personRefusal, policyOf } from '../../domain/mission-approve.js';
import { decideCancel, decideErase, decideExecutionRequest, decideRecover } from '../../domain/mission-decide.js';
import type { MissionEvent } from '../../domain/mission.js';
import { readEntry } from '../../journal/reader.js';
import type { Transaction } from '../../journal/writer.js';
import type { MissionFilter } from '../../tables/mission-listing.js';
import {
  countByState,
  part_missions,
  readHeads,
  readMission,
  type SearchPage,
  searchMissions,
  type MissionSearch,
} from '../../tables/missions.js';
import { isProven } from '../../tables/read.js';
import { approvalPolicyOf } from '../home/config.js';
import { afterCommit, emptyLogAfter, type RecordedPart, onBallast } from '../home/recording.js';
import type { Home } from '../home/home.js';
import { requireFreePlace } from './assistants.js';
import { circumstances, failInterrupted, missionRecord, record, requireMission } from './record.js';
import { ownerOf, progressOf } from './ownership.js';

/** Missions that one page of a search covers; one whose entries are read, for an actor, counts as five. */
const search_missions_max = 10_000;

export interface ListOptions extends AskedPage, Omit<MissionFilter, 'cursor' | 'limit'>, Pick<MissionSearch, 'q' | 'actor'> {
  /** Only missions in review that somebody can decide: an approver by name, or null for a person who is not known as one. */
  readonly needs?: string | null | undefined;
}

export const listPage = (home: Home, options: ListOptions): MissionPage => search(home, searchOf(home, options));

/** Returns a page, and lets others be served while it reads many missions. */
export async function listPageInParts(home: Home, options: ListOptions): Promise<MissionPage> {
  const asked = searchOf(home, options);
  const { q, actor, since, until, wanted } = asked;
  if (asked.sort === 'goal') await readHeads(home.db, asked);
  const isLong = [q, actor, since, until, wanted].some((filter) => filter !== undefined) && isProven(home.db);
  return isLong ? searchInParts(home, asked) : search(home, asked);
}

type MissionQuery = Omit<MissionSearch, 'scan_max'>;

function searchOf(home: Home, { cursor, limit: most, q, actor, needs, ...given }: ListOptions): MissionQuery {
  if (needs !== undefined && (given.state ?? 'review') !== 'review')
    throw new RefusalError(invalid('state', 'must be review, because only missions in review need somebody'));
  const narrowing = needs === undefined ? given : ({ ...given, state: 'review' } as const);
  const { place, limit } = placeOfPage({ cursor, limit: most });
  for (const name of ['since', 'until'] as const)
    if (!moment.is(narrowing[name] ?? '2000-01-01')) throw new RefusalError(invalid(name, `must be ${momentForm}`));
  const wanted = typeof needs === 'string' ? decidableBy(home, needs) : undefined;
  return { ...narrowing, limit, cursor: place, q, actor, wanted };
}

/** Returns whether an approver can decide a mission: who requested it or approved it already cannot. */
function decidableBy({ db }: Home, approver: string): (mission: Mission) => boolean {
  const today = approvalPolicyOf(db);
  return (mission) => personRefusal(mission, approver, policyOf(mission, today)) === null;
}

/** Returns the number of missions, of all or of those in one state. */
export function missionTotal(home: Home, state?: MissionState): number {
  const counts = countByState(home.db);
  return state === undefined ? Object.values(counts).reduce((sum, n) => sum + n, 0) : (counts[state] ?? 0);
}

/**
 * Returns one page of a search. It looks at a bounded number of missions, so a page may hold fewer than requested, or none, and
 * not be the last.
 */
function search(home: Home, asked: MissionQuery): MissionPage {
  requireWords(asked);
  return pageOf(home, searchMissions(home.db, { ...asked, scan_max: search_missions_max }));
}

/** Returns the same page, and lets others be served between the parts that it reads. */
async function searchInParts(home: Home, asked: MissionQuery): Promise<MissionPage> {
  requireWords(asked);
  const items = new Map<string, MissionItem>();
  let [cursor, scan_max] = [asked.cursor, search_missions_max];
  // Each part sorts up to 10,000 goals first.
  const read_max = asked.sort === 'goal' ? 10 * part_missions : part_missions;
  for (;;) {
    const limit = asked.limit - items.size;
    const part = searchMissions(home.db, { ...asked, cursor, limit, scan_max, read_max });
    // One that changes between two parts comes again where the oldest come first.
    for (const item of part.items) items.set(item.id, item);
    scan_max -= part.scanned;
    if (part.next === null || items.size === asked.limit || scan_max <= 0)
      return pageOf(home, { items: [...items.values()], next: part.next });
    cursor = part.next;
    await nextTurn();
  }
}

function requireWords({ q, actor: name }: MissionQuery): void {
  if (q !== undefined && (q === '' || [...q].length > search_chars_max))
    throw new RefusalError(invalid('q', `must have 1 to ${search_chars_max} characters`));
  if (name !== undefined && !actorName.is(name))
    throw new RefusalError(invalid('actor', `must have 1 to ${actor_chars_max} characters`));
}

const pageOf = (home: Home, { items, next }: Pick<SearchPage, 'items' | 'next'>): MissionPage => ({
  items: items.map((item) => withProgress(home, item)),
  next_cursor: next === null ? null : String(next),
});

function withProgress(home: Home, item: MissionItem): MissionItem {
  const mission = item.state === 'running' ? readMission(home.db, item.id) : null;
  return mission === null ? item : { ...item, ...progressOf(home, mission) };
}

/** Returns whether a request id, in any case, names a mission of this home. */
export const isKnownMission = ({ db }: Home, requestId: string): boolean => readMission(db, requestId.toLowerCase()) !== null;

export const showMission = (home: Home, id: string): MissionRecord => missionRecord(home, requireMission(home.db, id));

/**
 * Puts a mission into the queue of executions. Nothing is recorded for one that is there or is executing.
 * @throws RefusalError `too_many_requests` for an assistant that has another one executed
 */
export const requestExecution = (home: Home, id: string, actor: string, isAssistant = false): Promise<MissionRecord> =>
  change(home, id, (tx, mission) => {
    if (isAssistant) requireFreePlace(tx, actor, id);
    return decideExecutionRequest(mission, { ...circumstances(tx, actor), owner: ownerOf(home, mission) });
  });

export async function recoverMission(home: Home, id: string, actor: string): Promise<MissionRecord> {
  requireMission(home.db, id);
  await failInterrupted(home);
  return change(home, id, (tx, mission) => {
    const owner = ownerOf(home, mission);
    return decideRecover(mission, readEntry(tx.db, mission.revision)?.hash ?? '', { ...circumstances(tx, actor), owner });
  });
}

/** Cancels a queued or running mission. One whose process has ended is failed as `interrupted` instead, also while paused. */
export async function cancelMission(home: Home, id: string, actor: string): Promise<MissionRecord> {
  requireMission(home.db, id);
  // The others can wait for a command that does not stop work: without a snapshot of the state all entries are read to find them.
  const [interrupted] = await failInterrupted(home, id);
  return interrupted === undefined
    ? onBallast(home, () => change(home, id, (tx, mission) => decideCancel(mission, circumstances(tx, actor))))
    : recordAfter(home, interrupted);
}

/** An erased mission; a warning while other processes kept the erased text in the write-ahead log. */
export type ErasedMission = MissionRecord & { readonly warnings?: readonly string[] };

/**
 * Deletes the blobs that hold a mission's input and result, and empties the write-ahead log, which still holds their pages. The event that
 * records this, and every proof, stay. A repetition empties the log, in case that failed, before it is refused.
 */
export async function eraseMission(home: Home, id: string, reason: string, actor: string): Promise<ErasedMission> {
  if (readMission(home.db, id)?.erased === true) requireEmptyLog(home, id);
  const mission = await decided(home, id, (tx, current) => decideErase(current, reason, circumstances(tx, actor)));
  const warnings = emptyLogAfter(erasureOf(id), home.db, 'the erased text');
  return { ...recordAfter(home, mission), ...(warnings.length === 0 ? {} : { warnings }) };
}

function requireEmptyLog(home: Home, id: string): void {
  const [detail] = emptyLogAfter(erasureOf(id), home.db, 'the erased text');
  if (detail !== undefined) throw new RefusalError('in_use', detail);
}

const erasureOf = (id: string): RecordedPart => ({
  recorded: `the erasure of mission ${id} is recorded`,
  remains: `agent-cli erase ${id} --reason again`,
});

type Decide = (tx: Transaction, mission: Mission) => Result<readonly MissionEvent[]>;

const decided = (home: Home, id: string, decide: Decide): Promise<Mission> =>
  home.transact((tx) => record(tx, id, decide(tx, requireMission(tx.db, id))));

export const change = async (home: Home, id: string, decide: Decide): Promise<MissionRecord> =>
  recordAfter(home, await decided(home, id, decide));

/** Returns the record of a mission whose change was just committed. */
const recordAfter = (home: Home, mission: Mission): MissionRecord =>
  afterCommit(
    { recorded: `the new state of mission ${mission.id}, ${mission.state}, is recorded`, remains: 'agent-cli verify' },
    'its record could not be read',
    () => missionRecord(home, mission),
  );

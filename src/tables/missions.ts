/** Missions and the queries over them. Each mission that is returned was compared with its signed entries. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { canonicalJson } from '../base/canonical-json.js';
import { Recent } from '../base/recent.js';
import { folded } from '../base/text.js';
import type { MissionItem } from '../codec/api-missions.js';
import type { Approval } from '../codec/approvals.js';
import { timeOf } from '../codec/entry.js';
import { kinds, type Kind } from '../codec/kinds.js';
import { decode } from '../codec/kit.js';
import { type Mission, missionCodec, type MissionState, missionStates } from '../codec/record.js';
import { missionStream } from '../domain/mission.js';
import { decoded, defineTable, named, parsed } from '../state/table.js';
import type { Db } from '../store/database.js';
import {
  byGoal,
  changeOf,
  groupsOf,
  type Head,
  headOf,
  type Heads,
  isByChange,
  isDescending,
  isWithin,
  type ListedMission,
  type MissionFilter,
  sorted_missions_max,
} from './mission-listing.js';
import {
  countStates,
  isProven,
  list,
  readByPrefix,
  readEvents,
  readGroup,
  reading,
  readNewestOf,
  readOne,
  takeGroup,
  takeStates,
} from './read.js';

/**
 * One row a mission. A change leaves the row and its index in place. `record` is canonical JSON of what the columns do not say and what differs
 * from a mission's beginning.
 */
const ddl = `CREATE TABLE mission(
  revision INTEGER NOT NULL,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  goal TEXT NOT NULL,
  ids_hash TEXT,
  updated_at TEXT NOT NULL,
  record TEXT NOT NULL
) STRICT;
`;

const columns = ['revision', 'id', 'kind', 'state', 'goal', 'ids_hash', 'updated_at', 'record'] as const;

/** The members that `record` can have, in canonical order: to sort them at each change takes longer. */
const recorded = (Object.keys(missionCodec.fields) as (keyof Mission)[])
  .filter((key) => !columns.some((column) => column === key))
  .toSorted();

const codeOf = (state: MissionState, of: Kind): string => `${state}:${of}`;
/** The code of the queued missions that are to be executed. It is not a group, because a mission never leaves its groups. */
const requested = (of: Kind): string => `requested:${of}`;
/** The code of the other queued missions that assistants submitted, which are counted at each submission. */
const assisted = (of: Kind): string => `assisted:${of}`;
const codesOf = (state: MissionState, of: Kind): string[] =>
  state === 'queued' ? [codeOf(state, of), requested(of), assisted(of)] : [codeOf(state, of)];
/** The groups of the approved missions with the same ids, and with the same goal. */
const withIds = (of: Kind, idsHash: string): string => `ids:${of}:${idsHash}`;
const withGoal = (goal: string): string => `goal:${goal}`;
/** The group of the missions that a key approved. */
const approvedBy = (fingerprint: string): string => `key:${fingerprint}`;
/** The group of the missions that an assistant submitted, which each joins with its first entry. */
const submittedBy = (assistant: string): string => `assistant:${assistant}`;

export const missionTable = defineTable<Mission>({
  stream: missionStream,
  name: 'mission',
  projection: 'missions',
  ddl,
  version: 3,
  columns,
  key: 'id',
  rowsOf(mission) {
    const record: Partial<Record<keyof Mission, unknown>> = {};
    for (const key of recorded) if (!isBeginning(mission[key])) record[key] = mission[key];
    const { revision, id, kind, state, goal, ids_hash, updated_at } = mission;
    return [[revision, id, kind, state, goal, ids_hash, updated_at, canonicalJson(record)]];
  },
  stateOf([row]) {
    if (row === undefined) return null;
    const { record, ...values } = named(columns, row);
    const rest = parsed('mission', record);
    return decoded('mission', decode(missionCodec, typeof rest === 'object' ? { ...values, ...rest } : null));
  },
  codes: missionStates.flatMap((state) => kinds.flatMap((kind) => codesOf(state, kind))),
  codeOf({ state, kind: of, execution_request, assistant }) {
    if (execution_request !== null) return requested(of);
    return state === 'queued' && assistant !== null ? assisted(of) : codeOf(state, of);
  },
  groupsOf({ state, kind: of, ids_hash, goal, approvals, assistant }) {
    const groups = approvals.map(({ fingerprint }) => approvedBy(fingerprint));
    if (assistant !== null) groups.push(submittedBy(assistant));
    return state === 'completed' ? [...groups, withGoal(goal), ...(ids_hash === null ? [] : [withIds(of, ids_hash)])] : groups;
  },
});

/** Returns whether a member still has the initial value of every mission. */
const isBeginning = (value: unknown): boolean =>
  value === null || value === 0 || value === false || (Array.isArray(value) && value.length === 0);

export const readMission = (db: Db, id: string): Mission | null => readOne(db, missionTable, id);

/** Yields the missions of a list after a cursor, which is made of a mission's position and the place of its group. */
function* inGroups(db: Db, filter: MissionFilter, cursor = 0): Generator<ListedMission> {
  const oldestFirst = isByChange(filter) && !isDescending(filter);
  const groups = groupsOf(filter);
  const [first, position] = [cursor % groups.length, Math.floor(cursor / groups.length)];
  for (const [i, group] of groups.entries()) {
    if (i < first) continue;
    const codes = group.states.flatMap((state) => group.kinds.flatMap((each) => codesOf(state, each)));
    const from = cursor > 0 && i === first ? { [oldestFirst ? 'after' : 'before']: position } : {};
    for (const mission of list(db, missionTable, { codes, oldestFirst, ...from }))
      yield { ...mission, next: mission.position * groups.length + i };
  }
}

const listed = (db: Db, filter: MissionFilter, heads: Heads): Iterable<ListedMission> =>
  filter.sort === 'goal' ? byGoal(inGroups(db, filter), filter, heads) : inGroups(db, filter, filter.cursor);

/** Twice as many as are sorted, so that those of older missions are dropped when there are newer ones. */
const heads_known_max = 2 * sorted_missions_max;
const knownHeads = new WeakMap<Db, Heads>();

function headsOf(db: Db): Heads {
  if (!isProven(db)) return new Map();
  const heads = knownHeads.get(db) ?? new Recent<number, Head>(heads_known_max);
  knownHeads.set(db, heads);
  return heads;
}

/** Missions that are read before others are served: one of ten entries takes 1 ms. */
export const part_missions = 25;

/** Reads what the order of goals compares, in parts between which others are served. */
export async function readHeads(db: Db, filter: MissionFilter): Promise<void> {
  let [seen, cursor] = [0, 0];
  const isMore = (): boolean => {
    const heads = headsOf(db);
    let read = 0;
    for (const mission of inGroups(db, filter, cursor)) {
      if (seen++ === sorted_missions_max) return false;
      cursor = mission.next;
      if (heads.get(mission.position) !== undefined) continue;
      headOf(mission, heads);
      if (++read === part_missions) return true;
    }
    return false;
  };
  while (isProven(db) && reading(db, isMore)) await nextTurn();
}

/** Returns a mission as lists show it. One that failed because its process ended is told apart from other failures. */
const itemOf = ({ id, kind, goal, state, revision, updated_at, assistant, error, erased }: Mission): MissionItem => ({
  id,
  kind,
  goal,
  state,
  revision,
  updated_at,
  ...(assistant === null ? {} : { assistant }),
  ...(error?.code === 'interrupted' && !erased ? { interrupted: true, next: `agent-cli recover ${id}` } : {}),
});

/** How much longer it takes to read a mission's entries than to read its row. */
const acted_weight = 5;

export interface MissionSearch extends MissionFilter {
  /** Part of a goal, ignoring case, or the beginning of an id. */
  readonly q?: string | undefined;
  /** Who acted on the mission or decided on its result. */
  readonly actor?: string | undefined;
  readonly wanted?: ((mission: Mission) => boolean) | undefined;
  /** Number of missions that are searched; one whose entries are read counts as `acted_weight`. */
  readonly scan_max: number;
  /** Number of them that are read; those that were compared before are not read again. */
  readonly read_max?: number;
}

export interface SearchPage {
  readonly items: readonly MissionItem[];
  readonly scanned: number;
  /** `cursor` for the next page, which may follow an incomplete page; null at the end. */
  readonly next: number | null;
}

/** Returns the matching missions, in the order of the filter. */
export const searchMissions = (db: Db, search: MissionSearch): SearchPage =>
  reading(db, () => {
    const { q, actor, wanted = () => true, limit, scan_max, read_max = Number.POSITIVE_INFINITY } = search;
    const isCompared = q !== undefined || search.since !== undefined || search.until !== undefined;
    const heads = headsOf(db);
    const items: MissionItem[] = [];
    let [scanned, read, next] = [0, 0, 0];
    for (const candidate of listed(db, search, heads)) {
      if (items.length === limit || scanned >= scan_max || read >= read_max) return { items, scanned, next };
      [scanned, next] = [scanned + 1, candidate.next];
      if (isCompared) {
        if (heads.get(candidate.position) === undefined) read++;
        const head = headOf(candidate, heads);
        if (!isWithin(head, search) || !isNamed(head, folded(q ?? ''))) continue;
      }
      const mission = candidate.state();
      read++;
      if (mission === null || !wanted(mission)) continue;
      if (actor !== undefined) scanned += acted_weight - 1;
      if (actor === undefined || hasActed(db, mission.id, actor)) items.push(itemOf(mission));
    }
    return { items, scanned, next: null };
  });

const isNamed = (head: Head | null, sought: string): boolean =>
  head !== null && (folded(head.goal).includes(sought) || head.id.startsWith(sought));

/** Returns whether an event of a mission names an actor as who acted or decided. Entries of schema 1 may write the name in another way. */
function hasActed(db: Db, id: string, actor: string): boolean {
  const member = `"actor":${canonicalJson(actor)}`;
  const mayName = (text: string): boolean => text.includes(member) || timeOf(text) === null;
  for (const { document } of readEvents(db, missionStream, id, mayName)) {
    if ('actor' in document && document.actor === actor) return true;
    if ('review' in document && document.review?.actor === actor) return true;
  }
  return false;
}

/** Returns the missions of an assistant that were not yet executed, and those that it submitted after a moment. */
export const missionsOfAssistant = (db: Db, name: string, since: string) =>
  reading(db, () => {
    const codes = kinds.flatMap((kind) => [requested(kind), assisted(kind)]);
    const queued = takeStates(db, missionTable, { codes }).filter(({ assistant }) => assistant === name);
    const recent: Mission[] = [];
    // The one that was submitted last comes first.
    for (const mission of readGroup(db, missionTable, submittedBy(name))) {
      if (mission.created_at <= since) break;
      recent.push(mission);
    }
    return { queued, recent };
  });

/** Returns the other missions that are executed, or are to be, because an actor asked for it. */
export const executionsFor = (db: Db, actor: string, id: string): Mission[] =>
  reading(db, () => {
    const leases = ({ id: of }: Mission) => readEvents(db, missionStream, of).filter(({ type }) => type === 'mission.leased');
    const isFor = (mission: Mission): boolean => {
      const cause = mission.execution_request ?? leases(mission).at(-1)?.document;
      return mission.id !== id && cause !== undefined && 'actor' in cause && cause.actor === actor;
    };
    return [...requestedMissions(db), ...runningMissions(db)].filter(isFor);
  });

/** Returns the missions in `running`, whose leases may be live, the one that changed first at the front. */
export const runningMissions = (db: Db): Mission[] =>
  takeStates(db, missionTable, { codes: kinds.map((one) => codeOf('running', one)), oldestFirst: true });

/** Returns the missions whose ids begin with a prefix, in order of their ids. The ids come from the table. */
export const missionsWithPrefix = (db: Db, prefix: string, limit: number): Mission[] =>
  readByPrefix(db, missionTable, prefix, limit);

/** The queue: the queued missions that are to be executed, the oldest request first. The request is the newest entry of each. */
const queue = { codes: kinds.map(requested), oldestFirst: true } as const;

export const requestedMissions = (db: Db): Mission[] => takeStates(db, missionTable, queue);

/** Returns the first wanted mission of the queue, of those that changed after a sequence. */
export const nextRequested = (db: Db, after: number, isWanted: (mission: Mission) => boolean): Mission | null =>
  reading(db, () => {
    for (const { state } of list(db, missionTable, { ...queue, after })) {
      const mission = state();
      if (mission !== null && isWanted(mission)) return mission;
    }
    return null;
  });

/** Returns the place of a mission of the queue, from 1. */
export const placeInQueue = (db: Db, mission: Mission): number =>
  reading(db, () => [...list(db, missionTable, { ...queue, before: changeOf(mission) + 1 })].length);

const newestFirst = (a: Mission, b: Mission): number => changeOf(b) - changeOf(a);

/** The missions with the same ids that were approved last, among which the newest is sought: somebody who plans every hour has thousands. */
const same_ids_max = 32;

/** Returns the newest approved mission with the same ids. */
export const approvedMissionWithIds = (db: Db, of: Kind, idsHash: string): Mission | null =>
  takeGroup(db, missionTable, withIds(of, idsHash), same_ids_max).toSorted(newestFirst)[0] ?? null;

/** Returns the approved missions with exactly this goal, the most recently changed first. */
export const approvedMissionsWithGoal = (db: Db, goal: string): Mission[] =>
  takeGroup(db, missionTable, withGoal(goal)).toSorted(newestFirst);

/** Returns the newest approval by a key among the results that were approved; null without one. */
export function newestApprovalBy(db: Db, fingerprint: string): Approval | null {
  const mission = readNewestOf(db, missionTable, approvedBy(fingerprint));
  const events = mission === null ? [] : readEvents(db, missionStream, mission.id);
  const newest = events.findLast(
    (event) => event.type === 'mission.approved' && event.document.approval.fingerprint === fingerprint,
  );
  return newest?.type === 'mission.approved' ? newest.document.approval : null;
}

export type MissionCounts = Readonly<Partial<Record<MissionState, number>>>;

/** Returns the number of missions in each state that has any. */
export function countByState(db: Db): MissionCounts {
  const counts = countStates(db, missionTable);
  const total = (state: MissionState): number =>
    kinds.flatMap((kind) => codesOf(state, kind)).reduce((sum, code) => sum + (counts.get(code) ?? 0), 0);
  return Object.fromEntries(missionStates.map((state) => [state, total(state)] as const).filter(([, count]) => count > 0));
}

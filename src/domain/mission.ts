/**
 * The lifecycle of a mission: queued → running → review → completed | rejected, or failed, from which it is recovered to queued.
 * Its revision is the sequence of its newest event; times are fixed-width RFC 3339 texts, so that text order is time order.
 */
import { canonicalJson } from '../base/canonical-json.js';
import { sha256Hex } from '../base/bytes.js';
import { type EngineId, failsAgain } from '../codec/events/mission.js';
import type { Kind } from '../codec/kinds.js';
import type { Mission, MissionState } from '../codec/record.js';
import { type EventContext, type EventIn, streams } from './stream.js';
import { no_policy } from '../codec/approvals.js';
import { assistantOf } from '../codec/acted.js';
import { blobUsesOf, type Documents } from '../codec/event.js';
import { actor_chars_max } from '../base/limits.js';
import { timeOfNanoseconds } from '../base/time.js';
import { roles } from '../codec/roles.js';
import { idPattern, uuid } from '../codec/scalars.js';
import { isObject, membersOf } from '../codec/faults.js';

type MissionSelector = 'mission.' | 'reference.mission';
export type MissionEvent = EventIn<MissionSelector>;

/** Returns SHA-256 over the kind and the sorted ids: a mission with the same hash may seed the search of another. */
export const idsHashOf = (kind: Kind, ids: readonly string[]): string => sha256Hex(canonicalJson([kind, ids.toSorted()]));

/** Returns the command that helps after a failure. Where the same input must fail again, it is changed and run again. */
export const helpAfter = ({ id, error }: Pick<Mission, 'id' | 'error'>): string =>
  failsAgain(error) ? `agent-cli run --from ${id}` : `agent-cli recover ${id}`;

/** Returns the command that says or does what comes next, for a mission that a command does not take; none where its input was erased. */
export function hintAfter(mission: Pick<Mission, 'id' | 'state' | 'error' | 'erased'>): { readonly hint?: string } {
  if (mission.state === 'running') return { hint: `agent-cli show ${mission.id}` };
  return mission.state === 'failed' && !mission.erased ? { hint: helpAfter(mission) } : {};
}

/** The members of a mission that its first event sets. */
type Beginning = Pick<Mission, 'kind' | 'goal' | 'request_hash' | 'ids_hash' | 'blobs'> &
  Partial<Pick<Mission, 'requester' | 'derived_from' | 'assistant'>>;

/** Returns a mission after its first event. */
const begin = (
  at: EventContext,
  { kind, goal, request_hash, ids_hash, blobs, requester = null, derived_from = null, assistant = null }: Beginning,
): Mission => ({
  id: at.id,
  kind,
  goal,
  state: 'queued',
  revision: at.sequence,
  request_hash,
  request_seq: at.sequence,
  result_seq: 0,
  result_hash: null,
  source_result_hash: null,
  ids_hash,
  derived_from,
  execution_request: null,
  attempt: 1,
  leased_at: null,
  lease_expires_at: null,
  config_hash: null,
  engine: null,
  effort: null,
  parent: null,
  parent_digest: null,
  stages: [],
  verification: null,
  error: null,
  review: null,
  recovered_from: null,
  assistant,
  requester,
  policy: null,
  approvals: [],
  approved_seq: 0,
  blobs,
  erased: false,
  created_at: at.time,
  updated_at: at.time,
});

// The state of a mission after each of its events.

/** The streams of missions. A mission's stream is named only by its id; every other stream's name begins with an @. */
export const missionStream = streams<Mission, MissionSelector>('', {
  noun: 'mission',
  events: ['mission.', 'reference.mission'],
  isId: (id) => uuid.is(id),
  evolve: evolveMission,
});

/**
 * Returns the mission after an event. An event without a mission, other than the first, is ignored: `verify` reports it. Blobs are collected from
 * the members that the event's declaration names, so that all of them are erased with the mission.
 */
function evolveMission(mission: Mission | null, event: MissionEvent, at: EventContext): Mission | null {
  if (event.type === 'reference.mission') return fromReference(event.document, mission, at);
  if (event.type === 'mission.submitted') return withBlobs(submitted(event.document, at), event);
  if (mission === null) return null;
  if (event.type === 'mission.approved') return approved(mission, event.document, at);
  return withBlobs({ ...mission, ...change(mission, event, at), revision: at.sequence, updated_at: at.time }, event);
}

/** An approval leaves the revision as it is: that is the one which the others who approve have seen. */
function approved(mission: Mission, { approval }: Documents['mission.approved'], at: EventContext): Mission {
  const { approver, title, fingerprint, kind } = approval;
  const evidence = { approver, title, fingerprint, kind, at: at.time, sha256: sha256Hex(canonicalJson(approval)) };
  return { ...mission, approvals: [...mission.approvals, evidence], approved_seq: at.sequence, updated_at: at.time };
}

function withBlobs(mission: Mission, event: MissionEvent): Mission {
  const { refers, erases } = blobUsesOf(event);
  if (refers.length === 0 && erases.length === 0) return mission;
  return { ...mission, blobs: [...mission.blobs, ...refers].filter((hash) => !erases.includes(hash)) };
}

function submitted(document: Documents['mission.submitted'], at: EventContext): Mission {
  const { kind, goal, request_hash, ids_hash, requester, derived_from } = document;
  return begin(at, {
    kind,
    goal,
    request_hash,
    ids_hash: ids_hash ?? null,
    blobs: [],
    requester: requester ?? null,
    derived_from: derived_from ?? null,
    assistant: assistantOf(document),
  });
}

type Later = Exclude<MissionEvent, { type: 'mission.submitted' | 'mission.approved' | 'reference.mission' }>;
const no_lease = { leased_at: null, lease_expires_at: null } as const;

function change(mission: Mission, { type, document }: Later, at: EventContext): Partial<Mission> {
  switch (type) {
    case 'mission.execution_requested':
      return { execution_request: { ...document, sequence: at.sequence } };
    case 'mission.leased': {
      const { state, attempt, lease_expires_at, config_hash, engine, parent, parent_digest } = document;
      return {
        state,
        attempt,
        lease_expires_at,
        config_hash,
        engine,
        parent,
        parent_digest,
        leased_at: at.time,
        execution_request: null,
        stages: [],
        error: null,
      };
    }
    case 'mission.staged':
      return { stages: [...mission.stages, { role: document.role, detail: document.detail, at: at.time }] };
    case 'mission.produced': {
      const { state, result_hash, effort, verification, policy = null } = document;
      return { state, result_hash, effort, verification, policy, result_seq: at.sequence, ...no_lease };
    }
    case 'mission.failed':
    case 'mission.cancelled':
      return { state: document.state, error: document.error, execution_request: null, ...no_lease };
    case 'mission.recovered':
      return {
        state: document.state,
        attempt: document.attempt,
        recovered_from: document.recovered_from,
        // What the last attempt recorded stays in its entries; the mission is now that of the next one.
        config_hash: null,
        engine: null,
        parent: null,
        parent_digest: null,
        stages: [],
        error: null,
        policy: null,
        approvals: [],
        approved_seq: 0,
        ...no_lease,
      };
    case 'mission.completed': {
      const { state, review, source_result_hash = null, approvals } = document;
      const { required, approver_is_not_requester } = approvals ?? no_policy;
      // What the approvals were counted by.
      const policy = approvals === undefined ? null : { required, approver_is_not_requester };
      return { state, review, policy, result_hash: review.result_hash, source_result_hash };
    }
    case 'mission.rejected':
      return { state: document.state, review: document.review };
    case 'mission.erased':
      return { erased: true };
  }
}

// A mission of the reference agent (schema 1): each of its entries holds the whole state.

/** The engine recorded for results in entries of schema 1. The agent's releases share one runtime, and entries do not name the release. */
export const referenceEngine: EngineId = { name: 'reference', version: 'schema-1' };

const states: readonly MissionState[] = ['queued', 'running', 'review', 'completed', 'rejected', 'failed'];
const message_chars_max = 2_000;
const checks_max = 100;

type Members = Readonly<Record<string, unknown>>;
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value.toWellFormed() : null);
const hashOf = (value: unknown): string | null => (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) ? value : null);
const countOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

function fromReference(document: Documents['reference.mission'], before: Mission | null, at: EventContext): Mission | null {
  const { snapshot } = document;
  const request = membersOf(snapshot['request']);
  const kind = kindOf(membersOf(request['work'])['kind']);
  const state = states.find((name) => name === snapshot['state']);
  if (kind === null || state === undefined) return before;
  const review = membersOf(snapshot['review']);
  const hash = hashOf(review['result_hash']) ?? hashOf(membersOf(snapshot['verification'])['result_hash']);
  const decided = state === 'completed' || state === 'rejected';
  return {
    ...begin(at, {
      kind,
      goal: textOf(request['goal']) ?? '',
      request_hash: textOf(snapshot['request_hash']) ?? '',
      ids_hash: idsOf(kind, membersOf(request['work'])),
      blobs: [],
    }),
    state,
    request_seq: before?.request_seq ?? at.sequence,
    attempt: attemptOf(snapshot, before),
    config_hash: hashOf(snapshot['execution_config_hash']),
    lease_expires_at: state === 'running' ? timeOfNanoseconds(document.lease_expires_ns) : null,
    leased_at: state === 'running' ? at.time : null,
    recovered_from: textOf(snapshot['recovered_from']),
    stages: stagesOf(snapshot, before, at),
    ...resultOf(snapshot, hash, at),
    error: state === 'failed' ? errorOf(snapshot) : null,
    review: decided && hash !== null ? reviewOf(review, hash, at) : null,
    created_at: before?.created_at ?? at.time,
  };
}

/**
 * The reference agent's kinds, each with the member of its work whose ids find an earlier solution to start from. The agent has no new
 * releases, so kinds that are added here later do not belong in this table.
 */
const seededBy = {
  research: null,
  allocation: 'items',
  schedule: 'jobs',
  forecast: null,
  code: null,
} as const satisfies { readonly [K in Kind]?: string | null };
type ReferenceKind = keyof typeof seededBy;

const isReferenceKind = (value: unknown): value is ReferenceKind => typeof value === 'string' && Object.hasOwn(seededBy, value);
const kindOf = (value: unknown): ReferenceKind | null => (isReferenceKind(value) ? value : null);

function idsOf(kind: ReferenceKind, work: Members): string | null {
  const member = seededBy[kind];
  const entries = member === null ? null : work[member];
  if (!Array.isArray(entries)) return null;
  const ids = entries.map((entry: unknown) => textOf(membersOf(entry)['id']) ?? '');
  return ids.every((id) => idPattern.test(id)) ? idsHashOf(kind, ids) : null;
}

/** Returns the attempt, which the reference agent does not record: each return to the queue begins another attempt. */
const attemptOf = (snapshot: Members, before: Mission | null): number =>
  before === null ? 1 : before.attempt + (snapshot['state'] === 'queued' && before.state !== 'queued' ? 1 : 0);

/** Returns the stages, to which the reference agent gives no times: each gets the time of the first entry that holds it. */
function stagesOf(snapshot: Members, before: Mission | null, at: EventContext): Mission['stages'] {
  const listed = Array.isArray(snapshot['stages']) ? snapshot['stages'] : [];
  const known = listed.flatMap((stage: unknown) => {
    const { role, detail } = membersOf(stage);
    const known_role = roles.find((name) => name === role);
    return known_role === undefined || !isObject(detail) ? [] : [{ role: known_role, detail: { ...detail } }];
  });
  return known.slice(0, roles.length).map((stage, i) => {
    const earlier = before?.stages[i];
    return { ...stage, at: earlier?.role === stage.role ? earlier.at : at.time };
  });
}

type ResultMembers = Pick<Mission, 'result_seq' | 'result_hash' | 'engine' | 'effort' | 'verification'>;

/** Returns a result with its engine and effort: the effort that the planning stage allowed and the evaluations that the result reports. */
function resultOf(snapshot: Members, result_hash: string | null, at: EventContext): ResultMembers {
  const { result } = snapshot;
  if (result === undefined || result === null)
    return { result_seq: 0, result_hash, engine: null, effort: null, verification: null };
  const planning = Array.isArray(snapshot['stages']) ? membersOf(snapshot['stages'][0]) : {};
  const max_evaluations = countOf(membersOf(planning['detail'])['evaluation_limit']);
  const iterations = countOf(membersOf(result)['evaluations']);
  const { passed, checks } = membersOf(snapshot['verification']);
  const texts = Array.isArray(checks) ? checks.map(textOf).filter((check) => check !== null) : [];
  return {
    result_seq: at.sequence,
    result_hash,
    engine: referenceEngine,
    effort: max_evaluations === null || max_evaluations === 0 ? null : { max_evaluations, iterations },
    verification:
      typeof passed === 'boolean' ? { passed, checks: texts.slice(0, checks_max), failure: passed ? null : 'failed' } : null,
  };
}

/** Returns the error of a mission that failed in the reference agent. Its code is a separate one, because the same input may succeed here. */
const errorOf = (snapshot: Members): Mission['error'] => ({
  code: 'reference_failed',
  message: (textOf(snapshot['message']) ?? 'failed').slice(0, message_chars_max).toWellFormed(),
  stage: roles[countOf(snapshot['failure_stage']) ?? -1] ?? null,
});

const reviewOf = (review: Members, result_hash: string, at: EventContext): Mission['review'] => ({
  actor: (textOf(review['actor']) ?? '').slice(0, actor_chars_max).toWellFormed() || 'operator',
  approved: review['approved'] === true,
  at: at.time,
  note: textOf(review['note']) ?? '',
  result_hash,
});

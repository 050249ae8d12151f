/** A mission of the reference agent (schema 1): each of its entries holds the whole state. */
import { actor_chars_max } from '../base/limits.js';
import { timeOfNanoseconds } from '../base/time.js';
import { roles } from '../codec/roles.js';
import type { Documents } from '../codec/event.js';
import type { EngineId } from '../codec/events/mission.js';
import { idPattern } from '../codec/scalars.js';
import type { Kind } from '../codec/kinds.js';
import type { Mission, MissionState } from '../codec/record.js';
import { begin, idsHashOf } from './mission.js';
import type { EventContext } from './stream.js';

/** The engine recorded for results in entries of schema 1. The agent's releases share one runtime, and entries do not name the release. */
export const referenceEngine: EngineId = { name: 'reference', version: 'schema-1' };

const states: readonly MissionState[] = ['queued', 'running', 'review', 'completed', 'rejected', 'failed'];
const message_chars_max = 2_000;
const checks_max = 100;

type Members = Readonly<Record<string, unknown>>;
const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);
const membersOf = (value: unknown): Members => (isMembers(value) ? value : {});
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value.toWellFormed() : null);
const hashOf = (value: unknown): string | null => (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) ? value : null);
const countOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

export function fromReference(
  document: Documents['reference.mission'],
  before: Mission | null,
  at: EventContext,
): Mission | null {
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
    return known_role === undefined || !isMembers(detail) ? [] : [{ role: known_role, detail: { ...detail } }];
  });
  return known.slice(0, roles.length).map((stage, i) => {
    const earlier = before?.stages[i];
    return { ...stage, at: earlier?.role === stage.role ? earlier.at : at.time };
  });
}

type Made = Pick<Mission, 'result_seq' | 'result_hash' | 'engine' | 'effort' | 'verification'>;

/** Returns a result with its engine and effort: the effort that the planning stage allowed and the evaluations that the result reports. */
function resultOf(snapshot: Members, result_hash: string | null, at: EventContext): Made {
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

const errorOf = (snapshot: Members): Mission['error'] => ({
  code: 'execution_failed',
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

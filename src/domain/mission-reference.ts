/** A mission of the reference agent (schema 1): each of its entries holds the whole state. */
import { timeOfNanoseconds } from '../base/time.js';
import type { Documents } from '../codec/event.js';
import { kinds, type Kind } from '../codec/mission.js';
import type { Mission, MissionState } from '../codec/record.js';
import { begin, type EventContext } from './mission.js';

const states: readonly MissionState[] = ['queued', 'running', 'review', 'completed', 'rejected', 'failed'];

type Members = Readonly<Record<string, unknown>>;
const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

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
  const hash = textOf(review['result_hash']) ?? textOf(membersOf(snapshot['verification'])['result_hash']);
  const decided = state === 'completed' || state === 'rejected';
  return {
    ...begin(at, {
      kind,
      goal: textOf(request['goal']) ?? '',
      request_hash: textOf(snapshot['request_hash']) ?? '',
      ids_hash: null,
      blobs: [],
    }),
    state,
    request_seq: before?.request_seq ?? at.sequence,
    result_seq: snapshot['result'] === undefined || snapshot['result'] === null ? 0 : at.sequence,
    result_hash: hash,
    config_hash: textOf(snapshot['execution_config_hash']),
    lease_expires_at: state === 'running' ? timeOfNanoseconds(document.lease_expires_ns) : null,
    leased_at: state === 'running' ? at.time : null,
    recovered_from: textOf(snapshot['recovered_from']),
    error:
      state === 'failed' ? { code: 'execution_failed', message: textOf(snapshot['message']) ?? 'failed', stage: null } : null,
    review: decided && hash !== null ? reviewOf(review, hash, at) : null,
    created_at: before?.created_at ?? at.time,
  };
}

const kindOf = (value: unknown): Kind | null => kinds.find((kind) => kind === value) ?? null;

const reviewOf = (review: Members, result_hash: string, at: EventContext): Mission['review'] => ({
  actor: textOf(review['actor']) ?? 'operator',
  approved: review['approved'] === true,
  at: at.time,
  note: textOf(review['note']) ?? '',
  result_hash,
});

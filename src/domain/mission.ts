/**
 * The lifecycle of a mission: queued → running → review → completed | rejected, or failed, from which it is recovered to queued.
 * Its revision is the sequence of its newest event; times are fixed-width RFC 3339 texts, so that text order is time order.
 */
import { canonicalJson } from '../base/canonical-json.js';
import { sha256Hex } from '../base/hash.js';
import { failsAgain } from '../codec/events/mission.js';
import type { Kind } from '../codec/kinds.js';
import type { Mission } from '../codec/record.js';
import type { EventContext, EventIn } from './stream.js';

export type MissionSelector = 'mission.' | 'reference.mission';
export type MissionEvent = EventIn<MissionSelector>;

/** Returns SHA-256 over the kind and the sorted ids: a mission with the same hash may seed the search of another. */
export const idsHashOf = (kind: Kind, ids: readonly string[]): string => sha256Hex(canonicalJson([kind, ids.toSorted()]));

/** Returns the command that helps after a failure. Where the same input must fail again, it is changed and run again. */
export const helpAfter = ({ id, error }: Pick<Mission, 'id' | 'error'>): string =>
  failsAgain(error) ? `agent-cli run --from ${id}` : `agent-cli recover ${id}`;

/** The members of a mission that its first event sets. */
export type Beginning = Pick<Mission, 'kind' | 'goal' | 'request_hash' | 'ids_hash' | 'blobs'> &
  Partial<Pick<Mission, 'requester' | 'derived_from' | 'assistant'>>;

/** Returns a mission after its first event. */
export const begin = (
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

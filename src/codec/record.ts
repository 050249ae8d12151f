/** A mission as the projection keeps it: its state after all its events, without the request and the result themselves. */
import * as t from 'io-ts';
import { approvalPolicy, approvalSummary } from './approvals.js';
import { effort, engineId, missionError, review, verification } from './events/mission.js';
import { causedBy, count, hash, sequence, time, uuid } from './scalars.js';
import { kind } from './kinds.js';
import { roles } from './roles.js';
import { choice, flag, list, mapOf, nullable, object, required, text, withDefault } from './kit.js';

export const missionStates = ['queued', 'running', 'review', 'completed', 'rejected', 'failed'] as const;
export const missionState = choice(...missionStates);

/** Returns what follows "the mission is". */
export const stateWords = (state: MissionState): string => (state === 'review' ? 'in review' : state);

/** What a list of missions can be ordered by: the last change, the goal, the kind, or the state in the order of a mission's life. */
export const missionSorts = ['changed', 'goal', 'kind', 'state'] as const;
export type MissionSort = (typeof missionSorts)[number];
export const sortOrders = ['asc', 'desc'] as const;
export type SortOrder = (typeof sortOrders)[number];

const stage = object('Stage', { role: required(choice(...roles)), detail: required(mapOf(t.unknown)), at: required(time) });

/** Who asked for the execution of a queued mission, and the sequence of the event, which is its order in the queue. */
const executionRequest = object('ExecutionRequest', { ...causedBy, sequence: required(sequence) });

/**
 * Members that have not changed since a mission's beginning (null, 0, false, empty) are left out of the stored text and come back
 * with decoding.
 */
export const missionCodec = object('MissionState', {
  id: required(uuid),
  kind: required(kind),
  goal: required(text()),
  state: required(missionState),
  /** Sequence of the mission's newest event. */
  revision: required(count),
  request_hash: required(text()),
  /** Sequences of the entries that hold the request and the newest result; 0 for none. */
  request_seq: required(count),
  result_seq: withDefault(count, 0),
  result_hash: withDefault(nullable(hash), null),
  /** The hash over the reference agent's own text, for a result that it made and that was approved here. */
  source_result_hash: withDefault(nullable(hash), null),
  /** SHA-256 of the sorted ids; finds an earlier mission whose solution may seed the search. */
  ids_hash: withDefault(nullable(hash), null),
  /** Null while nobody has asked for an execution, and from its lease on. */
  execution_request: withDefault(nullable(executionRequest), null),
  /** The mission whose request was changed to make this one. */
  derived_from: withDefault(nullable(uuid), null),
  /** The current attempt or, while queued, the next one; counts from 1. */
  attempt: required(count),
  leased_at: withDefault(nullable(time), null),
  lease_expires_at: withDefault(nullable(time), null),
  config_hash: withDefault(nullable(hash), null),
  engine: withDefault(nullable(engineId), null),
  effort: withDefault(nullable(effort), null),
  parent: withDefault(nullable(uuid), null),
  parent_digest: withDefault(nullable(hash), null),
  stages: withDefault(list(stage, 0, 100), []),
  verification: withDefault(nullable(verification), null),
  error: withDefault(nullable(missionError), null),
  review: withDefault(nullable(review), null),
  recovered_from: withDefault(nullable(text()), null),
  /** The name of the assistant that submitted it; null where a person did. */
  assistant: withDefault(nullable(text()), null),
  /** The approver whose token submitted it. */
  requester: withDefault(nullable(text()), null),
  /** The policy under which its result was produced. */
  policy: withDefault(nullable(approvalPolicy), null),
  /** The signed approvals of its result, which leave the revision as it is. */
  approvals: withDefault(list(object('RecordedApproval', { ...approvalSummary.fields, sha256: required(hash) }), 0, 100), []),
  /** Sequence of the newest of them; 0 for none. */
  approved_seq: withDefault(count, 0),
  /** Blobs that hold parts of the request and the result and may be erased. */
  blobs: withDefault(list(hash, 0, 1_000), []),
  erased: withDefault(flag, false),
  created_at: required(time),
  updated_at: required(time),
});

export type Mission = t.TypeOf<typeof missionCodec>;
export type Stage = t.TypeOf<typeof stage>;
export type MissionState = t.TypeOf<typeof missionState>;

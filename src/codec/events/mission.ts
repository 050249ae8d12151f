/** Events of a mission's stream, from its request to the review. A request or a result that must be erasable is in a blob. */
import * as t from 'io-ts';
import { approval, approvalPolicy, completingApprovals } from '../approvals.js';
import { blobRef, erasedBlobs } from '../blobs.js';
import { declare } from '../event-type.js';
import { kind } from '../kinds.js';
import { choice, integer, list, mapOf, nullable, number, object, optional, required, text } from '../kit.js';
import { roles } from '../roles.js';
import { actor, causedBy, hash, id, time, uuid, via } from '../scalars.js';

/** Counts the executions of a mission. */
const attempt = integer(1, Number.MAX_SAFE_INTEGER);
const json = mapOf(t.unknown);

export const missionError = object('MissionError', {
  code: required(text({ min: 1, max: 64 })),
  message: required(text({ max: 2_000 })),
  stage: required(nullable(choice(...roles))),
});
/** Failures that the same input has again: its work takes too long, or its engine or its verifier refuses it. */
const lasting = new Set(['timeout', 'execution_failed']);

export const failsAgain = (error: t.TypeOf<typeof missionError> | null): boolean =>
  error !== null && lasting.has(error.code) && !error.message.includes('recover the mission');

export const engineId = object('EngineId', { name: required(text()), version: required(text()) });
export const effort = object('Effort', {
  max_evaluations: required(integer(1, Number.MAX_SAFE_INTEGER)),
  iterations: required(nullable(number(0, Number.MAX_SAFE_INTEGER))),
  /** The iterations after which the search ended because of time; whoever computes the result again ends it there. */
  iterations_limit: optional(integer(0, Number.MAX_SAFE_INTEGER)),
});
export const verification = object('Verification', {
  passed: required(choice(true, false)),
  checks: required(list(text(), 0, 100)),
  failure: required(nullable(text())),
});
export const review = object('Review', {
  ...causedBy,
  approved: required(choice(true, false)),
  at: required(time),
  note: required(text()),
  result_hash: required(hash),
  /** There where the program did not hold the version of the engine that made the result, and checked only its claims. */
  recomputed: optional(choice(null)),
});

export const missionEvents = [
  declare('mission.submitted', {
    kind: required(kind),
    goal: required(text()),
    request_hash: required(hash),
    request: optional(json),
    request_blob: optional(blobRef),
    ids_hash: optional(hash),
    /** The approver to whom the token is bound that submitted it. */
    requester: optional(id),
    /** The mission whose request was changed to make this one. */
    derived_from: optional(uuid),
    /** The actor is an assistant: it holds a token of the role agent. */
    assistant: optional(choice(true)),
    actor: optional(actor),
    via: optional(via),
  }),
  /** The mission is to be executed as soon as a place is free; until then it stays queued. */
  declare('mission.execution_requested', { ...causedBy }),
  declare('mission.leased', {
    state: required(choice('running')),
    attempt: required(attempt),
    lease_expires_at: required(time),
    config_hash: required(hash),
    engine: required(engineId),
    max_evaluations: required(integer(1, Number.MAX_SAFE_INTEGER)),
    parent: required(nullable(uuid)),
    parent_digest: required(nullable(hash)),
    ...causedBy,
  }),
  declare('mission.staged', {
    attempt: required(attempt),
    index: required(integer(0, roles.length - 1)),
    role: required(choice(...roles)),
    detail: required(json),
  }),
  declare('mission.produced', {
    state: required(choice('review')),
    attempt: required(attempt),
    result: optional(json),
    result_blob: optional(blobRef),
    result_hash: required(hash),
    solution: required(t.unknown),
    warm_start: required(t.unknown),
    effort: required(effort),
    verification: required(verification),
    /** The policy of the configuration; absent while that demands nothing. */
    policy: optional(approvalPolicy),
  }),
  /** A person's key signed that the result is approved; together with others it completes the mission. */
  declare('mission.approved', { approval: required(approval), ...causedBy }),
  declare('mission.failed', {
    state: required(choice('failed')),
    attempt: required(attempt),
    error: required(missionError),
  }),
  declare('mission.cancelled', {
    state: required(choice('failed')),
    error: required(missionError),
    ...causedBy,
  }),
  declare('mission.recovered', {
    state: required(choice('queued')),
    attempt: required(attempt),
    recovered_from: required(hash),
    ...causedBy,
  }),
  declare('mission.completed', {
    state: required(choice('completed')),
    result: required(json),
    review: required(review),
    /** The hash of a result that the reference agent made, over its own text. */
    source_result_hash: optional(hash),
    kind: optional(kind),
    goal: optional(text()),
    request_hash: optional(hash),
    engine: optional(engineId),
    effort: optional(effort),
    warm_start: optional(t.unknown),
    parent: optional(nullable(uuid)),
    parent_digest: optional(nullable(hash)),
    /** The name of the assistant that submitted the mission; absent where a person did. */
    assistant: optional(text()),
    /** Absent where the home recorded the decision for a name, which no key of a person signed. */
    approvals: optional(completingApprovals),
  }),
  declare('mission.rejected', { state: required(choice('rejected')), review: required(review) }),
  declare('mission.erased', {
    blobs: required(erasedBlobs(1, 10)),
    ...causedBy,
    reason: required(text({ min: 1, max: 2_000 })),
  }),
] as const;

export type MissionError = t.TypeOf<typeof missionError>;
export type Review = t.TypeOf<typeof review>;
export type EngineId = t.TypeOf<typeof engineId>;

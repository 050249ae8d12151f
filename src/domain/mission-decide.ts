/** Deciders of mission commands: each returns events or a refusal. */
import * as E from 'fp-ts/lib/Either.js';
import { ok, type Refusal, refuse, type Result } from '../base/refusal.js';
import type { ReviewBody } from '../codec/api-missions.js';
import type { Documents } from '../codec/event.js';
import type { MissionError, Review } from '../codec/events/mission.js';
import { type Mission, stateWords } from '../codec/record.js';
import type { Control } from './control.js';
import {
  approvalsRequired,
  personRefusal,
  type Signing,
  signingRefusal,
  type SigningFacts,
  unsignedRefusal,
} from './mission-approve.js';
import { hintAfter, type MissionEvent } from './mission.js';

/** The facts that every command after the first needs besides the mission itself. */
export interface Circumstances {
  readonly control: Control;
  /** RFC 3339 with microseconds. */
  readonly now: string;
  readonly actor: string;
  /** Whether a process works on the mission; `unknown` when absent. */
  readonly owner?: Owner;
}

/** Whether a process works on a running mission, by its attempt's lock. `unknown` without a lock file: then the lease decides. */
export type Owner = 'alive' | 'gone' | 'unknown';

/** The `config_hash` is that of the configuration that the executing process has loaded. */
export interface Lease extends Omit<Documents['mission.leased'], 'state' | 'attempt' | 'actor'> {
  /** Ids of the other missions that are executing, and the largest number of them. */
  readonly executing: readonly string[];
  readonly executing_max: number;
}

export interface Decision extends ReviewBody {
  /**
   * The hash of the result's RFC 8785 form, when the mission's own hash covers the reference agent's text. Either hash identifies the
   * result; an approval records this one.
   */
  readonly canonical_hash?: string | null;
  /** Why the result fails re-verification now, or null when it passes. */
  readonly failure: string | null;
  /** Null where the result was not computed again as others of its kind are, since this program does not hold the version of its engine. */
  readonly recomputed?: null;
  /** A person's signature; null where the home is to sign for the actor. */
  readonly signing: Signing | null;
  /** What the signature and its absence are judged by; null for a rejection. */
  readonly signingFacts: SigningFacts | null;
  /** The members that an approval repeats, so that its entry alone is an export. */
  readonly completed: Omit<Documents['mission.completed'], 'state' | 'review'>;
}

type Events = Result<readonly MissionEvent[]>;

export const isLeaseLive = (mission: Mission, now: string): boolean =>
  mission.state === 'running' &&
  mission.lease_expires_at !== null &&
  now <= mission.lease_expires_at &&
  (mission.leased_at === null || now >= mission.leased_at);

/** Returns whether a running mission is being executed. */
export const isLive = (mission: Mission, now: string, owner: Owner = 'unknown'): boolean =>
  mission.state === 'running' && (owner === 'unknown' ? isLeaseLive(mission, now) : owner === 'alive');

/** Returns whether a live attempt has outlived its lease, by the clock. Only `cancel` ends it. */
export const isLate = (mission: Mission, now: string): boolean =>
  mission.state === 'running' && mission.lease_expires_at !== null && now > mission.lease_expires_at;

export function decideSubmit(mission: Mission | null, document: Documents['mission.submitted']): Events {
  if (mission === null) return ok([{ type: 'mission.submitted', document }]);
  if (mission.request_hash === document.request_hash) return E.right([]);
  return refuse({
    code: 'request_id_reused',
    detail: `request id ${mission.id} was used with other input`,
    facts: { id: mission.id },
  });
}

/** Decides to put a mission into the queue of executions. One that is there, or is executing, stays as it is. */
export function decideExecutionRequest(mission: Mission, { control, now, actor, owner }: Circumstances): Events {
  if (control.state === 'paused') return refuse(pausedRefusal);
  if (isLive(mission, now, owner)) return ok([]);
  if (mission.state !== 'queued') return refuse(wrongState(mission, 'queued missions', 'executed'));
  return ok(mission.execution_request === null ? [{ type: 'mission.execution_requested', document: { actor } }] : []);
}

export function decideLease(mission: Mission, lease: Lease, { control, now, actor, owner }: Circumstances): Events {
  if (control.state === 'paused') return refuse(pausedRefusal);
  if (isLive(mission, now, owner)) return refuse(leaseActive(mission, now));
  if (mission.state !== 'queued') return refuse(wrongState(mission, 'queued missions', 'executed'));
  if (control.config_hash !== lease.config_hash) {
    return refuse({ code: 'conflict', detail: 'the configuration changed since this process read it; repeat the command' });
  }
  const { executing, executing_max, ...leased } = lease;
  if (executing.length >= executing_max) {
    const detail = `${executing.length} of at most ${executing_max} missions are executing (${executing.join(', ')})`;
    return refuse({ code: 'in_use', detail, facts: { executing } });
  }
  const document = { state: 'running', attempt: mission.attempt, ...leased, actor } as const;
  return ok([{ type: 'mission.leased', document }]);
}

/** Checks that a worker's attempt holds the lease: otherwise the worker may not record anything for the mission. */
function staleWorker(mission: Mission, attempt: number): Refusal | null {
  if (mission.state === 'running' && mission.attempt === attempt) return null;
  const why = mission.error === null ? '' : ` (${mission.error.message})`;
  return {
    code: 'wrong_state',
    detail: `the outcome of attempt ${attempt} was dropped: mission ${mission.id} is ${mission.state}${why}, attempt ${mission.attempt}`,
    facts: { state: mission.state, attempt: mission.attempt, revision: mission.revision },
  };
}

export function decideStage(mission: Mission, document: Documents['mission.staged']): Events {
  const stale = staleWorker(mission, document.attempt);
  return stale === null ? ok([{ type: 'mission.staged', document }]) : refuse(stale);
}

/** Returns why running work must stop and not count, or null; checked at each checkpoint and when the outcome is recorded. */
export function interruption(mission: Mission, attempt: number, { control, now }: Circumstances): MissionError | null {
  const stage = mission.stages.at(-1)?.role ?? null;
  if (control.state === 'paused') return { code: 'paused', message: 'the agent was paused during the work', stage };
  if (control.config_hash !== mission.config_hash) {
    return { code: 'configuration_changed', message: 'the configuration changed during the work', stage };
  }
  if (mission.attempt === attempt && !isLeaseLive(mission, now)) {
    return { code: 'lease_expired', message: 'the lease expired before the work ended', stage };
  }
  return null;
}

export function decideProduced(mission: Mission, document: Documents['mission.produced'], circumstances: Circumstances): Events {
  const stale = staleWorker(mission, document.attempt);
  if (stale !== null) return refuse(stale);
  const error = interruption(mission, document.attempt, circumstances);
  if (error !== null) return ok([{ type: 'mission.failed', document: { state: 'failed', attempt: document.attempt, error } }]);
  return ok([{ type: 'mission.produced', document }]);
}

export function decideFailed(mission: Mission, attempt: number, error: MissionError): Events {
  const stale = staleWorker(mission, attempt);
  return stale === null ? ok([{ type: 'mission.failed', document: { state: 'failed', attempt, error } }]) : refuse(stale);
}

/** Decides to fail a running mission whose process has ended. */
export function decideInterrupted(mission: Mission): Events {
  const stage = mission.stages.at(-1)?.role ?? null;
  const message = 'the process that executed it ended before its outcome was recorded';
  return decideFailed(mission, mission.attempt, { code: 'interrupted', message, stage });
}

/** @param newestHash hash of the mission's newest entry, recorded as what the new attempt recovers from */
export function decideRecover(mission: Mission, newestHash: string, { control, now, actor, owner }: Circumstances): Events {
  if (control.state === 'paused') return refuse(pausedRefusal);
  if (isLive(mission, now, owner)) return refuse(leaseActive(mission, now));
  if (mission.state !== 'failed' && mission.state !== 'running')
    return refuse(wrongState(mission, 'failed missions', 'recovered'));
  if (mission.erased) return refuse({ code: 'wrong_state', detail: `the input of mission ${mission.id} was erased` });
  const document = { state: 'queued', attempt: mission.attempt + 1, recovered_from: newestHash, actor } as const;
  return ok([{ type: 'mission.recovered', document }]);
}

/** A pause ends running missions by itself; a queued one can be cancelled during it, and then does not start after it. */
export function decideCancel(mission: Mission, { control, actor }: Circumstances): Events {
  if (control.state === 'paused' && mission.state !== 'queued') return refuse(pausedRefusal);
  if (mission.state !== 'queued' && mission.state !== 'running')
    return refuse(wrongState(mission, 'queued or running missions', 'cancelled'));
  const error = { code: 'cancelled', message: `cancelled by ${actor}`, stage: mission.stages.at(-1)?.role ?? null };
  return ok([{ type: 'mission.cancelled', document: { state: 'failed', error, actor } }]);
}

/** Returns why a mission cannot be decided now whatever the decision is, or null. */
export function reviewRefusal(mission: Mission, control: Circumstances['control']): Refusal | null {
  if (control.state === 'paused') return pausedRefusal;
  return mission.state === 'review' ? null : wrongState(mission, 'missions in review', 'reviewed');
}

export function decideReview(mission: Mission, decision: Decision, { control, now, actor }: Circumstances): Events {
  if (control.state === 'paused') return refuse(pausedRefusal);
  if (mission.revision !== decision.revision) return refuse(staleRevision(mission, decision.revision));
  const refusal = reviewRefusal(mission, control);
  if (refusal !== null) return refuse(refusal);
  const { approve: approved, note, canonical_hash = null } = decision;
  const hashes = [...new Set([mission.result_hash, canonical_hash])].filter((known) => known !== null);
  if (!hashes.includes(decision.result_hash)) {
    const detail = `the result hash of revision ${mission.revision} is ${hashes.join(' or ') || 'none'}`;
    return refuse({ code: 'hash_mismatch', detail, facts: { result_hash: mission.result_hash } });
  }
  const result_hash = (approved ? canonical_hash : mission.result_hash) ?? decision.result_hash;
  const review: Review = { actor, approved, at: now, note, result_hash };
  if (!approved) return ok([{ type: 'mission.rejected', document: { state: 'rejected', review } }]);
  if (decision.failure !== null) {
    return refuse({
      code: 'verification_failed',
      detail: `the result fails re-verification (${decision.failure}); it can only be rejected`,
    });
  }
  const reviewed = decision.recomputed === null ? { ...review, recomputed: null } : review;
  const completed = { state: 'completed', review: reviewed, ...decision.completed } as const;
  return decideApproval(mission, decision, completed);
}

/** Completes the mission once as many people have signed as the policy calls for; each signature is an event of its own. */
function decideApproval(mission: Mission, decision: Decision, completed: Documents['mission.completed']): Events {
  const { signing, signingFacts: facts } = decision;
  const required = facts === null ? 0 : approvalsRequired(mission, facts.policy);
  if (signing === null || facts === null) {
    const bound = facts?.bound ?? null;
    const refusal = bound === null || facts === null ? null : personRefusal(mission, bound, facts.policy);
    if (required > 0 || refusal !== null) return refuse(refusal ?? unsignedRefusal(mission, required));
    return ok([{ type: 'mission.completed', document: completed }]);
  }
  const { request_hash } = decision.completed;
  const { actor, result_hash } = completed.review;
  const refusal = signingRefusal(mission, signing, { ...facts, request_hash: request_hash ?? mission.request_hash, result_hash });
  if (refusal !== null) return refuse(refusal);
  const approved = { type: 'mission.approved', document: { approval: signing.approval, actor } } as const;
  const sha256 = [...mission.approvals.map((each) => each.sha256), signing.sha256];
  if (sha256.length < required) return ok([approved]);
  const { approver_is_not_requester } = facts.policy;
  const approvals = { required, approver_is_not_requester, requester: mission.requester, sha256 };
  const review = { ...completed.review, actor: signing.subject.approver };
  return ok([approved, { type: 'mission.completed', document: { ...completed, review, approvals } }]);
}

export function decideErase(mission: Mission, reason: string, { actor }: Circumstances): Events {
  if (mission.state === 'queued' || mission.state === 'running' || mission.state === 'review') {
    return refuse(wrongState(mission, 'completed, rejected or failed missions', 'erased'));
  }
  if (mission.blobs.length === 0) {
    const reason = mission.erased ? 'was erased already' : 'holds nothing apart from signed events, which cannot be erased';
    return refuse({ code: 'wrong_state', detail: `mission ${mission.id} ${reason}` });
  }
  return ok([{ type: 'mission.erased', document: { blobs: [...mission.blobs], actor, reason } }]);
}

export const pausedRefusal: Refusal = { code: 'paused', detail: 'the agent is paused', hint: 'agent-cli resume' };

function leaseActive(mission: Mission, now: string): Refusal {
  const { id, lease_expires_at } = mission;
  const [ends, hint] = isLate(mission, now) ? ['ended', { hint: `agent-cli cancel ${id}` }] : ['ends', {}];
  return {
    code: 'lease_active',
    detail: `mission ${id} is executing; its lease ${ends} at ${lease_expires_at ?? 'an unknown time'}`,
    facts: { lease_expires_at },
    ...hint,
  };
}

const wrongState = (mission: Mission, needed: string, what: string): Refusal => ({
  code: 'wrong_state',
  detail: `mission ${mission.id} is ${stateWords(mission.state)}; only ${needed} can be ${what}`,
  facts: { state: mission.state, revision: mission.revision },
  ...hintAfter(mission),
});

/** Says who decided meanwhile, so that whoever repeats a review whose answer was lost knows whether it is recorded. */
export function staleRevision({ id, revision, state, review, result_hash, updated_at }: Mission, given: number): Refusal {
  const by = review === null ? '' : ` by ${review.actor}`;
  return {
    code: 'stale_revision',
    detail: `revision ${given} is stale: mission ${id} is now at revision ${revision}, ${stateWords(state)}${by}, changed at ${updated_at}`,
    facts: { revision, state, result_hash, updated_at, ...(review === null ? {} : { review }) },
    hint: `agent-cli show ${id}`,
  };
}

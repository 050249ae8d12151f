/** The state of a mission after each of its events. */
import { canonicalJson } from '../base/canonical-json.js';
import { sha256Hex } from '../base/hash.js';
import { no_policy } from '../codec/approvals.js';
import { assistantOf } from '../codec/acted.js';
import { blobUsesOf, type Documents } from '../codec/event.js';
import type { Mission } from '../codec/record.js';
import { begin, type MissionEvent, type MissionSelector } from './mission.js';
import { fromReference } from './mission-reference.js';
import { streams, type EventContext } from './stream.js';

/** The streams of missions. A mission's stream is named only by its id; every other stream's name begins with an @. */
export const missionStream = streams<Mission, MissionSelector>('', {
  noun: 'mission',
  events: ['mission.', 'reference.mission'],
  isId: (id) => !id.startsWith('@'),
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
  const one = { approver, title, fingerprint, kind, at: at.time, sha256: sha256Hex(canonicalJson(approval)) };
  return { ...mission, approvals: [...mission.approvals, one], approved_seq: at.sequence, updated_at: at.time };
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

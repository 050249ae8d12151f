/** The state of a mission after each of its events. */
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
  return withBlobs({ ...mission, ...change(mission, event, at), revision: at.sequence, updated_at: at.time }, event);
}

function withBlobs(mission: Mission, event: MissionEvent): Mission {
  const { refers, erases } = blobUsesOf(event);
  if (refers.length === 0 && erases.length === 0) return mission;
  return { ...mission, blobs: [...mission.blobs, ...refers].filter((hash) => !erases.includes(hash)) };
}

function submitted(document: Documents['mission.submitted'], at: EventContext): Mission {
  const { kind, goal, request_hash, ids_hash } = document;
  return begin(at, {
    kind,
    goal,
    request_hash,
    ids_hash: ids_hash ?? null,
    blobs: [],
  });
}

type Later = Exclude<MissionEvent, { type: 'mission.submitted' | 'reference.mission' }>;
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
      const { state, result_hash, effort, verification } = document;
      return { state, result_hash, effort, verification, result_seq: at.sequence, ...no_lease };
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
        ...no_lease,
      };
    case 'mission.completed': {
      const { state, review, source_result_hash = null } = document;
      return { state, review, result_hash: review.result_hash, source_result_hash };
    }
    case 'mission.rejected':
      return { state: document.state, review: document.review };
    case 'mission.erased':
      return { erased: true };
  }
}

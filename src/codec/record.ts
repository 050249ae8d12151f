/** A mission as the projection keeps it: what its events add up to, without the request and the result themselves. */
import * as t from 'io-ts';
import { effort, engineId, hash, kind, missionError, review, roles, time, uuid, verification } from './event.js';
import { choice, flag, integer, list, mapOf, nullable, object, required, text } from './kit.js';

const count = integer(0, Number.MAX_SAFE_INTEGER);

export const missionStates = ['queued', 'running', 'review', 'completed', 'rejected', 'failed'] as const;
export const missionState = choice(...missionStates);

const stage = object('Stage', { role: required(choice(...roles)), detail: required(mapOf(t.unknown)), at: required(time) });

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
  result_seq: required(count),
  result_hash: required(nullable(hash)),
  /** SHA-256 of the sorted ids, by which an earlier mission is found that may seed the search. */
  ids_hash: required(nullable(hash)),
  /** The attempt begun or, while queued, to begin; counts from 1. */
  attempt: required(count),
  leased_at: required(nullable(time)),
  lease_expires_at: required(nullable(time)),
  config_hash: required(nullable(hash)),
  engine: required(nullable(engineId)),
  effort: required(nullable(effort)),
  parent: required(nullable(uuid)),
  parent_digest: required(nullable(hash)),
  stages: required(list(stage, 0, 100)),
  verification: required(nullable(verification)),
  error: required(nullable(missionError)),
  review: required(nullable(review)),
  recovered_from: required(nullable(text())),
  /** Blobs that hold parts of the request and the result and may be erased. */
  blobs: required(list(hash, 0, 1_000)),
  erased: required(flag),
  created_at: required(time),
  updated_at: required(time),
});

export type Mission = t.TypeOf<typeof missionCodec>;
export type MissionState = t.TypeOf<typeof missionState>;

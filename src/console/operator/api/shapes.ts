/** The shapes of the agent's answers, as far as the console reads them; further members are left alone. */
import * as t from 'io-ts';
import { kinds } from '../../../codec/kinds.js';
import { missionStates } from './mission-state.js';
import { toolStatuses } from '../../../codec/tool-manifest.js';
import { choice } from '../../../codec/kit.js';

const orNull = <A>(codec: t.Type<A, unknown>): t.Type<A | null, unknown> => t.union([codec, t.null]);
const unknowns = t.record(t.string, t.unknown);

export const kindShape = choice(...kinds);
export const stateShape = choice(...missionStates);
export const roles = ['viewer', 'reviewer', 'admin'] as const;

export const capabilityShape = t.type({ kind: t.string, available: t.boolean, detail: t.string });

export const statusShape = t.type({
  version: t.string,
  name: t.string,
  identity: t.string,
  public_key: t.string,
  journal: t.type({ valid: orNull(t.boolean), events: t.number, head: t.string, root: t.string, verified_at: orNull(t.string) }),
  control: choice('ready', 'paused'),
  capabilities: t.array(capabilityShape),
  counts: t.record(t.string, t.number),
  actor: t.type({ name: t.string, role: choice(...roles) }),
  executing: t.array(t.string),
  executing_max: t.number,
});

export const missionItem = t.type({
  id: t.string,
  kind: kindShape,
  goal: t.string,
  state: stateShape,
  revision: t.number,
  updated_at: t.string,
});
export const missionList = t.type({ items: t.array(missionItem), next_cursor: orNull(t.string) });

export const stageShape = t.type({ role: t.string, detail: unknowns, at: t.string });
const errorShape = t.type({ code: t.string, message: t.string, stage: orNull(t.string) });
const reviewShape = t.type({ approved: t.boolean, note: t.string, result_hash: t.string, actor: t.string, at: t.string });

export const recordShape = t.type({
  id: t.string,
  kind: kindShape,
  goal: t.string,
  state: stateShape,
  revision: t.number,
  request: t.unknown,
  request_hash: t.string,
  result: t.unknown,
  result_hash: orNull(t.string),
  verification: orNull(t.type({ passed: t.boolean, checks: t.array(t.string), failure: orNull(t.string) })),
  engine: orNull(t.type({ name: t.string, version: t.string })),
  stages: t.array(stageShape),
  attempt: t.number,
  lease_expires_at: orNull(t.string),
  parent: orNull(t.string),
  error: orNull(errorShape),
  review: orNull(reviewShape),
  erased: t.boolean,
  created_at: t.string,
  updated_at: t.string,
});

export const missionEntries = t.type({
  items: t.array(t.type({ sequence: t.number, time: t.string, type: t.string, hash: t.string, proof: orNull(t.string) })),
});

export const journalPage = t.type({
  items: t.array(t.type({ sequence: t.number, time: t.string, stream: t.string, type: t.string, hash: t.string })),
  next_before: orNull(t.number),
});
export const checkpointShape = t.type({ origin: t.string, size: t.number, root: t.string, note: t.string, vkey: t.string });
export const proofShape = t.type({ sequence: t.number, hash: t.string, signature: t.string, proof: t.string });

const checkShape = t.type({
  name: t.string,
  status: choice('ok', 'warn', 'fail'),
  detail: t.string,
  fix: orNull(t.string),
});
export const doctorShape = t.type({
  version: t.string,
  identity: t.string,
  events: t.number,
  head: t.string,
  control: t.string,
  capabilities: t.array(capabilityShape),
  checks: t.array(checkShape),
});

export const toolShape = t.type({
  id: t.string,
  status: choice(...toolStatuses),
  own: t.boolean,
  gate: orNull(t.string),
  note: orNull(t.string),
  updated_at: orNull(t.string),
  manifest: unknowns,
});
export const toolList = t.type({ items: t.array(toolShape) });

export const feedEntry = t.type({
  sequence: t.number,
  time: t.string,
  stream: t.string,
  type: t.string,
  mission: orNull(t.string),
});
export const feedProgress = t.type({ mission: t.string, attempt: t.number, stage: orNull(t.string), done: t.number });

export type Status = t.TypeOf<typeof statusShape>;
export type MissionItem = t.TypeOf<typeof missionItem>;
export type MissionList = t.TypeOf<typeof missionList>;
export type MissionRecord = t.TypeOf<typeof recordShape>;
export type Stage = t.TypeOf<typeof stageShape>;
export type JournalPage = t.TypeOf<typeof journalPage>;
export type Proof = t.TypeOf<typeof proofShape>;
export type Doctor = t.TypeOf<typeof doctorShape>;
export type Tool = t.TypeOf<typeof toolShape>;
export type FeedEntry = t.TypeOf<typeof feedEntry>;
export type FeedProgress = t.TypeOf<typeof feedProgress>;

/** Decider tests: given(events).when(command) decides events or is refused, with the events of a mission's life ready made. */
import assert from 'node:assert/strict';
import { isRefused, type Refusal, type RefusalCode, type Result } from '../../../src/base/refusal.js';
import { formatTime } from '../../../src/base/time.js';
import type { Mission } from '../../../src/codec/record.js';
import type { Control } from '../../../src/domain/control.js';
import type { Circumstances, Decision, Lease } from '../../../src/domain/mission-decide.js';
import { type MissionEvent, missionStream } from '../../../src/domain/mission.js';
import { config_hash, event, hex, result_hash } from '../codec/given-events.js';
import { membersOf } from '../lists.js';

export const id = '00000000-0000-4000-8000-000000000001';
const t0 = Date.parse('2026-11-20T05:00:00Z');

/** The time so many milliseconds after the first event. */
export const at = (ms: number): string => formatTime(t0 + ms);
/** The lease of the histories: taken with the second event, ending at 660 s. */
export const leased_ms = 1_000;
export const expiry_ms = 660_000;

const submitted = event('mission.submitted');
const { request: _, ...apart } = submitted.document;
const inBlob: MissionEvent = { type: 'mission.submitted', document: { ...apart, request_blob: hex('b') } };
const leased = event('mission.leased', { lease_expires_at: at(expiry_ms) });
const staged = event('mission.staged');
const produced = event('mission.produced');
const failed = event('mission.failed');

/** Events that lead to each state. Event number i happens i seconds after the first. */
export const histories = {
  queued: [submitted],
  requested: [submitted, event('mission.execution_requested')],
  running: [submitted, leased, staged],
  review: [submitted, leased, staged, produced],
  completed: [inBlob, leased, staged, produced, event('mission.completed')],
  rejected: [inBlob, leased, staged, produced, event('mission.rejected')],
  failed: [inBlob, leased, staged, failed],
  cancelled: [submitted, event('mission.cancelled')],
  recovered: [submitted, leased, failed, event('mission.recovered')],
  'running again': [
    submitted,
    leased,
    staged,
    failed,
    event('mission.recovered'),
    event('mission.leased', { attempt: 2, lease_expires_at: at(expiry_ms) }),
  ],
  erased: [inBlob, leased, staged, failed, event('mission.erased')],
} as const satisfies Readonly<Record<string, readonly MissionEvent[]>>;
export type HistoryName = keyof typeof histories;

export const missionAfter = (events: readonly MissionEvent[]): Mission | null =>
  events.reduce<Mission | null>(
    (mission, next, i) => missionStream.evolve(mission, next, { id, sequence: i + 1, time: at(i * 1_000) }),
    null,
  );

const ready: Control = { state: 'ready', config_hash, config_blob: hex('d') };

export interface Setting {
  readonly now_ms?: number;
  readonly control?: Partial<Control>;
}

/** Ready, under the histories' configuration, 10 s after the first event. */
export const circumstances = ({ now_ms = 10_000, control = {} }: Setting = {}): Circumstances => ({
  control: { ...ready, ...control },
  now: at(now_ms),
  actor: 'operator',
});

export const lease = (changes: Partial<Lease> = {}): Lease => ({
  lease_expires_at: at(900_000),
  engine: { name: 'forecast', version: '1.0.0' },
  max_evaluations: 20,
  parent: null,
  parent_digest: null,
  config_hash,
  executing: [],
  executing_max: 1,
  ...changes,
});

/** A decision on the mission as it is after `review`: revision 4. */
export const decision = (changes: Partial<Decision> = {}): Decision => ({
  approve: true,
  note: 'checked',
  revision: 4,
  result_hash,
  failure: null,
  signing: null,
  signingFacts: null,
  completed: { result: { forecast: [1, 2] } },
  ...changes,
});

type Outcome = Result<readonly MissionEvent[]>;
type When = (mission: Mission) => Outcome;

export interface Then {
  /** Exactly these event types. */
  readonly decides: (...types: MissionEvent['type'][]) => readonly MissionEvent[];
  readonly refused: (code: RefusalCode) => Refusal;
}

/** given(history).when(command): what it decides, or with `twice`, what it decides after its own events. */
export function given(history: readonly MissionEvent[]): {
  readonly when: (act: When) => Then;
  readonly twice: (act: When) => Then;
} {
  const decide = (events: readonly MissionEvent[], act: When): Outcome => {
    const mission = missionAfter(events);
    if (mission === null) throw new Error('no mission is given');
    return act(mission);
  };
  return {
    when: (act) => judge(decide(history, act)),
    twice: (act) => {
      const first = decide(history, act);
      assert.ok(!isRefused(first), 'the first of two must pass');
      return judge(decide([...history, ...first.right], act));
    },
  };
}

export const judge = (outcome: Outcome): Then => ({
  decides: (...types) => {
    if (isRefused(outcome)) assert.fail(`refused: ${outcome.left.code} (${outcome.left.detail})`);
    assert.deepEqual(membersOf(outcome.right, 'type'), types);
    return outcome.right;
  },
  refused: (code) => {
    if (!isRefused(outcome)) assert.fail(`decided ${outcome.right.map(({ type }) => type).join(', ') || 'nothing'}`);
    assert.equal(outcome.left.code, code, outcome.left.detail);
    return outcome.left;
  },
});

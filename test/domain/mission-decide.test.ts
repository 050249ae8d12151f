/** Every state against every command: what is decided, while ready, after the lease's end, and while paused. */
import assert from 'node:assert/strict';
import type { RefusalCode } from '../../src/base/refusal.js';
import { isRefused } from '../../src/base/result.js';
import type { Mission } from '../../src/codec/record.js';
import {
  decideCancel,
  decideErase,
  decideFailed,
  decideLease,
  decideProduced,
  decideRecover,
  decideReview,
  decideStage,
  decideSubmit,
  type Circumstances,
} from '../../src/domain/mission-decide.js';
import type { MissionEvent } from '../../src/domain/mission.js';
import { documents, hex } from '../support/given-events.js';
import {
  circumstances,
  decision,
  expiry_ms,
  given,
  histories,
  judge,
  lease,
  missionAfter,
  type HistoryName,
  type Setting,
} from '../support/given-mission.js';

type Act = (mission: Mission, now: Circumstances) => ReturnType<typeof decideStage>;
const submitted = documents['mission.submitted'];
const error = documents['mission.failed'].error;

/** Reviews name the current revision, so that the state decides. */
const acts = {
  'submit the same': (m) => decideSubmit(m, submitted),
  'submit other input': (m) => decideSubmit(m, { ...submitted, request_hash: hex('9') }),
  lease: (m, now) => decideLease(m, lease(), now),
  stage: (m) => decideStage(m, documents['mission.staged']),
  produce: (m, now) => decideProduced(m, documents['mission.produced'], now),
  fail: (m) => decideFailed(m, 1, error),
  recover: (m, now) => decideRecover(m, hex('f'), now),
  cancel: (m, now) => decideCancel(m, now),
  approve: (m, now) => decideReview(m, decision({ revision: m.revision }), now),
  reject: (m, now) => decideReview(m, decision({ revision: m.revision, approve: false }), now),
  erase: (m, now) => decideErase(m, 'asked to', now),
} as const satisfies Readonly<Record<string, Act>>;
type ActName = keyof typeof acts;

type Expected = RefusalCode | MissionEvent['type'] | 'nothing';
type Row = Readonly<Partial<Record<ActName, Expected>>>;

/** What is not named is refused with wrong_state. */
const always: Row = { 'submit the same': 'nothing', 'submit other input': 'request_id_reused' };
const ready: Readonly<Record<HistoryName, Row>> = {
  queued: { lease: 'mission.leased', cancel: 'mission.cancelled' },
  recovered: { lease: 'mission.leased', cancel: 'mission.cancelled' },
  running: {
    lease: 'lease_active',
    stage: 'mission.staged',
    produce: 'mission.produced',
    fail: 'mission.failed',
    recover: 'lease_active',
    cancel: 'mission.cancelled',
  },
  'running again': { lease: 'lease_active', recover: 'lease_active', cancel: 'mission.cancelled' },
  review: { approve: 'mission.completed', reject: 'mission.rejected' },
  completed: { erase: 'mission.erased' },
  rejected: { erase: 'mission.erased' },
  failed: { recover: 'mission.recovered', erase: 'mission.erased' },
  cancelled: { recover: 'mission.recovered' },
  erased: {},
};
const expired: Readonly<Partial<Record<HistoryName, Row>>> = {
  running: { ...ready.running, lease: 'wrong_state', produce: 'mission.failed', recover: 'mission.recovered' },
  'running again': { ...ready['running again'], lease: 'wrong_state', recover: 'mission.recovered' },
};
const whilePaused: Row = { lease: 'paused', recover: 'paused', cancel: 'paused', approve: 'paused', reject: 'paused' };

function outcomeOf(name: HistoryName, act: ActName, setting: Setting): Expected {
  const mission = missionAfter(histories[name]);
  assert.ok(mission !== null);
  const outcome = acts[act](mission, circumstances(setting));
  if (isRefused(outcome)) return outcome.left.code;
  assert.ok(outcome.right.length <= 1);
  return outcome.right[0]?.type ?? 'nothing';
}

function check(title: string, setting: Setting, rowOf: (name: HistoryName) => Row): void {
  describe(title, () => {
    for (const name of Object.keys(histories) as HistoryName[]) {
      it(`decides every command on a ${name} mission`, () => {
        const row = rowOf(name);
        const names = Object.keys(acts) as ActName[];
        assert.deepEqual(
          Object.fromEntries(names.map((act) => [act, outcomeOf(name, act, setting)])),
          Object.fromEntries(names.map((act) => [act, row[act] ?? 'wrong_state'])),
        );
      });
    }
  });
}

describe('mission decider: state by command', () => {
  check('while ready', {}, (name) => ({ ...always, ...ready[name] }));
  check('after the lease ended', { now_ms: expiry_ms + 1 }, (name) => ({ ...always, ...(expired[name] ?? ready[name]) }));
  check('while paused', { control: { state: 'paused' } }, (name) => ({
    ...always,
    ...ready[name],
    ...(name === 'running' ? { produce: 'mission.failed' } : {}),
    ...whilePaused,
  }));

  it('submits a mission that has no event yet', () => {
    judge(decideSubmit(null, submitted)).decides('mission.submitted');
  });
});

describe('mission decider: the same command again', () => {
  const second: readonly (readonly [HistoryName, ActName, Expected])[] = [
    ['queued', 'submit the same', 'nothing'],
    ['queued', 'lease', 'lease_active'],
    ['queued', 'cancel', 'wrong_state'],
    ['running', 'stage', 'mission.staged'],
    ['running', 'produce', 'wrong_state'],
    ['running', 'fail', 'wrong_state'],
    ['running', 'cancel', 'wrong_state'],
    ['failed', 'recover', 'wrong_state'],
    ['failed', 'erase', 'wrong_state'],
    ['review', 'approve', 'wrong_state'],
    ['review', 'reject', 'wrong_state'],
  ];
  for (const [name, act, expected] of second) {
    it(`decides ${act} on a ${name} mission: ${expected}`, () => {
      const again = given(histories[name]).twice((mission) => acts[act](mission, circumstances()));
      if (expected === 'nothing') again.decides();
      else if (expected.includes('.')) again.decides(expected as MissionEvent['type']);
      else again.refused(expected as RefusalCode);
    });
  }

  it('refuses a repeated decision as stale', () => {
    for (const approve of [true, false]) {
      const refusal = given(histories.review)
        .twice((mission) => decideReview(mission, decision({ approve }), circumstances()))
        .refused('stale_revision');
      assert.equal(refusal.facts?.['state'], approve ? 'completed' : 'rejected');
    }
  });
});

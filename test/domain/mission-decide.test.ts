/** Every state against every command: what is decided, while ready, after the lease's end, and while paused. */
import assert from 'node:assert/strict';
import { isRefused, type RefusalCode } from '../../src/base/refusal.js';
import type { Mission } from '../../src/codec/record.js';
import {
  type Circumstances,
  decideCancel,
  decideErase,
  decideExecutionRequest,
  decideFailed,
  decideLease,
  decideProduced,
  decideRecover,
  decideReview,
  decideStage,
  decideSubmit,
} from '../../src/domain/mission-decide.js';
import { type MissionEvent, missionStream } from '../../src/domain/mission.js';
import { documents, event, hex, result_hash } from '../support/codec/given-events.js';
import {
  at,
  circumstances,
  decision,
  expiry_ms,
  given,
  histories,
  type HistoryName,
  id,
  judge,
  lease,
  missionAfter,
  type Setting,
} from '../support/domain/given-mission.js';
import { membersOf } from '../support/lists.js';

type Act = (mission: Mission, now: Circumstances) => ReturnType<typeof decideStage>;
const submitted = documents['mission.submitted'];
const error = documents['mission.failed'].error;

/** Reviews name the current revision, so that the state decides. */
const acts = {
  'submit the same': (m) => decideSubmit(m, submitted),
  'submit other input': (m) => decideSubmit(m, { ...submitted, request_hash: hex('9') }),
  'request execution': (m, now) => decideExecutionRequest(m, now),
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
  queued: { 'request execution': 'mission.execution_requested', lease: 'mission.leased', cancel: 'mission.cancelled' },
  requested: { 'request execution': 'nothing', lease: 'mission.leased', cancel: 'mission.cancelled' },
  recovered: { 'request execution': 'mission.execution_requested', lease: 'mission.leased', cancel: 'mission.cancelled' },
  running: {
    'request execution': 'nothing',
    lease: 'lease_active',
    stage: 'mission.staged',
    produce: 'mission.produced',
    fail: 'mission.failed',
    recover: 'lease_active',
    cancel: 'mission.cancelled',
  },
  'running again': {
    'request execution': 'nothing',
    lease: 'lease_active',
    recover: 'lease_active',
    cancel: 'mission.cancelled',
  },
  review: { approve: 'mission.completed', reject: 'mission.rejected' },
  completed: { erase: 'mission.erased' },
  rejected: { erase: 'mission.erased' },
  failed: { recover: 'mission.recovered', erase: 'mission.erased' },
  cancelled: { recover: 'mission.recovered' },
  erased: {},
};
const expired: Readonly<Partial<Record<HistoryName, Row>>> = {
  running: {
    ...ready.running,
    'request execution': 'wrong_state',
    lease: 'wrong_state',
    produce: 'mission.failed',
    recover: 'mission.recovered',
  },
  'running again': {
    ...ready['running again'],
    'request execution': 'wrong_state',
    lease: 'wrong_state',
    recover: 'mission.recovered',
  },
};
const whilePaused: Row = {
  'request execution': 'paused',
  lease: 'paused',
  recover: 'paused',
  cancel: 'paused',
  approve: 'paused',
  reject: 'paused',
};

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
    ...(['queued', 'requested', 'recovered'].includes(name) ? { cancel: 'mission.cancelled' } : {}),
  }));

  it('points to recover only where that is accepted', () => {
    for (const mission of (Object.keys(histories) as HistoryName[]).map(after)) {
      for (const act of Object.keys(acts) as ActName[]) {
        const outcome = acts[act](mission, circumstances({}));
        const isHint = isRefused(outcome) && outcome.left.hint === `agent-cli recover ${mission.id}`;
        assert.ok(!isHint || !isRefused(acts.recover(mission, circumstances({}))), `${act} while ${mission.state}`);
      }
    }
  });

  it('submits a mission that has no event yet', () => {
    judge(decideSubmit(null, submitted)).decides('mission.submitted');
  });
});

describe('mission decider: the same decision again', () => {
  it('refuses a repeated decision as stale', () => {
    for (const approve of [true, false]) {
      const refusal = given(histories.review)
        .twice((mission) => decideReview(mission, decision({ approve }), circumstances()))
        .refused('stale_revision');
      assert.equal(refusal.facts?.['state'], approve ? 'completed' : 'rejected');
    }
  });
});

const after = (name: HistoryName): Mission => missionAfter(histories[name])!;

describe('mission: the state after its events', () => {
  it('moves the revision and the time of change with every event, never the time of creation', () => {
    for (const [name, events] of Object.entries(histories)) {
      const mission = after(name as HistoryName);
      assert.equal(mission.revision, events.length, name);
      assert.equal(mission.updated_at, at((events.length - 1) * 1_000), name);
      assert.equal(mission.created_at, at(0), name);
      assert.equal(mission.request_seq, 1, name);
    }
  });

  it('has a lease while it runs, and at no other time', () => {
    for (const name of Object.keys(histories) as HistoryName[]) {
      const { state, lease_expires_at, leased_at } = after(name);
      assert.equal(lease_expires_at, state === 'running' ? at(expiry_ms) : null, name);
      assert.equal(leased_at !== null, state === 'running', name);
    }
    assert.equal(after('running').leased_at, at(1_000));
  });

  it('has an error while it is failed, a review once it is decided, a result from review on', () => {
    for (const name of Object.keys(histories) as HistoryName[]) {
      const { state, error, review, result_hash: made, result_seq } = after(name);
      const decided = state === 'completed' || state === 'rejected';
      assert.equal(error !== null, state === 'failed', name);
      assert.equal(review !== null, decided, name);
      assert.equal(made, decided || state === 'review' ? result_hash : null, name);
      assert.equal(result_seq, made === null ? 0 : 4, name);
    }
  });

  it('has no stages when a new attempt begins', () => {
    assert.deepEqual(membersOf(after('running').stages, 'role'), ['planning']);
    assert.deepEqual(after('running again').stages, []);
    assert.equal(after('running again').attempt, 2);
  });

  it('says nothing of the failed attempt once it is recovered', () => {
    const { attempt, engine, config_hash, stages, error, parent, parent_digest } = after('recovered');
    assert.deepEqual([attempt, engine, config_hash, stages, error, parent, parent_digest], [2, null, null, [], null, null, null]);
  });

  it('loses the blobs that an erasure names', () => {
    assert.deepEqual(after('failed').blobs, [hex('b')]);
    assert.deepEqual([after('erased').blobs, after('erased').erased, after('failed').erased], [[], true, false]);
  });

  it('stays null when the first event is not a submission', () => {
    for (const type of ['mission.leased', 'mission.staged', 'mission.completed', 'mission.erased'] as const) {
      assert.equal(missionStream.evolve(null, event(type), { id, sequence: 1, time: at(0) }), null);
    }
  });
});

describe("mission: the reference agent's states", () => {
  const request = { goal: 'try', work: { kind: 'forecast' } };
  const snapshot = (members: Readonly<Record<string, unknown>>, before: Mission | null = null, sequence = 3): Mission | null =>
    missionStream.evolve(
      before,
      event('reference.mission', {
        snapshot: { request, request_hash: hex('a'), ...members },
        lease_expires_ns: '1795152700899093971',
      }),
      { id, sequence, time: at(sequence * 1_000) },
    );

  it('translates each state; the first entry holds the request, the newest the result', () => {
    const queued = snapshot({ state: 'queued' });
    assert.deepEqual([queued?.state, queued?.request_seq, queued?.result_seq, queued?.goal], ['queued', 3, 0, 'try']);
    const running = snapshot({ state: 'running', execution_config_hash: hex('c') }, queued, 5);
    assert.deepEqual([running?.state, running?.request_seq, running?.config_hash], ['running', 3, hex('c')]);
    assert.equal(running?.lease_expires_at, '2026-11-20T05:31:40.899093Z');
    const review = snapshot({ state: 'review', result: { x: 1 }, verification: { result_hash } }, running, 6);
    assert.deepEqual(
      [review?.result_seq, review?.result_hash, review?.review, review?.lease_expires_at],
      [6, result_hash, null, null],
    );
    const decision = { approved: true, result_hash, note: 'seen', actor: 'ada' };
    const completed = snapshot({ state: 'completed', result: { x: 1 }, review: decision }, review, 7);
    assert.deepEqual(completed?.review, { ...decision, at: at(7_000) });
    assert.equal(completed.created_at, at(3_000));
  });

  it('keeps the message of a failure', () => {
    assert.deepEqual(snapshot({ state: 'failed', message: 'no answer' })?.error, {
      code: 'reference_failed',
      message: 'no answer',
      stage: null,
    });
  });

  it('changes nothing for an unknown state or kind', () => {
    const before = snapshot({ state: 'queued' });
    assert.equal(snapshot({ state: 'lost' }, before, 4), before);
    assert.equal(snapshot({ state: 'queued', request: { goal: 'g', work: { kind: 'poem' } } }), null);
    assert.equal(snapshot({ state: 'queued', request: [] }), null);
  });

  it('reads documents of other shapes without throwing', () => {
    const odd = snapshot({ state: 'completed', request: { goal: 7, work: { kind: 'schedule' } }, review: 'yes', result: null });
    assert.deepEqual([odd?.goal, odd?.review, odd?.result_hash, odd?.result_seq], ['', null, null, 0]);
    assert.equal(documents['reference.mission'].snapshot['state'], 'queued');
  });
});

describe('mission rules: review', () => {
  const review = (changes: Parameters<typeof decision>[0]) =>
    given(histories.review).when((m) => decideReview(m, decision(changes), circumstances()));

  it('approves with the result and with who, when and why', () => {
    const [decided] = review({ note: 'as agreed' }).decides('mission.completed');
    assert.deepEqual(decided?.document, {
      state: 'completed',
      result: { forecast: [1, 2] },
      review: { actor: 'operator', approved: true, at: at(10_000), note: 'as agreed', result_hash },
    });
  });

  it('refuses a stale revision with the current state of the mission', () => {
    const refusal = review({ revision: 3 }).refused('stale_revision');
    assert.deepEqual(refusal.facts, { revision: 4, state: 'review', result_hash, updated_at: at(3_000) });
    review({ revision: 5 }).refused('stale_revision');
  });

  it('refuses another result hash as a mismatch, for both decisions', () => {
    for (const approve of [true, false]) review({ approve, result_hash: hex('1') }).refused('hash_mismatch');
  });

  it('accepts either hash of a result that has two; an approval records the canonical one, a rejection its own', () => {
    const canonical_hash = hex('2');
    for (const named of [result_hash, canonical_hash]) {
      const [approved] = review({ canonical_hash, result_hash: named }).decides('mission.completed');
      assert.equal(approved?.type === 'mission.completed' && approved.document.review.result_hash, canonical_hash);
      const [rejected] = review({ canonical_hash, result_hash: named, approve: false }).decides('mission.rejected');
      assert.equal(rejected?.type === 'mission.rejected' && rejected.document.review.result_hash, result_hash);
    }
    const refusal = review({ canonical_hash, result_hash: hex('1') }).refused('hash_mismatch');
    assert.ok(refusal.detail.endsWith(`is ${result_hash} or ${canonical_hash}`));
  });

  it('rejects, and never approves, a result that fails verification', () => {
    const refusal = review({ failure: 'the sum is wrong' }).refused('verification_failed');
    assert.match(refusal.detail, /the sum is wrong/);
    const [decided] = review({ failure: 'the sum is wrong', approve: false }).decides('mission.rejected');
    assert.ok(decided?.type === 'mission.rejected' && !decided.document.review.approved);
  });
});

describe('mission rules: erase, and what is recorded', () => {
  it('erases every blob once and records it', () => {
    const history = [
      ...histories.failed.slice(0, 3),
      event('mission.produced', { result_blob: hex('2') }),
      event('mission.rejected'),
    ];
    const [decided] = given(history)
      .when((m) => decideErase(m, 'asked to', circumstances()))
      .decides('mission.erased');
    assert.deepEqual(decided?.document, { blobs: [hex('b'), hex('2')], actor: 'operator', reason: 'asked to' });
  });
});

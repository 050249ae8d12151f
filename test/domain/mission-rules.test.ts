/** The rules of leases, outcomes and recovery, one by one. */
import assert from 'node:assert/strict';
import {
  decideCancel,
  decideFailed,
  decideLease,
  decideProduced,
  decideRecover,
  decideStage,
  interruption,
  isLeaseLive,
} from '../../src/domain/mission-decide.js';
import { documents, event, hex } from '../support/codec/given-events.js';
import {
  at,
  circumstances,
  expiry_ms,
  given,
  histories,
  judge,
  lease,
  leased_ms,
  missionAfter,
} from '../support/domain/given-mission.js';

const running = missionAfter(histories.running)!;
const produced = documents['mission.produced'];
const error = documents['mission.failed'].error;

describe('mission rules: lease', () => {
  it('is live from the time it was taken to its end, both included, by the clock of the asker', () => {
    for (const [ms, live] of [
      [leased_ms - 1, false],
      [leased_ms, true],
      [expiry_ms, true],
      [expiry_ms + 1, false],
    ] as const) {
      assert.equal(isLeaseLive(running, at(ms)), live, `${ms} ms`);
    }
  });

  it('records attempt, end, configuration, engine, effort, parent and actor', () => {
    const parent = '00000000-0000-4000-8000-000000000002';
    const [decided] = given(histories.recovered)
      .when((m) => decideLease(m, lease({ parent, parent_digest: hex('8'), max_evaluations: 77 }), circumstances()))
      .decides('mission.leased');
    assert.deepEqual(decided?.document, {
      ...documents['mission.leased'],
      attempt: 2,
      lease_expires_at: at(900_000),
      max_evaluations: 77,
      parent,
      parent_digest: hex('8'),
    });
  });

  it('names the end of the lease that is active', () => {
    const refusal = given(histories.running)
      .when((m) => decideLease(m, lease(), circumstances()))
      .refused('lease_active');
    assert.deepEqual(refusal.facts, { lease_expires_at: at(expiry_ms) });
  });

  it('is refused to a process that holds another configuration', () => {
    given(histories.queued)
      .when((m) => decideLease(m, lease({ config_hash: hex('1') }), circumstances()))
      .refused('conflict');
  });

  it('is refused while the limit of executions is reached', () => {
    const other = '00000000-0000-4000-8000-00000000000f';
    const busy = lease({ executing: [other], executing_max: 1 });
    const refusal = given(histories.queued)
      .when((m) => decideLease(m, busy, circumstances()))
      .refused('in_use');
    assert.match(refusal.detail, new RegExp(other));
    given(histories.queued)
      .when((m) => decideLease(m, { ...busy, executing_max: 2 }, circumstances()))
      .decides('mission.leased');
  });
});

describe('mission rules: outcome', () => {
  const produce = (now: Parameters<typeof circumstances>[0], attempt = 1) =>
    judge(decideProduced(running, { ...produced, attempt }, circumstances(now)));
  const failure = (now: Parameters<typeof circumstances>[0]): unknown => {
    const [decided] = produce(now).decides('mission.failed');
    assert.ok(decided?.type === 'mission.failed');
    return [decided.document.attempt, decided.document.error.code, decided.document.error.stage];
  };

  it('becomes a failure after a pause, another configuration, the end of the lease, or a clock before its start', () => {
    assert.deepEqual(failure({ control: { state: 'paused' } }), [1, 'paused', 'planning']);
    assert.deepEqual(failure({ control: { config_hash: hex('1') } }), [1, 'configuration_changed', 'planning']);
    assert.deepEqual(failure({ now_ms: expiry_ms + 1 }), [1, 'lease_expired', 'planning']);
    assert.deepEqual(failure({ now_ms: leased_ms - 1 }), [1, 'lease_expired', 'planning']);
  });

  it('is interrupted early by the same causes and by no other', () => {
    const cause = (setting: Parameters<typeof circumstances>[0]) =>
      interruption(running, 1, circumstances(setting))?.code ?? null;
    assert.equal(cause({}), null);
    assert.equal(cause({ control: { state: 'paused' } }), 'paused');
    assert.equal(cause({ control: { config_hash: hex('1') } }), 'configuration_changed');
    assert.equal(cause({ now_ms: expiry_ms + 1 }), 'lease_expired');
  });

  for (const name of ['cancelled', 'recovered', 'running again', 'review', 'completed'] as const) {
    it(`changes nothing of a ${name} mission for a late worker of attempt 1`, () => {
      const acts = given(histories[name]);
      acts.when((m) => decideStage(m, documents['mission.staged'])).refused('wrong_state');
      acts.when((m) => decideProduced(m, produced, circumstances())).refused('wrong_state');
      const refusal = acts.when((m) => decideFailed(m, 1, error)).refused('wrong_state');
      assert.match(refusal.detail, /dropped: mission \S+ is (?:failed \(the engine failed\)|[a-z]+), attempt [12]$/);
    });
  }
});

describe('mission rules: recover and cancel', () => {
  it('recovers a failed mission to queued, the next attempt, from the entry that is named', () => {
    const [decided] = given(histories.failed)
      .when((m) => decideRecover(m, hex('7'), circumstances()))
      .decides('mission.recovered');
    assert.deepEqual(decided?.document, { state: 'queued', attempt: 2, recovered_from: hex('7'), actor: 'operator' });
    const again = missionAfter([...histories.failed, event('mission.recovered', { recovered_from: hex('7') })]);
    assert.equal(again?.state, 'queued');
    assert.equal(again.attempt, 2);
    assert.equal(again.recovered_from, hex('7'));
    assert.equal(again.error, null);
  });

  it('recovers an abandoned mission, also where the clock went back before its lease', () => {
    for (const now_ms of [expiry_ms + 1, leased_ms - 1]) {
      given(histories.running)
        .when((m) => decideRecover(m, hex('7'), circumstances({ now_ms })))
        .decides('mission.recovered');
    }
  });

  it('cancels with the actor and the last stage', () => {
    const [decided] = given(histories.running)
      .when((m) => decideCancel(m, { ...circumstances(), actor: 'ada' }))
      .decides('mission.cancelled');
    assert.deepEqual(decided?.document, {
      state: 'failed',
      actor: 'ada',
      error: { code: 'cancelled', message: 'cancelled by ada', stage: 'planning' },
    });
  });
});

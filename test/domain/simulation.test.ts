/** A run's life: which events a command makes in each state, and what each event makes of a run. */
import assert from 'node:assert/strict';
import { isRefused, type Result, unwrap } from '../../src/base/refusal.js';
import {
  decideCompleted,
  decideRequest,
  decideRunCancelled,
  decideRunFailed,
  decideStart,
  isDead,
  type SimulationEvent,
  type SimulationRun,
  simulationStream,
} from '../../src/domain/simulation.js';
import { isRepeated, type SweepRun } from '../../src/codec/sweep.js';
import {
  decideSweepCancelled,
  decideSweepCompleted,
  pointOf,
  readSweep,
  seedsFrom,
  sensitivityOf,
  type Sweep,
  type SweepEvent,
  sweepFault,
  sweepStream,
  valuesIn,
} from '../../src/domain/sweep.js';
import { documents, event } from '../support/codec/given-events.js';

const id = '0123456789abcdef';
const timeAt = (sequence: number): string => `2026-11-20T05:00:0${sequence}.000000Z`;
const after = (...events: readonly SimulationEvent[]): SimulationRun | null =>
  events.reduce<SimulationRun | null>(
    (run, one, i) => simulationStream.evolve(run, one, { id, sequence: i + 1, time: timeAt(i + 1) }),
    null,
  );
const must = (run: SimulationRun | null): SimulationRun => {
  assert.ok(run !== null);
  return run;
};
const requested = event('simulation.requested');
const started = event('simulation.started');
const queued = must(after(requested));
const running = must(after(requested, started));
const succeeded = must(after(requested, started, event('simulation.completed')));
const failed = must(after(requested, started, event('simulation.failed')));
const cancelled = must(after(requested, event('simulation.cancelled')));
const ended = [succeeded, failed, cancelled];
const refusalOf = (events: Result<unknown>): string => (isRefused(events) ? events.left.code : 'none');
const { attempt: _, ...start } = documents['simulation.started'];

describe('a simulation run', () => {
  it('goes from queued to running to one end', () => {
    assert.deepEqual(
      [queued, running, succeeded, failed, cancelled].map(({ state }) => state),
      ['queued', 'running', 'succeeded', 'failed', 'cancelled'],
    );
    assert.deepEqual(succeeded, {
      id,
      state: 'succeeded',
      runner: 'command',
      name: null,
      sweep: null,
      attempt: 1,
      lease_expires_at: null,
      idempotency_key: null,
      body_sha256: null,
      outcome_hash: documents['simulation.completed'].outcome_hash,
      error: null,
      created_at: timeAt(1),
      started_at: timeAt(2),
      finished_at: timeAt(3),
      request_seq: 1,
      result_seq: 3,
      revision: 3,
    });
    assert.deepEqual(failed.error, { code: 'interrupted', message: 'its process ended' });
    assert.deepEqual(cancelled.error, { code: 'cancelled', message: 'cancelled by operator' });
  });

  it('changes no more once it ended, and nothing begins it but a request', () => {
    for (const run of ended) {
      for (const type of ['requested', 'started', 'completed', 'failed', 'cancelled'] as const)
        assert.equal(simulationStream.evolve(run, event(`simulation.${type}`), { id, sequence: 9, time: timeAt(9) }), run);
      assert.equal(refusalOf(decideStart(run, start)), 'wrong_state');
      assert.equal(refusalOf(decideCompleted(run, documents['simulation.completed'])), 'wrong_state');
      assert.equal(refusalOf(decideRunFailed(run, { code: 'a', message: '' }, 'operator')), 'wrong_state');
      assert.equal(refusalOf(decideRunCancelled(run, 'operator')), 'wrong_state');
    }
    assert.equal(after(started, event('simulation.completed')), null);
    assert.equal(refusalOf(decideRequest(queued, documents['simulation.requested'])), 'conflict');
  });

  it('starts three times at most', () => {
    let run = queued;
    for (const attempt of [1, 2, 3]) {
      const [first] = unwrap(decideStart(run, start));
      assert.ok(first?.type === 'simulation.started' && first.document.attempt === attempt);
      run = must(simulationStream.evolve(run, first, { id, sequence: attempt + 1, time: timeAt(attempt + 1) }));
    }
    assert.equal(run.started_at, timeAt(2));
    assert.equal(refusalOf(decideStart(run, start)), 'wrong_state');
  });

  it('takes the outcome of its own attempt only', () => {
    const second = must(after(requested, started, event('simulation.started', { attempt: 2 })));
    assert.equal(refusalOf(decideCompleted(second, documents['simulation.completed'])), 'wrong_state');
    assert.equal(refusalOf(decideCompleted(queued, documents['simulation.completed'])), 'wrong_state');
    assert.equal(unwrap(decideCompleted(running, documents['simulation.completed'])).length, 1);
  });

  it('is cancelled and failed while it waits or runs', () => {
    for (const run of [queued, running]) {
      assert.equal(unwrap(decideRunCancelled(run, 'operator'))[0]?.type, 'simulation.cancelled');
      assert.equal(unwrap(decideRunFailed(run, { code: 'a', message: 'b' }, 'operator'))[0]?.type, 'simulation.failed');
    }
  });

  it('is dead when its process is', () => {
    const lease = running.lease_expires_at ?? '';
    const seen = { now: timeAt(3), isDaemon: false, aloneSince: null };
    assert.equal(isDead(running, seen), false);
    assert.equal(isDead(running, { ...seen, now: lease }), false);
    assert.equal(isDead(running, { ...seen, now: '2026-11-20T05:11:00.000001Z' }), true);
    assert.equal(isDead(running, { ...seen, aloneSince: timeAt(3) }), true);
    assert.equal(isDead(running, { ...seen, aloneSince: timeAt(2) }), false);
    assert.equal(isDead(running, { ...seen, isDaemon: true }), false);
    const daemons = must(after(event('simulation.requested', { runner: 'daemon', lease_expires_at: null })));
    assert.equal(isDead(daemons, { ...seen, now: '2099-01-01T00:00:00.000000Z' }), false);
    assert.equal(
      isDead(daemons, { ...seen, isDaemon: true, aloneSince: timeAt(9) }),
      false,
      'it is in the queue of the next daemon',
    );
    const slow = must(after(event('simulation.requested', { runner: 'daemon', lease_expires_at: null }), started));
    assert.notEqual(slow.lease_expires_at, null);
    assert.equal(isDead(slow, { ...seen, now: '2099-01-01T00:00:00.000000Z' }), false, 'its daemon lives');
    assert.equal(isDead(slow, { ...seen, isDaemon: true }), true);
    assert.equal(isDead(slow, { ...seen, aloneSince: timeAt(9) }), true);
    for (const run of ended)
      assert.equal(isDead(run, { now: '2099-01-01T00:00:00.000000Z', isDaemon: true, aloneSince: timeAt(9) }), false);
  });
});

const valuesOf = (text: string): readonly number[] => unwrap(valuesIn(unwrap(readSweep(text))));

describe('sweep', () => {
  it('takes the values from the first to the last, without the errors of repeated addition', () => {
    assert.deepEqual(valuesOf('k=5..8:1'), [5, 6, 7, 8]);
    assert.deepEqual(valuesOf('mut_rate=0..0.3:0.1'), [0, 0.1, 0.2, 0.3]);
    assert.deepEqual(valuesOf('x0=-1..1:0.75'), [-1, -0.25, 0.5]);
    assert.deepEqual(valuesOf('pop-size=10..10:5'), [10]);
    assert.deepEqual(valuesOf('entropy=.5..+1.:.25'), [0.5, 0.75, 1]);
    assert.deepEqual(valuesOf('x0=-1e308..1e308:1e308'), [-1e308, 0, 1e308]);
  });

  it('is refused without a range, a known field, a step above 0, an end after the start, or with too many values', () => {
    for (const text of ['k', 'k=5', 'k=5..6', 'k=5..6:-1x', 'seed=1..2:1', 'samples=20..40:1', 'curve=a..b:1', 'k=01..2:1'])
      assert.ok(isRefused(readSweep(text)), text);
    for (const text of ['k=6..5:1', 'k=5..6:0', 'k=5..6:-1', 'k=1..101:1'])
      assert.ok(isRefused(valuesIn(unwrap(readSweep(text)))), text);
    assert.equal(valuesOf('k=1..100:1').length, 100);
  });

  it('is refused where its values would tell nothing', () => {
    assert.match(sweepFault('k', [0, 5], 1, {}) ?? '', /value 0 of k, which means its default/);
    assert.match(sweepFault('k', [5, 6], 1, { curve: 'linear' }) ?? '', /a linear curve does not use/);
    assert.match(sweepFault('entropy', [1, 2], 1, { sectors: ['a'] }) ?? '', /names no sectors/);
    assert.match(sweepFault('x0', [1, 1], 1, {}) ?? '', /a value twice/);
    assert.match(sweepFault('x0', [1, 2, 3], 334, {}) ?? '', /makes 1002 runs; the most is 1000/);
    for (const fault of [sweepFault('x0', [0, 1], 500, {}), sweepFault('entropy', [0, 1], 1, { sectors: [] })])
      assert.equal(fault, null);
  });

  it('is running until its last run has ended or it is cancelled, and then keeps its state', () => {
    const evolved = (...events: readonly SweepEvent[]): Sweep | null =>
      events.reduce<Sweep | null>(
        (sweep, one, i) => sweepStream.evolve(sweep, one, { id, sequence: i + 1, time: timeAt(i + 1) }),
        null,
      );
    const requested = event('sweep.requested', { name: 'steep' });
    const running = evolved(requested)!;
    assert.deepEqual([running.state, running.name, running.finished_at], ['running', 'steep', null]);
    const [completed, cancelled] = [event('sweep.completed'), event('sweep.cancelled')];
    assert.equal(evolved(completed), null);
    for (const [last, state] of [
      [completed, 'completed'],
      [cancelled, 'cancelled'],
    ] as const) {
      const ended = evolved(requested, last, completed, cancelled, requested)!;
      assert.deepEqual([ended.state, ended.finished_at], [state, timeAt(2)]);
      assert.deepEqual(unwrap(decideSweepCompleted(ended, completed.document)), []);
      assert.equal(refusalOf(decideSweepCancelled(ended, 'operator')), 'wrong_state');
    }
    assert.deepEqual(unwrap(decideSweepCompleted(running, completed.document)), [completed]);
    assert.deepEqual(unwrap(decideSweepCancelled(running, 'operator')), [cancelled]);
  });

  it('gives each value the same seeds', () => {
    assert.deepEqual(seedsFrom(7, 3), [7, 8, 9]);
    assert.deepEqual(seedsFrom(4_294_967_295, 2), [4_294_967_295, 0]);
  });

  it('measures slope and explained variance', () => {
    const run = (affected: number, hypervolume: number): SweepRun => ({
      id: '',
      seed: 0,
      state: 'succeeded',
      affected,
      // Six times 0.1 is not 0.6 in doubles, and the squares of the volumes overflow.
      effectiveness: 0.1,
      hypervolume,
    });
    const runs = (affected: number): SweepRun[] => [1e200, 2e200, 3e200].map((volume) => run(affected, volume));
    const points = [pointOf(1, [], runs(2)), pointOf(3, [], runs(6))];
    assert.deepEqual(points[0]?.hypervolume, { mean: 2e200, min: 1e200, max: 3e200 });
    assert.deepEqual(sensitivityOf(points), [
      { measure: 'affected', slope: 2, explained: 1 },
      { measure: 'effectiveness', slope: 0, explained: null },
      { measure: 'hypervolume', slope: 0, explained: 0 },
    ]);
    assert.equal(sensitivityOf(points.slice(0, 1))[0]?.slope, null);
    const one = (unit: number) => [pointOf(unit, [], [run(2, 1)]), pointOf(3 * unit, [], [run(6, 2)])];
    for (const [unit, slope] of Object.entries({ 1: 2, '1e-200': 2e200, '1e200': 2e-200, '-5e307': -4e-308, '1e-310': null }))
      assert.deepEqual(sensitivityOf(one(Number(unit)))[0], { measure: 'affected', slope, explained: null });
    assert.ok(isRepeated(points, 'affected') && !isRepeated(one(1), 'affected'));
    const waiting = { ...run(0, 0), state: 'queued', affected: null, effectiveness: null, hypervolume: null } as const;
    assert.deepEqual(sensitivityOf([...points, pointOf(9, [], [waiting])]), sensitivityOf(points));
    assert.equal(pointOf(9, [], [waiting]).affected, null);
  });
});

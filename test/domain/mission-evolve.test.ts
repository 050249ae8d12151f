/** What each event makes of a mission, and what the reference agent's whole states mean here. */
import assert from 'node:assert/strict';
import type { Mission } from '../../src/codec/record.js';
import { missionStream } from '../../src/domain/mission-evolve.js';
import { documents, event, hex, result_hash } from '../support/given-events.js';
import { at, expiry_ms, histories, id, missionAfter, type HistoryName } from '../support/given-mission.js';

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
    assert.deepEqual(
      after('running').stages.map(({ role }) => role),
      ['planning'],
    );
    assert.deepEqual(after('running again').stages, []);
    assert.equal(after('running again').attempt, 2);
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

  it('leaves the mission before the event unchanged', () => {
    const before = after('running');
    const copy = structuredClone(before);
    missionStream.evolve(before, event('mission.staged'), { id, sequence: 9, time: at(9) });
    assert.deepEqual(before, copy);
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
      code: 'execution_failed',
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

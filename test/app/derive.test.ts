/** Missions that are made by changing the request of another one. */
import assert from 'node:assert/strict';
import { changedRequest, submitMission } from '../../src/app/missions/submit.js';
import { cancelMission, eraseMission, showMission } from '../../src/app/missions/missions.js';
import { actor, queued, rejectsRefusal } from '../support/app/given-home.js';
import { homeForEach, uuidOf } from '../support/app/temporary-home.js';

const allocation = {
  goal: 'Choose what to repair',
  work: {
    kind: 'allocation',
    budget: 100_000,
    items: [
      { id: 'roof', cost: 60_000, value: 9 },
      { id: 'door', cost: 50_000, value: 4 },
    ],
  },
};

describe('a mission that changes the request of another one', () => {
  const homes = homeForEach();

  homes.it('names it, and shows what was changed, whatever the state of the other', async (home) => {
    const { id } = await queued(home, allocation);
    await cancelMission(home, id, actor);
    const request = changedRequest(home.db, id, [
      ['work.budget', 120_000],
      ['items[1].value', 5],
      ['seed', 7],
      ['work.max_risk', 3],
    ]);
    const { record } = await submitMission(home, request, undefined, actor, { derivedFrom: id });
    assert.deepEqual([record.state, record.derived_from], ['queued', id]);
    assert.deepEqual(showMission(home, record.id).changes, [
      { path: 'seed', before: 42, after: 7 },
      { path: 'work.budget', before: 100_000, after: 120_000 },
      { path: 'work.items[1].value', before: 4, after: 5 },
      { path: 'work.max_risk', after: 3 },
    ]);
    const without = changedRequest(home.db, record.id, [['max_risk', null]]);
    assert.equal('max_risk' in without.work, false);
  });

  homes.it('is refused for a member that the request cannot have, and for a mission that is not there', async (home) => {
    const { id } = await queued(home, allocation);
    for (const path of ['work.bugdet', 'work.items[9].cost', 'work.items[1].value.x', '__proto__.x', 'a.b'])
      assert.throws(() => changedRequest(home.db, id, [[path, 1]]), /invalid/, path);
    const request = changedRequest(home.db, id, []);
    await rejectsRefusal(submitMission(home, request, undefined, actor, { derivedFrom: uuidOf(9) }), 'not_found');
  });

  homes.it('is not made of a mission whose request was erased', async (home) => {
    const { id } = await queued(home, {
      goal: 'Choose',
      work: { ...allocation.work, items: [{ ...allocation.work.items[0], title: 'Roof' }] },
    });
    const request = changedRequest(home.db, id, [['budget', 1]]);
    const { record } = await submitMission(home, request, undefined, actor, { derivedFrom: id });
    await cancelMission(home, id, actor);
    await eraseMission(home, id, 'asked to', actor);
    assert.throws(() => changedRequest(home.db, id, []), /erased/);
    const { derived_from, changes } = showMission(home, record.id);
    assert.deepEqual([derived_from, changes], [id, undefined]);
  });
});

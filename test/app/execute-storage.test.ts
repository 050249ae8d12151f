/** Executing on a disk that fills up: nothing half is recorded, and the mission can be recovered. */
import assert from 'node:assert/strict';
import { recoverMission, showMission } from '../../src/app/missions/missions.js';
import { actor, answered, execute, fakeEngine, queued, rejectsRefusal } from '../support/given-home.js';
import { homeForEach } from '../support/temporary-home.js';

describe('executing on a full disk', () => {
  const homes = homeForEach();

  it('a disk that is full at the outcome leaves the mission without owner; it is recovered at once', async () => {
    const home = homes.get().open();
    const { id } = await queued(home);
    const result = { text: 'x'.repeat(300_000) };
    const engine = fakeEngine(() => {
      home.db.pragma(`max_page_count = ${Number(home.db.pragma('page_count', { simple: true })) + 4}`);
      return answered(result);
    });
    await rejectsRefusal(execute(home, id, { runEngine: engine }), 'storage_full');
    assert.equal(showMission(home, id).state, 'running');
    home.db.pragma('max_page_count = 1000000');
    await recoverMission(home, id, actor);
    const again = await execute(home, id, { runEngine: fakeEngine(() => answered(result)) });
    assert.deepEqual([again.state, again.attempt, again.result], ['review', 2, result]);
    home.close();
  });
});

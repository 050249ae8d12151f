/** When the stages before an engine's work are recorded: with the outcome of short work, while longer work lasts, or before it begins. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runAttempt, type AttemptOptions } from '../../src/app/missions/attempt.js';
import { takeLease } from '../../src/app/missions/lease.js';
import { cancelMission, showMission } from '../../src/app/missions/missions.js';
import type { Home } from '../../src/app/home/home.js';
import type { MissionRecord } from '../../src/codec/api-missions.js';
import { roles } from '../../src/codec/roles.js';
import { watchCommits } from '../journal/inspect.js';
import { heldEngine, until } from '../support/given-daemon.js';
import { actor, fakeEngine, forecast, queued, rejectsRefusal } from '../support/given-home.js';
import { homeForEach } from '../support/temporary-home.js';
import { hang_ms } from '../support/wait.js';

const homes = homeForEach();

const attempt = async (home: Home, id: string, options: Partial<AttemptOptions>): Promise<MissionRecord> =>
  runAttempt(home, await takeLease(home, id, { actor }), { actor, ...options });

const rolesOf = (home: Home, id: string): string[] => showMission(home, id).stages.map(({ role }) => role);

describe('the stages before the engine', () => {
  it('are recorded with the outcome when the work is over before their time', async () => {
    const home = homes.get().open();
    const { id } = await queued(home, forecast());
    const committed = watchCommits(home);
    await attempt(home, id, { runEngine: fakeEngine(), stages_wait_ms: hang_ms });
    assert.equal(committed().length, 2, 'the lease, and everything else');
    assert.deepEqual(rolesOf(home, id), roles);
    home.close();
  });

  it('are recorded while the work lasts once their time has come, and then progress is sent', async () => {
    const home = homes.get().open();
    const { id } = await queued(home, forecast('long'));
    const held = heldEngine();
    const told: string[] = [];
    const work = attempt(home, id, {
      runEngine: held.engine,
      stages_wait_ms: 1,
      onProgress: (stage) => told.push(stage),
    });
    await until(() => rolesOf(home, id).length === 2);
    held.progress('long', 0.5);
    held.release('long');
    await work;
    assert.deepEqual(told.slice(0, 3), ['planning', 'research', 'strategy']);
    assert.deepEqual(rolesOf(home, id), roles);
    home.close();
  });

  it('end the work when they cannot be recorded', async () => {
    const [home, other] = [homes.get().open(), homes.get().open()];
    const { id } = await queued(home, forecast('long'));
    const held = heldEngine();
    const work = attempt(home, id, { runEngine: held.engine, stages_wait_ms: 200 });
    await until(() => held.working.length === 1);
    await cancelMission(other, id, actor);
    await rejectsRefusal(work, 'wrong_state');
    assert.deepEqual([held.working, showMission(home, id).stages], [[], []]);
    other.close();
    home.close();
  });

  it('are recorded with the failure of work that failed before their time', async () => {
    const home = homes.get().open();
    const { id } = await queued(home, forecast());
    await rejectsRefusal(
      attempt(home, id, { runEngine: () => Promise.reject(new Error('no')), stages_wait_ms: hang_ms }),
      'execution_failed',
    );
    assert.deepEqual(rolesOf(home, id), ['planning', 'research']);
    assert.equal(showMission(home, id).error?.message, 'no');
    home.close();
  });
});

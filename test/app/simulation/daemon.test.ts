import assert from 'node:assert/strict';
import { requireRun } from '../../../src/app/simulation/runs/runs.js';
import { readControl } from '../../../src/tables/control.js';
import { unfinishedRuns } from '../../../src/tables/simulations.js';
import { heldEngine, until } from '../../support/app/given-daemon.js';
import { actor, queued, stateOf } from '../../support/app/given-home.js';
import { ask, heldSimulation, servicesForEach } from '../../support/app/given-simulations.js';
import { homeForEach } from '../../support/app/temporary-home.js';

const services = servicesForEach();
const homes = homeForEach();

describe('simulation runs and the daemon', () => {
  it('end together: running runs and missions fail, queued runs stay, and the home is closed', async () => {
    const { engine, working } = heldEngine();
    const held = heldSimulation();
    const { service, daemon } = await services.start(homes.get(), {
      simulate: held.simulate,
      running_max: 1,
      daemon: { runEngine: engine },
    });
    const ids = [await ask(service, { seed: 1 }), await ask(service, { seed: 2 })];
    const mission = await queued(daemon.home);
    await daemon.executions.request(mission.id, actor);
    await until(() => working.length === 1 && held.working.length === 1);
    await daemon.stop();
    assert.deepEqual([working, held.working], [[], []], 'all were told to stop');
    assert.throws(() => readControl(daemon.home.db), /not open/);
    homes.get().with((home) => {
      assert.deepEqual(
        unfinishedRuns(home.db).map(({ id }) => id),
        ids.slice(1),
      );
      assert.equal(requireRun(home.db, ids[0] ?? '').error?.code, 'interrupted');
      assert.equal(stateOf(home, mission.id), 'failed');
    });
    assert.deepEqual(daemon.warnings, [
      `mission ${mission.id} failed: the daemon stopped; queue it again with: agent-cli recover ${mission.id}`,
    ]);
  });

  it('end here with a warning when their end cannot be recorded, and are failed by the next daemon', async () => {
    let isBroken = false;
    const home = homes.get();
    const { service, daemon, warnings } = await services.start(home, {
      simulate: async () => {
        isBroken = true;
        throw new Error('the thread died');
      },
    });
    const { transact } = daemon.home;
    Object.assign(daemon.home, {
      transact: (command: Parameters<typeof transact>[0]) =>
        isBroken ? Promise.reject(new Error('no disk')) : transact(command),
    });
    const id = await ask(service);
    await until(() => service.ended().failed === 1);
    assert.deepEqual(service.counts(), { queued: 0, running: 0 });
    assert.equal(warnings.at(-1), `run ${id} could not be failed (no disk)`);
    await daemon.stop();
    const next = await services.start(home);
    assert.equal(requireRun(next.daemon.home.db, id).error?.code, 'interrupted');
  });
});

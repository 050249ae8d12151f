import assert from 'node:assert/strict';
import { startDaemon } from '../../../src/app/daemon/daemon.js';
import type { Home } from '../../../src/app/home/home.js';
import { executeRun } from '../../../src/app/simulation/runs/execute.js';
import type { RunSimulation } from '../../../src/app/simulation/runs/thread.js';
import { simulationFeature, requestRun, requireRun } from '../../../src/app/simulation/runs/runs.js';
import { readControl } from '../../../src/tables/control.js';
import { unfinishedRuns } from '../../../src/tables/simulations.js';
import { heldEngine, until } from '../../support/app/given-daemon.js';
import { actor, queued, stateOf } from '../../support/app/given-home.js';
import { ask, heldSimulation, servicesForEach } from '../../support/app/given-simulations.js';
import { homeForEach } from '../../support/app/temporary-home.js';
import { requestOf } from '../../support/app/simulation.js';

const services = servicesForEach();
const homes = homeForEach();

describe('simulation runs and the daemon', () => {
  it('fail visibly at the next start when an earlier daemon executed them; those in its queue stay there', async () => {
    const asked = async (home: Home) => await requestRun(home, { request: requestOf({}), runner: 'daemon', actor: 'operator' });
    const [running, queued] = await homes.get().with(async (home) => {
      const [first, second] = [await asked(home), await asked(home)];
      const never: RunSimulation = () => new Promise(() => undefined);
      void executeRun(home, first.id, { actor, simulate: never });
      await until(() => requireRun(home.db, first.id).state === 'running');
      return [first.id, second.id];
    });
    const [warnings, failed]: [string[], string[]] = [[], []];
    const daemon = await startDaemon(homes.get().world, {
      onWarning: (message) => void warnings.push(message),
      features: [simulationFeature((id) => void failed.push(id))],
    });
    try {
      const { state, error } = requireRun(daemon.home.db, running);
      assert.deepEqual([state, error?.code], ['failed', 'interrupted']);
      assert.equal(requireRun(daemon.home.db, queued).state, 'queued');
      assert.deepEqual(failed, [running]);
      assert.deepEqual(warnings, [`simulation run ${running} failed: its process ended before the run did`]);
    } finally {
      await daemon.stop();
    }
  });

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

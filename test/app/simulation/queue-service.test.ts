/** The simulation's service with islands on workers of a queue: what it shows of the workers, and of one that stops. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { readIslands } from '../../../src/app/simulation/islands/settings.js';
import { requireRun } from '../../../src/app/simulation/runs/runs.js';
import { until } from '../../support/app/given-daemon.js';
import { ask, servicesForEach } from '../../support/app/given-simulations.js';
import { startNats, startWorkerProcess, type Nats } from '../../support/app/nats.js';
import { real } from '../../support/real.js';
import { homeForEach } from '../../support/app/temporary-home.js';

real('nats', 'the service with workers of a queue', () => {
  const services = servicesForEach();
  const homes = homeForEach();
  let nats: Nats;

  beforeEach(async () => {
    nats = await startNats();
  });
  afterEach(() => nats.remove());

  it('lists them apart from the agents, and shows a stopped one as gone, one restart of its agent; the run completes', async () => {
    const worker = await startWorkerProcess(nats.url);
    try {
      const { service, daemon, restarts } = await services.start(homes.get(), {
        islands: readIslands(`a=${nats.url}`),
        daemon: { orchestrator: {} },
      });
      const stateOf = (): string | undefined => service.workers()?.find(({ key }) => key === worker.key)?.state;
      await until(() => stateOf() === 'idle', 'an idle worker');
      const id = await ask(service, { entropy: 2, pop_size: 3_000, generations: 20, num_sectors: 60, horizon: 20 });
      await until(() => stateOf() === 'working', 'a working worker');
      const holdsJob = async (): Promise<boolean> => {
        worker.child.kill('SIGSTOP');
        await sleep(200);
        if (worker.taken() > worker.done()) return true;
        worker.child.kill('SIGCONT');
        return false;
      };
      await until(holdsJob, 'a worker stopped with a job');
      await until(() => service.agents().strategy.restarts > 0, 'the restart');
      await until(() => service.ended().succeeded === 1, 'the run');
      assert.equal(requireRun(daemon.home.db, id).state, 'succeeded');
      await until(() => stateOf() === 'gone');
      const reasons = restarts.map(({ reason }) => reason);
      assert.deepEqual(
        reasons,
        Array.from(
          { length: service.agents().strategy.restarts },
          () => `the worker ${worker.key} showed no progress for 5 s; its job was given to another`,
        ),
      );
    } finally {
      await worker.stop();
    }
  });

  it('lists none where no island has a queue', async () => {
    const { service } = await services.start(homes.get(), { islands: readIslands('a=threads') });
    assert.equal(service.workers(), null);
  });
});

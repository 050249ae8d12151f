/** Workers of a queue that misbehave, are cut off or stop, and what the service shows of them. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { readIslands } from '../../../src/app/simulation/islands/settings.js';
import { requireRun } from '../../../src/app/simulation/runs/runs.js';
import { silentText } from '../../../src/app/workers/register.js';
import { until } from '../../support/app/given-daemon.js';
import { ask, servicesForEach } from '../../support/app/given-simulations.js';
import { startNats, startWorkerBy, startWorkerProcess } from '../../support/app/nats.js';
import { document, expectedOf, hashOf, longer, notices, inQueue, run, runWithout } from '../../support/app/queued-runs.js';
import type { Queue } from '../../support/app/queued-runs.js';
import { homeForEach } from '../../support/app/temporary-home.js';
import { makeNamespace } from '../../support/namespace.js';
import { real } from '../../support/real.js';
import { together } from '../../support/together.js';

describe('workers of queues', () => {
  const test = together(3, inQueue);

  real('nats', 'the service with workers of a queue', () => {
    const services = servicesForEach();
    const homes = homeForEach();

    it('lists them apart from the agents, and shows a stopped one as gone, one restart of its agent; the run completes', async () => {
      const nats = await startNats();
      const worker = await startWorkerProcess(nats.url);
      try {
        const { service, daemon, restarts } = await services.start(homes.get(), {
          islands: readIslands(`a=${nats.url}`),
          daemon: { orchestrator: {} },
        });
        const stateOf = (): string | undefined => service.workers()?.find(({ key }) => key === worker.key)?.state;
        await until(() => stateOf() === 'idle', 'an idle worker');
        // On a busy machine a run may end before it reaches the queue, or the worker may be stopped between two jobs: then another follows.
        let id = '';
        const isMissed = async (): Promise<boolean> => {
          const isRestarted = (): boolean => service.agents().strategy.restarts > 0;
          if (service.requests() === 0)
            id = await ask(service, { entropy: 2, pop_size: 3_000, generations: 15, num_sectors: 60, horizon: 20 });
          if (stateOf() !== 'working') return isRestarted();
          worker.child.kill('SIGSTOP');
          await sleep(200);
          const end = performance.now() + 10_000;
          while (worker.taken() > worker.done() && !isRestarted() && performance.now() < end) await sleep(50);
          if (!isRestarted()) worker.child.kill('SIGCONT');
          return isRestarted();
        };
        await until(isMissed, 'a worker stopped with a job, and the restart');
        await until(() => service.requests() === 0, 'the run');
        assert.equal(requireRun(daemon.home.db, id).state, 'succeeded');
        await until(() => stateOf() === 'gone');
        assert.equal(restarts.length, service.agents().strategy.restarts);
        // It may have been stopped before it said that it has the job.
        const silent = `${silentText(worker.key)}|${silentText(null)}`;
        for (const { reason } of restarts) assert.match(reason, new RegExp(`^(${silent}); its job is done again$`));
      } finally {
        await worker.stop();
        await nats.remove();
      }
    });

    it('lists none where no island has a queue', async () => {
      const { service } = await services.start(homes.get(), { islands: readIslands('a=threads') });
      assert.equal(service.workers(), null);
    });
  });

  real(['nats', 'netns'], 'a worker behind a partition', () => {
    test('loses its job to another, and works again when the network is back; the outcome is that of threads', async ({
      nats,
      worker,
      workers,
    }) => {
      const expected = await expectedOf(longer);
      const namespace = await makeNamespace(Number(new URL(nats.url).port));
      try {
        await worker();
        const cut = await startWorkerBy(namespace.enter, `nats://127.0.0.1:${namespace.port}`);
        workers.push(cut);
        const heard = await runWithout(nats.url, cut, {
          leave: () => namespace.link('down'),
          comeBack: () => namespace.link('up'),
        });
        assert.equal(hashOf(heard), expected);
        assert.ok(notices('lost', heard).some((notice) => notice.type === 'lost' && notice.key === cut.key));
        const before = cut.done();
        let again = heard;
        await until(async () => {
          again = await run(nats.url);
          return cut.done() > before;
        }, 'a job done by the worker that was cut off');
        assert.equal(again.answer.type, 'answered');
      } finally {
        await namespace.remove();
      }
    });
  });

  real('nats', 'bad workers of a queue', () => {
    /** On a busy machine the other jobs, which nobody takes in time, count as lost too. */
    const assertNamelessLost = (heard: Awaited<ReturnType<typeof run>>): void => {
      const lost = notices('lost', heard);
      assert.ok(lost.length > 0);
      for (const notice of lost) assert.deepEqual(notice, { type: 'lost', key: null });
    };

    const beside = async (kind: 'loops' | 'vanishes', { nats, worker, bad }: Queue) => {
      const expected = await expectedOf(document);
      const { key, taken } = await bad(kind);
      const started = run(nats.url);
      await until(() => taken() > 0);
      await worker();
      assert.equal(hashOf(await started), expected);
      return { heard: await started, key };
    };

    test('give the jobs of a worker whose thread is caught in a loop to another', async (parts) => {
      const { heard, key } = await beside('loops', parts);
      assert.ok(notices('lost', heard).some((notice) => notice.type === 'lost' && notice.key === key));
    });

    test('count a worker that is gone after the queue gave it a job and before it said so', async (parts) =>
      assertNamelessLost((await beside('vanishes', parts)).heard));

    test('count such a worker where there is no other one', async ({ nats, bad }) => {
      const vanishes = await bad('vanishes');
      const heard = await run(nats.url);
      await until(() => vanishes.taken() === 1, 'the job that it has taken');
      assert.equal(hashOf(heard), await expectedOf(document));
      assertNamelessLost(heard);
    });

    test('refute a population that looks better than it is, and compute all of that worker again', async ({ nats, bad }) => {
      const expected = await expectedOf(document);
      const liar = await bad('lies');
      const heard = await run(nats.url, { access: { check_one_in: 1 } });
      assert.equal(hashOf(heard), expected);
      assert.deepEqual(notices('refuted', heard), [{ type: 'refuted', key: liar.key }]);
      await until(() => liar.done() > 0, 'a job done by the liar');
    });

    test('count no result of a key that is not accepted', async ({ nats, worker }) => {
      const expected = await expectedOf(document);
      const [known, unknown] = await Promise.all([worker(), worker()]);
      const heard = await run(nats.url, { access: { keys: [known.key] } });
      assert.equal(hashOf(heard), expected);
      for (const notice of notices('ignored', heard))
        assert.deepEqual(notice, { type: 'ignored', key: unknown.key, reason: 'its key is not accepted' });
    });

    test('give no job to a worker of another version', async ({ nats, bad }) => {
      const other = await bad('other-version');
      const heard = await run(nats.url);
      assert.equal(hashOf(heard), await expectedOf(document));
      assert.equal(other.taken(), 0);
      assert.match(
        JSON.stringify(heard.notices),
        /^.{"type":"alone","why":"the workers of \S+ run another version [^}]+ jobs"}.$/,
      );
    });

    test('send a result again that did not reach the queue', async ({ nats, bad }) => {
      const cut = await bad('cut-off');
      await until(async () => {
        assert.equal(hashOf(await run(nats.url)), await expectedOf(document));
        return cut.done() > 0;
      }, 'a job done after the cut');
      assert.ok(!cut.lines.some((line) => line.includes('of a test')), cut.lines.join('\n'));
    });

    test('count a result that is delivered twice once', async ({ nats, bad }) => {
      const twice = await bad('twice');
      const heard = await run(nats.url);
      assert.equal(hashOf(heard), await expectedOf(document));
      await until(() => twice.done() > 0, 'a job done twice');
    });
  });
});

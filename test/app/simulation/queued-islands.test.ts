/** Islands on workers of a NATS queue: the outcome is that of threads, bit for bit, whatever happens to the queue and to the workers. @slow */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIslands } from '../../../src/app/simulation/islands/settings.js';
import { QueuedRuns } from '../../../src/app/simulation/runs/sweep.js';
import { no_workers, simulateOnThread } from '../../../src/app/simulation/runs/thread.js';
import { readNatsAddress } from '../../../src/codec/nats-url.js';
import { no_credentials } from '../../../src/app/workers/nats-credentials.js';
import { root } from '../../support/cli/cli-run.js';
import { until } from '../../support/app/given-daemon.js';
import { startNats, startUnconnectedWorker, startWorkerBy } from '../../support/app/nats.js';
import {
  document,
  expectedOf,
  hashOf,
  long,
  longer,
  names,
  notices,
  inQueue,
  run,
  runWithout,
} from '../../support/app/queued-runs.js';
import { real } from '../../support/real.js';
import { together } from '../../support/together.js';
import { requestOf } from '../../support/app/simulation.js';

/** So seldom is a result of a worker computed here again. */
const never = 2 ** 40;

real('nats', 'islands on workers of a queue', () => {
  // The longest first.
  const test = together(3, inQueue);

  test('work over TLS with the certificate of the named host and an added key, and send nothing without them', async ({
    nats,
  }) => {
    const expected = await expectedOf(document);
    const pem = (name: string): string => join(root, 'test', 'vectors', 'tls', name);
    const closed = await startNats('--tls', '--tlscert', pem('localhost.cert.pem'), '--tlskey', pem('localhost.key.pem'));
    const url = closed.url.replace('nats://127.0.0.1', 'tls://localhost');
    const ca = pem('localhost.cert.pem');
    const credentials = { ...no_credentials, ca: readFileSync(ca, 'utf8') };
    const admitted = await startWorkerBy(['env', `AGENT_NATS_CA=${ca}`], url);
    const { key } = admitted;
    try {
      // The certificate is not of this name; and the other server offers no TLS.
      for (const other of [url.replace('localhost', '127.0.0.1'), nats.url.replace('nats:', 'tls:')]) {
        const refused = await run(other, { access: { keys: [key], credentials } });
        assert.match(
          JSON.stringify(refused.notices),
          /^.{"type":"alone","why":"the queue \S+ cannot be .*(altnames|'tls')[^"]*"}.$/,
        );
      }
      assert.equal(admitted.taken(), 0);
      assert.equal(hashOf(await run(url, { access: { keys: [key], credentials } })), expected);
      await until(() => admitted.done() > 0, 'the end of a job');
      // Without an added key no worker of such a queue counts.
      assert.equal(hashOf(await run(url, { access: { keys: null, credentials } })), expected);
    } finally {
      await admitted.stop();
      await closed.remove();
    }
  });

  test('give the job of a stopped worker (SIGSTOP) to another, and name it', async ({ nats, worker }) => {
    const expected = await expectedOf(longer);
    const [stopped] = await Promise.all([worker(), worker()]);
    const heard = await runWithout(nats.url, stopped, {
      leave: () => void stopped.child.kill('SIGSTOP'),
      comeBack: () => void stopped.child.kill('SIGCONT'),
    });
    assert.equal(hashOf(heard), expected);
    assert.ok(notices('lost', heard).some((notice) => notice.type === 'lost' && notice.key === stopped.key));
  });

  test('give the same bytes when the queue falls silent in mid-run, its connections open, and comes back', async ({
    nats,
    worker,
  }) => {
    const expected = await expectedOf(long);
    await worker();
    let isSilent = false;
    const heard = await run(nats.url, {
      request: long,
      onGeneration: (generation) => {
        if (generation < 10 || isSilent) return;
        isSilent = true;
        nats.signal('SIGSTOP');
      },
      onWorker: (notice) => {
        if (notice.type === 'alone' && notice.why !== null) nats.signal('SIGCONT');
      },
    });
    assert.equal(hashOf(heard), expected);
    assert.ok(notices('alone', heard).length > 0);
  });

  test('give the outcome of threads with three worker processes, one of which is killed on the way', async ({ nats, worker }) => {
    const expected = await expectedOf(long);
    const all = await Promise.all([worker(), worker(), worker()]);
    let killed: Promise<void> | undefined;
    const onGeneration = (): void => void (killed ??= all.find((each) => each.done() > 1)?.stop());
    // On a busy machine the work may be done here, before a worker has finished two jobs: then another run follows.
    await until(async () => {
      assert.equal(hashOf(await run(nats.url, { request: long, onGeneration })), expected);
      return killed !== undefined;
    }, 'a worker killed on the way');
  });

  test('are computed here while the queue is down, and by workers once it is there', async ({ nats, workers }) => {
    const expected = await expectedOf(document);
    await nats.kill();
    const heard = await run(nats.url);
    assert.equal(hashOf(heard), expected);
    assert.deepEqual(heard.notices[0], { type: 'alone', why: `the queue ${nats.url} cannot be reached (connection refused)` });
    const late = await startUnconnectedWorker(nats.url);
    workers.push(late);
    let started: Promise<void> | null = null;
    const later = await run(nats.url, {
      request: { ...document, generations: 10_000 },
      onGeneration: () => void (started ??= nats.start()),
      mustStop: () => late.done() > 2,
    });
    assert.deepEqual(later.answer, { type: 'stopped' });
  });

  test('send a token, and are computed here when the queue does not take it', async () => {
    const expected = await expectedOf(document);
    const closed = await startNats('--auth', 'a-token');
    try {
      const without = await run(closed.url);
      assert.equal(hashOf(without), expected);
      assert.match(JSON.stringify(without.notices[0]), /reached \(it does not accept the credentials; set AGENT_NATS_CREDS/);
      const admitted = await startWorkerBy(['env', 'AGENT_NATS_TOKEN=a-token'], closed.url);
      const heard = await run(closed.url, { access: { credentials: { ...no_credentials, token: 'a-token' } } });
      assert.equal(hashOf(heard), expected);
      await until(() => admitted.done() > 0, 'a job done by it');
      assert.ok(!admitted.lines.join('\n').includes('a-token'));
      await admitted.stop();
    } finally {
      await closed.remove();
    }
  });

  test('give the same bytes when the queue is killed in mid-run and starts again', async ({ nats, worker, done }) => {
    const expected = await expectedOf(long);
    await Promise.all([worker(), worker()]);
    const again: Promise<void>[] = [];
    let before = 0;
    const heard = await run(nats.url, {
      request: long,
      onGeneration: (generation) => {
        if (generation < 10 || again.length > 0) return;
        const killed = nats.kill().then(() => {
          before = done();
          return nats.start();
        });
        again.push(killed);
      },
    });
    assert.equal(hashOf(heard), expected);
    await Promise.all(again);
    await until(() => done() > before, 'workers work on');
  });

  it('leave every run of two batches to workers, give the outcome of one island and beside threads, and stop when they are told to', () =>
    inQueue(async ({ nats, worker, done }) => {
      await worker();
      const address = readNatsAddress(nats.url);
      assert.ok(typeof address !== 'string');
      const access = () => ({ ...no_workers, keys: null, check_one_in: never });
      const tasks = [1, 2].map((seed) => ({ request: requestOf(document, seed), islands: ['main'] }));
      // Where a busy machine hears no worker in time, the work is done here: then two other batches follow.
      await until(async () => {
        const before = done();
        let isNoticed = false;
        const onWorker = (): void => void (isNoticed = true);
        const runs = new QueuedRuns({ queue: address, access, onWorker, mustStop: () => false });
        const hashes = async (): Promise<readonly string[]> =>
          (await runs.computeAll(tasks, () => undefined)).map(({ outcome_hash }) => outcome_hash);
        assert.deepEqual(await hashes(), await hashes());
        await runs.end();
        await until(() => isNoticed || done() === before + 4, 'four jobs done by the worker');
        return !isNoticed;
      }, 'two batches that a worker computes');

      const batches = done();
      const one = { islands: ['main'], request: { ...document, k: 1e300 } };
      assert.equal(hashOf(await run(nats.url, one)), hashOf(await run('threads', one)));
      const mixed = await simulateOnThread(
        { request: requestOf(document), islands: names },
        {
          islands: readIslands(`a=threads:2,b=${nats.url},c=threads`),
          workers: () => ({ ...no_workers, keys: null }),
        },
      );
      assert.equal(hashOf({ answer: mixed, notices: [] }), await expectedOf(document));
      await until(() => done() > batches, 'a job done by the worker');

      const last = done();
      const request = { ...long, generations: 10_000, horizon: 5 };
      assert.deepEqual((await run(nats.url, { request, mustStop: () => done() > last })).answer, { type: 'stopped' });
    }));
});

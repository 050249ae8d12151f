/** Islands on workers of a NATS queue: the outcome is that of threads, bit for bit, whatever happens to the queue and to the workers. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readIslands } from '../../../src/app/simulation/islands.js';
import type { SimulationAnswer, WorkerAccess, WorkerNotice } from '../../../src/app/simulation/protocol.js';
import { no_workers, simulateOnThread, type SimulationWatch } from '../../../src/app/simulation/thread.js';
import { no_credentials } from '../../../src/nats/credentials.js';
import { program, root } from '../../support/cli-run.js';
import { until } from '../../support/given-daemon.js';
import {
  startBadWorker,
  startNats,
  startUnconnectedWorker,
  startWorkerProcess,
  talking,
  type Nats,
  type WorkerProcess,
} from '../../support/nats.js';
import { real } from '../../support/real.js';
import { requestOf } from '../../support/simulation.js';

const names = ['a', 'b', 'c'];
const document = { entropy: 2, pop_size: 31, generations: 42, num_sectors: 7, mut_rate: 0.3 };
/** Epochs of some hundred ms, so that a worker can be stopped within one. */
const long = { entropy: 2, pop_size: 1_500, generations: 40, num_sectors: 40, horizon: 20 };

interface Heard {
  readonly answer: SimulationAnswer;
  readonly notices: readonly WorkerNotice[];
}

interface Given extends Pick<SimulationWatch, 'onGeneration' | 'mustStop'> {
  readonly request?: object;
  readonly islands?: readonly string[];
  readonly access?: Partial<WorkerAccess>;
  readonly onWorker?: (notice: WorkerNotice) => void;
}

const notices = (type: WorkerNotice['type'], { notices: all }: Heard): readonly WorkerNotice[] =>
  all.filter((notice) => notice.type === type);

async function run(
  backend: string,
  { request = document, islands = names, access, onWorker, ...watch }: Given = {},
): Promise<Heard> {
  const heard: WorkerNotice[] = [];
  const answer = await simulateOnThread(
    { request: requestOf(request), islands },
    {
      ...watch,
      islands: readIslands(islands.map((name) => `${name}=${backend}`).join(',')),
      workers: () => ({ ...no_workers, keys: null, ...access }),
      onWorker: (notice) => {
        heard.push(notice);
        onWorker?.(notice);
      },
    },
  );
  return { answer, notices: heard };
}

const hashOf = ({ answer }: Heard): string => {
  assert.equal(answer.type, 'answered');
  return answer.type === 'answered' ? answer.outcome_hash : '';
};

real('nats', 'islands on workers of a queue', () => {
  let nats: Nats;
  const workers: WorkerProcess[] = [];
  const worker = async (...args: readonly string[]): Promise<WorkerProcess> => {
    const started = await startWorkerProcess(nats.url, ...args);
    workers.push(started);
    return started;
  };
  const bad = async (how: Parameters<typeof startBadWorker>[1]): Promise<WorkerProcess> => {
    const started = await startBadWorker(nats.url, how);
    workers.push(started);
    return started;
  };
  const done = (): number => workers.reduce((sum, each) => sum + each.done(), 0);

  beforeEach(async () => {
    nats = await startNats();
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((each) => each.stop()));
    await nats.remove();
  });

  it('give the outcome of threads with three worker processes, one of which is killed on the way', async () => {
    const here: string[] = [];
    for (const backend of ['threads', 'threads:1', 'threads:2'])
      here.push(hashOf(await run(backend, { request: long, onGeneration: () => undefined })));
    assert.equal(new Set(here).size, 1);
    const [first] = await Promise.all([worker(), worker(), worker()]);
    let killed: Promise<void> | null = null;
    const heard = await run(nats.url, {
      request: long,
      onGeneration: () => {
        if (first !== undefined && first.done() > 1) killed ??= first.stop();
      },
    });
    assert.equal(hashOf(heard), here[0]);
    assert.ok(killed !== null && first !== undefined && first.done() >= 2, 'the worker was killed on the way');
  });

  it('give the outcome of one island, and of islands on threads beside workers', async () => {
    await worker();
    const one = { islands: ['main'] };
    assert.equal(hashOf(await run(nats.url, one)), hashOf(await run('threads', one)));
    const mixed = await simulateOnThread(
      { request: requestOf(document), islands: names },
      {
        islands: readIslands(`a=threads:2,b=${nats.url},c=threads`),
        workers: () => ({ ...no_workers, keys: null }),
      },
    );
    assert.equal(hashOf({ answer: mixed, notices: [] }), hashOf(await run('threads')));
    assert.ok(done() > 0);
  });

  it('stop when they are told to', async () => {
    await worker();
    const heard = await run(nats.url, { request: { ...long, generations: 10_000, horizon: 5 }, mustStop: () => done() > 0 });
    assert.deepEqual(heard.answer, { type: 'stopped' });
  });

  it('are computed here while the queue is down, and by workers once it is there', async () => {
    const expected = hashOf(await run('threads'));
    await nats.kill();
    const heard = await run(nats.url);
    assert.equal(hashOf(heard), expected);
    assert.deepEqual(heard.notices[0], { type: 'alone', isAlone: true });
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

  it('give the same bytes when the queue is killed in mid-run and starts again', async () => {
    const expected = hashOf(await run('threads', { request: long }));
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
    assert.ok(done() > before, 'workers worked on');
  });

  it('give the same bytes when the queue is lost in mid-run', async () => {
    const expected = hashOf(await run('threads', { request: long }));
    await worker();
    let killed: Promise<void> | null = null;
    const heard = await run(nats.url, {
      request: long,
      onGeneration: (generation) => {
        if (generation >= 10) killed ??= nats.kill();
      },
    });
    assert.equal(hashOf(heard), expected);
    assert.ok(killed !== null && done() > 0);
  });

  it('give the job of a stopped worker (SIGSTOP) to another, ignore what it sends later, and name it', async () => {
    const expected = hashOf(await run('threads', { request: long }));
    const [stopped] = await Promise.all([worker(), worker()]);
    const running = run(nats.url, {
      request: long,
      onWorker: ({ type }) => {
        if (type === 'lost') stopped.child.kill('SIGCONT');
      },
    });
    // It may have finished its job in the moment in which it was stopped.
    const holdsJob = async (): Promise<boolean> => {
      if (stopped.taken() === stopped.done()) return false;
      stopped.child.kill('SIGSTOP');
      await sleep(200);
      if (stopped.taken() > stopped.done()) return true;
      stopped.child.kill('SIGCONT');
      return false;
    };
    await until(holdsJob, 'a worker stopped with a job');
    const heard = await running;
    assert.equal(hashOf(heard), expected);
    assert.ok(notices('lost', heard).some((notice) => notice.type === 'lost' && notice.key === stopped.key));
  });

  it('give the same bytes when the queue falls silent in mid-run, its connections open, and comes back', async () => {
    const expected = hashOf(await run('threads', { request: long }));
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
        if (notice.type === 'alone' && notice.isAlone) nats.signal('SIGCONT');
      },
    });
    assert.equal(hashOf(heard), expected);
    assert.ok(notices('alone', heard).length > 0);
  });

  it('send a token, and are computed here when the queue does not take it', async () => {
    const expected = hashOf(await run('threads'));
    const closed = await startNats('--auth', 'a-token');
    try {
      assert.equal(hashOf(await run(closed.url)), expected);
      const admitted = talking(process.execPath, [program, 'worker', '--nats', closed.url, '--json'], {
        AGENT_NATS_TOKEN: 'a-token',
      });
      await until(() => admitted.lines.some((line) => line.includes('"type":"working"')), 'a worker with a token');
      const heard = await run(closed.url, { access: { credentials: { ...no_credentials, token: 'a-token' } } });
      assert.equal(hashOf(heard), expected);
      assert.ok(admitted.lines.some((line) => line.includes('"type":"done"')));
      assert.ok(!admitted.lines.join('\n').includes('a-token'));
      await admitted.stop();
    } finally {
      await closed.remove();
    }
  });

  it('work over TLS with the certificate of the named host and an added key, and send nothing without them', async () => {
    const expected = hashOf(await run('threads'));
    const pem = (name: string): string => join(root, 'test', 'vectors', 'tls', name);
    const closed = await startNats('--tls', '--tlscert', pem('localhost.cert.pem'), '--tlskey', pem('localhost.key.pem'));
    const url = closed.url.replace('nats://127.0.0.1', 'tls://localhost');
    const ca = pem('localhost.cert.pem');
    const credentials = { ...no_credentials, ca: readFileSync(ca, 'utf8') };
    const admitted = talking(process.execPath, [program, 'worker', '--nats', url, '--json'], { AGENT_NATS_CA: ca });
    try {
      await until(() => admitted.lines.some((line) => line.includes('"type":"working"')), 'a worker over TLS');
      const { key } = JSON.parse(admitted.lines[0] ?? '{}') as { key: string };
      const heard = await run(url, { access: { keys: [key], credentials } });
      assert.equal(hashOf(heard), expected);
      assert.ok(admitted.lines.some((line) => line.includes('"type":"done"')));
      const done = admitted.lines.length;
      // The certificate is not of this name; and the other server offers no TLS.
      for (const other of [url.replace('localhost', '127.0.0.1'), nats.url.replace('nats:', 'tls:')])
        assert.deepEqual((await run(other, { access: { keys: [key], credentials } })).notices, [
          { type: 'alone', isAlone: true },
        ]);
      assert.equal(admitted.lines.length, done);
      // Without an added key no worker of such a queue counts.
      assert.equal(hashOf(await run(url, { access: { keys: null, credentials } })), expected);
    } finally {
      await admitted.stop();
      await closed.remove();
    }
  });

  it('give the jobs of a worker whose thread is caught in a loop to another', async () => {
    const expected = hashOf(await run('threads'));
    const loops = await bad('loops');
    const started = run(nats.url);
    await until(() => loops.taken() > 0);
    await worker();
    const heard = await started;
    assert.equal(hashOf(heard), expected);
    assert.ok(notices('lost', heard).some((notice) => notice.type === 'lost' && notice.key === loops.key));
  });

  it('refute a population that looks better than it is, and compute all of that worker again', async () => {
    const expected = hashOf(await run('threads'));
    const liar = await bad('lies');
    const heard = await run(nats.url, { access: { check_one_in: 1 } });
    assert.equal(hashOf(heard), expected);
    assert.deepEqual(notices('refuted', heard), [{ type: 'refuted', key: liar.key }]);
    assert.ok(liar.done() > 0);
  });

  it('count no result of a key that is not accepted', async () => {
    const expected = hashOf(await run('threads'));
    const [known, unknown] = await Promise.all([worker(), worker()]);
    const heard = await run(nats.url, { access: { keys: [known.key] } });
    assert.equal(hashOf(heard), expected);
    for (const notice of notices('ignored', heard))
      assert.deepEqual(notice, { type: 'ignored', key: unknown.key, why: 'its key is not accepted' });
  });

  it('give no job to a worker of another version', async () => {
    const other = await bad('other-version');
    const heard = await run(nats.url);
    assert.equal(hashOf(heard), hashOf(await run('threads')));
    assert.equal(other.taken(), 0);
    assert.deepEqual(heard.notices, [{ type: 'alone', isAlone: true }]);
  });

  it('count a result that is delivered twice once', async () => {
    const twice = await bad('twice');
    const heard = await run(nats.url);
    assert.equal(hashOf(heard), hashOf(await run('threads')));
    assert.ok(twice.done() > 0);
  });
});

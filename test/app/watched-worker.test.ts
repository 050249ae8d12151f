/** Watched threads: life that is seen without messages, a hang that is found whatever its kind, and their priority. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as os from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { acceptedKeys, addWorkerKey, listWorkerKeys, refuteWorkerKey, removeWorkerKey } from '../../src/app/workers/register.js';
import { type StageObserver, Orchestrator } from '../../src/app/orchestrator/orchestrator.js';
import { ownThread, waitedMs } from '../../src/app/threads/watched-thread.js';
import { keepThreads, type WatchedThread, warmThread, watchThread } from '../../src/app/threads/watched-worker.js';
import { damageFaults } from '../../src/app/home/home.js';
import { runWorker, startWorker, type WorkerEvent } from '../../src/app/workers/worker.js';
import type { RefusalError } from '../../src/base/refusal.js';
import { signerFromSeed } from '../../src/journal/keys.js';
import type { NatsLink } from '../../src/app/workers/nats.js';
import { until } from '../support/app/given-daemon.js';
import { rejectsRefusal, laterRefusalOf } from '../support/app/given-home.js';
import { tamper } from '../support/app/mixed-home.js';
import { folderForEach, homeForEach } from '../support/app/temporary-home.js';
import { withoutTriggers } from '../support/journal/without-triggers.js';

const script = new URL('../support/app/watched-child.js', import.meta.url);
const isLinux = process.platform === 'linux';

const child = (ends: 'loops' | 'waits', observer: StageObserver, isBackground = false): WatchedThread<never> =>
  watchThread<never>({
    script,
    task: { lives_ms: 800, ends },
    name: 'the child',
    memory_mb_max: 64,
    isBackground,
    observer,
  });

/** Priorities of this process's threads, as nice values (proc(5), stat, field 19). */
const priorities = (): number[] =>
  readdirSync('/proc/self/task').map((thread) => {
    const fields = readFileSync(`/proc/self/task/${thread}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(fields[16]);
  });

describe('a watched thread', function () {
  for (const ends of ['loops', 'waits'] as const)
    it(`is found to hang only after it ${ends} for longer than the limit`, async () => {
      const agents = new Orchestrator({ limits: { heartbeat_ms: 50, silence_ms_max: 400 } });
      const began = performance.now();
      let thread: WatchedThread<never> | null = null;
      try {
        const work = agents.runStage('strategy', (observer) => {
          thread = child(ends, observer);
          return thread.answer;
        });
        await assert.rejects(work, /^Fault: the strategy agent sent no heartbeat for 0.4 s$/);
        assert.ok(performance.now() - began > 1_100);
      } finally {
        agents.stop();
        void (thread as WatchedThread<never> | null)?.end();
        await (thread as WatchedThread<never> | null)?.answer.catch(() => undefined);
      }
    });

  it('runs with a lower priority in the background, and the main thread keeps its own', async function () {
    if (!isLinux) return this.skip();
    const before = os.getPriority();
    const [nothing, { signal }] = [() => undefined, new AbortController()];
    const observer: StageObserver = { heartbeat: nothing, quiet: nothing, starved: nothing, restarted: nothing, signal };
    const thread = child('waits', observer, true);
    await until(() => priorities().includes(Math.min(19, before + 5)), 'a thread with a lower priority');
    assert.equal(os.getPriority(), before);
    void thread.end();
    await assert.rejects(thread.answer, /the child's thread ended with code/);
    return undefined;
  });

  it('is left to its task where it cannot be started ahead of it', () => {
    keepThreads(1);
    warmThread({ script: new URL('http://localhost/'), memory_mb_max: 64, isBackground: false });
    keepThreads(0);
  });
});

describe('waiting for the processor', () => {
  it('is measured for existing threads, and is 0 for others', async function () {
    assert.deepEqual([waitedMs(0), waitedMs(2 ** 30)], [0, 0]);
    if (!isLinux) return this.skip();
    assert.equal(ownThread(), process.pid);
    assert.ok(waitedMs(ownThread()) >= 0);
    const other = new Worker(
      `require('node:worker_threads').parentPort.postMessage(require('node:fs').readlinkSync('/proc/thread-self'))`,
      {
        eval: true,
      },
    );
    const [where] = (await once(other, 'message')) as [string];
    assert.match(where, /^\d+\/task\/\d+$/);
    assert.notEqual(where, `${process.pid}/task/${process.pid}`);
    return undefined;
  });
});

const [a, b] = ['a1'.repeat(32), 'b2'.repeat(32)] as const;

describe("workers' keys", () => {
  const homes = homeForEach();

  homes.it('leave all workers of loopback until one is added; then only active ones count', async (home) => {
    assert.deepEqual(acceptedKeys(home), { keys: null, refuted: [] });
    await refuteWorkerKey(home, b, 'an epoch was wrong', 'daemon');
    assert.deepEqual(acceptedKeys(home), { keys: null, refuted: [b] });
    await addWorkerKey(home, a, 'rack-1', 'operator');
    assert.deepEqual(acceptedKeys(home), { keys: [a], refuted: [b] });
    await removeWorkerKey(home, a, 'operator');
    assert.deepEqual(acceptedKeys(home), { keys: [], refuted: [b] });
  });

  it('count for nobody when those that were added cannot be read: no worker counts without one', async () => {
    const home = homes.get();
    await home.with((opened) => addWorkerKey(opened, a, 'rack-1', 'operator'));
    const forge = `UPDATE events SET body = replace(body, 'rack-1', 'rack-2') WHERE mission LIKE '@worker:%'`;
    tamper(home, (db) => withoutTriggers(db, () => db.exec(forge)));
    home.with((opened) => assert.deepEqual(acceptedKeys(opened), { keys: [], refuted: [] }), { tolerate: damageFaults });
  });

  homes.it('are recorded once, and a refuted one is used again only after it was added again', async (home) => {
    await addWorkerKey(home, a, 'rack-1', 'operator');
    const { size } = home.writer.head;
    await addWorkerKey(home, a, 'rack-1', 'operator');
    assert.equal(home.writer.head.size, size);
    await refuteWorkerKey(home, a, 'an epoch was wrong', 'daemon');
    await refuteWorkerKey(home, a, 'an epoch was wrong', 'daemon');
    assert.equal(home.writer.head.size, size + 1);
    assert.deepEqual(
      listWorkerKeys(home).items.map(({ name, state }) => [name, state]),
      [['rack-1', 'refuted']],
    );
    await addWorkerKey(home, a, 'rack-1', 'operator');
    assert.deepEqual(acceptedKeys(home), { keys: [a], refuted: [] });
  });

  homes.it('are refused when they are no keys, are there under another name, or share a name', async (home) => {
    await addWorkerKey(home, a, 'rack-1', 'operator');
    await rejectsRefusal(addWorkerKey(home, 'A1', 'rack-2', 'operator'), 'invalid');
    await rejectsRefusal(addWorkerKey(home, b, 'no name', 'operator'), 'invalid');
    await rejectsRefusal(addWorkerKey(home, a, 'rack-2', 'operator'), 'exists');
    await rejectsRefusal(addWorkerKey(home, b, 'rack-1', 'operator'), 'exists');
    await rejectsRefusal(removeWorkerKey(home, b, 'operator'), 'not_found');
  });
});

const folder = folderForEach();

describe('a worker', () => {
  const refusal = async (keyFile: string): Promise<RefusalError['refusal']> => {
    const controller = new AbortController();
    const given = {
      url: 'nats://127.0.0.1:1',
      threads: 1,
      env: {},
      signal: controller.signal,
      onEvent: () => controller.abort(),
    };
    return (await laterRefusalOf(() => startWorker({ ...given, keyFile }))) ?? assert.fail('it was started');
  };

  it('names the key file that cannot be made', async () => {
    const [missing, within, long] = ['nowhere/w.key', 'file/w.key', 'k'.repeat(250)].map((name) => join(folder.get(), name));
    writeFileSync(join(folder.get(), 'file'), '');
    assert.deepEqual(await refusal(missing ?? ''), { code: 'not_found', detail: `${missing}: no such directory` });
    assert.deepEqual(await refusal(within ?? ''), { code: 'not_found', detail: `${within}: no such directory` });
    assert.deepEqual(await refusal(long ?? ''), { code: 'invalid', detail: `${long}: the name is too long` });
  });

  it('reports the first of each failure to take jobs', async () => {
    const controller = new AbortController();
    const events: WorkerEvent[] = [];
    const failures = ['no stream', 'no stream', 'not allowed'];
    const link = {
      onCall: () => undefined,
      onTaskEnded: () => undefined,
      beat: () => undefined,
      nextJob: async () => {
        const [message] = failures.splice(0, 1);
        if (message !== undefined) throw new Error(message);
        controller.abort();
        return null;
      },
    } as unknown as NatsLink;
    const signer = signerFromSeed(randomBytes(32));
    await runWorker(link, controller.signal, { signer, release: '1', threads: 1, onEvent: (event) => void events.push(event) });
    assert.deepEqual(events, [
      { type: 'failing', reason: 'no stream' },
      { type: 'failing', reason: 'not allowed' },
    ]);
  });
});

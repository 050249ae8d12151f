/** Watched threads: life that is seen without messages, a hang that is found whatever its kind, and their priority. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as os from 'node:os';
import { Worker } from 'node:worker_threads';
import { once } from 'node:events';
import { ownThread, waitedMs } from '../../src/app/threads/processor-wait.js';
import { Orchestrator } from '../../src/app/orchestrator/orchestrator.js';
import { watchThread, type WatchedThread } from '../../src/app/threads/watched-worker.js';
import type { StageObserver } from '../../src/app/orchestrator/agent.js';
import { until } from '../support/given-daemon.js';

const script = new URL('../support/watched-child.js', import.meta.url);
const isLinux = process.platform === 'linux';

function child(ends: 'loops' | 'waits', observer: StageObserver, isBackground = false): WatchedThread<null> {
  return watchThread<never, null>({
    script,
    task: { lives_ms: 800, ends },
    name: 'the child',
    memory_mb_max: 64,
    isBackground,
    observer,
    onMessage: () => null,
    stopped: null,
  });
}

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
      let thread: WatchedThread<null> | null = null;
      try {
        const work = agents.runStage('strategy', (observer) => {
          thread = child(ends, observer);
          return thread.answer;
        });
        await assert.rejects(work, /^Fault: the strategy agent sent no heartbeat for 0.4 s$/);
        assert.ok(performance.now() - began > 1_100);
      } finally {
        agents.stop();
        (thread as WatchedThread<null> | null)?.end();
        await (thread as WatchedThread<null> | null)?.answer.catch(() => undefined);
      }
    });

  it('runs with a lower priority in the background, and the main thread keeps its own', async function () {
    if (!isLinux) return this.skip();
    const before = os.getPriority();
    const observer: StageObserver = {
      heartbeat: () => undefined,
      quiet: () => undefined,
      starved: () => undefined,
      restarted: () => undefined,
      signal: new AbortController().signal,
    };
    const thread = child('waits', observer, true);
    await until(() => priorities().includes(Math.min(19, before + 5)), 'a thread with a lower priority');
    assert.equal(os.getPriority(), before);
    thread.end();
    await assert.rejects(thread.answer, /the child's thread ended with code 1/);
    return undefined;
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

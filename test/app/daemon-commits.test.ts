/** Commands of the daemon commit together, and the loop goes on whatever they wait for. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'mocha';
import { pause, resume } from '../../src/app/home/control.js';
import { listPage } from '../../src/app/missions/missions.js';
import { latestNote } from '../../src/journal/reader.js';
import { readControl } from '../../src/rows/control.js';
import { countByState } from '../../src/rows/missions.js';
import { sound, watchCommits } from '../journal/inspect.js';
import { daemonsForEach, endless, longWork, until, type GivenDaemon } from '../support/given-daemon.js';
import { actor, apply, queued } from '../support/given-home.js';
import { homeForEach, submit } from '../support/temporary-home.js';

const script = fileURLToPath(new URL('../support/daemon-child.js', import.meta.url));

/** What a status page reads. */
function readStatus({ home, feed, executions, verification }: GivenDaemon): unknown {
  return [
    readControl(home.db),
    countByState(home.db),
    listPage(home, {}),
    latestNote(home.db),
    feed.newest(),
    executions.running(),
    verification(),
  ];
}

/**
 * Reads so often; returns the milliseconds from asking for a turn of the loop to the end of each read, in order of size. They are for
 * people: the bench has their limits, on a machine of its own.
 */
async function latencies(daemon: GivenDaemon, count: number): Promise<number[]> {
  const taken: number[] = [];
  while (taken.length < count) {
    const began = performance.now();
    await nextTurn();
    readStatus(daemon);
    taken.push(performance.now() - began);
    await sleep(2);
  }
  return taken.toSorted((a, b) => a - b);
}

const quantile = (sorted: readonly number[], q: number): number => sorted[Math.floor(sorted.length * q)] ?? Infinity;

describe('commands of the daemon', () => {
  const daemons = daemonsForEach();
  const homes = homeForEach();

  it('share commits when fifty pauses, resumes and missions arrive together', async () => {
    const daemon = await daemons.start(homes.get());
    const { home } = daemon;
    const committed = watchCommits(home);
    const missions = Array.from({ length: 20 }, (_, n) => home.transact(submit(n)));
    const controls = Array.from({ length: 30 }, (_, n) => (n % 2 === 0 ? pause(home, actor) : resume(home, actor)));
    await Promise.all(missions);
    for (const [n, result] of (await Promise.all(controls)).entries()) {
      assert.deepEqual(result, { state: n % 2 === 0 ? 'paused' : 'ready' });
    }
    const commits = committed().length;
    // A batch ends after some milliseconds, of which a busy machine leaves it few.
    assert.ok(commits >= 1 && commits <= 25, `${commits} commits for 50 commands`);
    assert.equal(home.writer.head.size, 51);
    await sound(home);
  });

  it('leave the event loop its turns while hundreds wait', async () => {
    const daemon = await daemons.start(homes.get());
    const committed = watchCommits(daemon.home);
    let turns = 0;
    const count = (): void => {
      turns++;
      soon = setImmediate(count);
    };
    let soon = setImmediate(count);
    await Promise.all(Array.from({ length: 1_000 }, (_, n) => daemon.home.transact(submit(n))));
    clearImmediate(soon);
    const commits = committed().length;
    assert.ok(commits > 5 && turns >= commits, `${turns} turns during ${commits} commits`);
  });

  it('wait for the long transaction of another process while reads are served', async () => {
    const given = homes.get();
    const daemon = await daemons.start(given);
    const child = spawn(process.execPath, [script, 'writing', given.directory], { stdio: ['pipe', 'pipe', 'inherit'] });
    const closed = once(child, 'close');
    await once(child.stdout, 'data');
    let isDone = false;
    const paused = pause(daemon.home, actor).finally(() => (isDone = true));
    // A loop that waits for the lock itself reads once, if at all.
    await latencies(daemon, 20);
    assert.equal(isDone, false, 'the other process holds the lock');
    child.stdin.end();
    assert.deepEqual(await paused, { state: 'paused' });
    await closed;
  });

  it('leave reads served while four missions execute', async () => {
    const daemon = await daemons.start(homes.get(), { executing_max: 4 });
    await apply(daemon.home, endless);
    for (const n of [1, 2, 3, 4]) {
      const { id } = await queued(daemon.home, longWork(`mission ${n}`));
      await daemon.executions.start(id, actor);
    }
    await until(() => countByState(daemon.home.db).running === 4);
    const taken = await latencies(daemon, 200);
    assert.equal(daemon.executions.running().length, 4);
    const figures = [0.5, 0.9, 0.99].map((q) => quantile(taken, q).toFixed(1)).join(', ');
    console.log(`      reads while four missions execute: p50, p90, p99 = ${figures} ms of ${taken.length}`);
  });
});

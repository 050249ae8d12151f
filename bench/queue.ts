/**
 * Runs on the workers of a NATS queue on this machine: the speed-up of a sweep by a second worker (medians of rounds taken in turn, jobs of
 * half a second and more), small jobs per second, and what a job costs beyond its computation. Needs nats-server. A machine whose processors
 * others use shows less than its own speed-up.
 */
import { no_workers } from '../src/app/simulation/runs/thread.js';
import { QueuedRuns } from '../src/app/simulation/runs/sweep.js';
import type { SimulationTask } from '../src/app/workers/simulation-jobs.js';
import { readNatsAddress } from '../src/codec/nats-url.js';
import { startNats, startWorkerProcess, type WorkerProcess } from '../test/support/app/nats.js';
import { requestOf } from '../test/support/app/simulation.js';
import { median, whole } from './measure.js';

export const name = 'queue';

const rounds = 5;
const large = { entropy: 2, pop_size: 1_000, generations: 300, num_sectors: 30, horizon: 20 };
const large_jobs = 8;
/** Before the clock starts: V8 compiles the engine in a worker that has just begun. */
const warming_jobs = 4;
const small_jobs = 400;
const never = 2 ** 40;

const tasks = (document: object, count: number): SimulationTask[] =>
  Array.from({ length: count }, (_, i) => ({ request: requestOf(document, i), islands: ['main'] }));

/** Returns the elapsed time of all runs, given to a connected queue whose workers are warm. */
async function timed(url: string, runs: readonly SimulationTask[]): Promise<number> {
  const queue = readNatsAddress(url);
  if (typeof queue === 'string') throw new Error(queue);
  const access = { ...no_workers, keys: null, check_one_in: never };
  const queued = new QueuedRuns({ queue, access: () => access, onWorker: () => undefined, mustStop: () => false });
  try {
    await queued.computeAll(tasks(large, warming_jobs), () => undefined);
    const began = performance.now();
    await queued.computeAll(runs, () => undefined);
    return performance.now() - began;
  } finally {
    await queued.end();
  }
}

/** Returns the mean time of a job from its delivery to its stored result, as workers have measured it. */
function meanJob(worker: WorkerProcess, from: number): number {
  const done = worker.lines.filter((line) => line.includes('"type":"done"')).slice(from);
  const times = done.map((line) => (JSON.parse(line) as { ms: number }).ms);
  return times.reduce((sum, ms) => sum + ms, 0) / times.length;
}

export async function run(print: (line: string) => void): Promise<void> {
  const nats = await startNats();
  const first = await startWorkerProcess(nats.url);
  try {
    const one: number[] = [];
    const two: number[] = [];
    for (let i = 0; i < rounds; i++) {
      one.push(await timed(nats.url, tasks(large, large_jobs)));
      const second = await startWorkerProcess(nats.url);
      two.push(await timed(nats.url, tasks(large, large_jobs)));
      await second.stop();
    }
    const job_ms = median(one) / large_jobs;
    print(
      `a sweep of ${large_jobs} runs of ${whole(job_ms)} ms: ${whole(median(one))} ms on one worker, ${whole(median(two))} ms on two`,
    );
    print(`speed-up by the second worker: ${(median(one) / median(two)).toFixed(2)} (median of ${rounds})`);
    const before = first.done() + warming_jobs;
    const small_ms = await timed(nats.url, tasks({}, small_jobs));
    print(`small runs: ${whole((small_jobs * 1_000) / small_ms)} jobs/s on one worker`);
    const inside = meanJob(first, before);
    print(
      `a small run: ${(small_ms / small_jobs).toFixed(1)} ms, ${inside.toFixed(1)} ms of it from its delivery to its stored result`,
    );
  } finally {
    await first.stop();
    await nats.remove();
  }
}

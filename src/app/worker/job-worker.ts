/** A thread that computes jobs, one after the other. Each evaluation, generation and checkpoint is a heartbeat. */
import { parentPort } from 'node:worker_threads';
import { serveTasks, type OwnWatch } from '../threads/watched-thread.js';
import { computeEpoch, readEpoch, writePopulation } from '../simulation/epoch-job.js';
import { computeRun, readRunJob } from '../simulation/run-job.js';
import type { JobAnswer, JobTask } from './job-protocol.js';

class Stopped extends Error {}

function post(answer: JobAnswer): void {
  parentPort?.postMessage(answer, answer.type === 'computed' ? [answer.output.buffer] : []);
}

function compute({ type, input }: JobTask, { mustStop, alive }: OwnWatch): JobAnswer {
  const checkpoint = (): void => {
    if (mustStop()) throw new Stopped();
    alive();
  };
  if (type === 'mission') return { type: 'refused', why: 'missions are not computed here' };
  if (type === 'run') {
    const run = readRunJob(input);
    if (run === null) return { type: 'refused', why: 'the input is no run' };
    return { type: 'computed', output: computeRun(run, checkpoint, alive) };
  }
  const epoch = readEpoch(input);
  if (epoch === null) return { type: 'refused', why: 'the input is no epoch' };
  return { type: 'computed', output: writePopulation(computeEpoch(epoch, checkpoint, alive)) };
}

serveTasks<JobTask>((task, watch) => {
  try {
    post(compute(task, watch));
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    post({ type: 'stopped' });
  }
  return () => undefined;
});

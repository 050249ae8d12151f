/** A thread that computes jobs, one after the other. Each evaluation, generation and checkpoint is a heartbeat. */
import { parentPort } from 'node:worker_threads';
import type { JobType } from '../../codec/jobs.js';
import { type OwnWatch, serveTasks, Stopped } from '../threads/watched-thread.js';
import { computeMission, readMissionJob } from './mission-job.js';
import { computeEpoch, computeRun, readEpoch, readRunJob, writePopulation } from './simulation-jobs.js';

export interface JobTask {
  readonly type: JobType;
  readonly input: Uint8Array;
}

export type JobOutcome =
  /** `output` is sent without a copy. */
  | { readonly type: 'computed'; readonly output: Uint8Array<ArrayBuffer> }
  /** The input describes no job that this program can compute. */
  | { readonly type: 'refused'; readonly why: string }
  | { readonly type: 'stopped' };

/** `share` is the finished share of the job, from 0 to 1. */
export type JobMessage = JobOutcome | { readonly type: 'progress'; readonly share: number };

const share_step = 0.005;

function post(message: JobMessage): void {
  parentPort?.postMessage(message, message.type === 'computed' ? [message.output.buffer] : []);
}

async function compute({ type, input }: JobTask, { mustStop, alive }: OwnWatch): Promise<JobOutcome> {
  const checkpoint = (): void => {
    if (mustStop()) throw new Stopped();
    alive();
  };
  if (type === 'mission') {
    const mission = readMissionJob(input);
    if (mission === null) return { type: 'refused', why: 'the input is not a mission that this version computes' };
    return { type: 'computed', output: await computeMission(mission, sharing(checkpoint)) };
  }
  if (type === 'run') {
    const run = readRunJob(input);
    if (run === null) return { type: 'refused', why: 'the input is not a run' };
    return { type: 'computed', output: computeRun(run, checkpoint, alive) };
  }
  const epoch = readEpoch(input);
  if (epoch === null) return { type: 'refused', why: 'the input is not an epoch' };
  return { type: 'computed', output: writePopulation(computeEpoch(epoch, checkpoint, alive)) };
}

/** Returns a checkpoint that also reports the finished share. */
function sharing(checkpoint: () => void): (share: number) => void {
  let reported = 0;
  return (share) => {
    checkpoint();
    if (share - reported < share_step) return;
    reported = share;
    post({ type: 'progress', share: Math.min(1, share) });
  };
}

serveTasks<JobTask>(async (task, watch) => {
  try {
    post(await compute(task, watch));
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    post({ type: 'stopped' });
  }
});

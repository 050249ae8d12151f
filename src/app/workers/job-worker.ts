/** A thread that computes jobs, one after the other. Each evaluation, generation and checkpoint is a heartbeat. */
import type { JobType } from '../../codec/jobs.js';
import { serveTasks, type TaskWatch } from '../threads/watched-thread.js';
import { computeMission, readMissionJob } from './mission-job.js';
import { computeEpoch, computeRun, readEpoch, readRunJob, writePopulation } from './simulation-jobs.js';

export interface JobTask {
  readonly type: JobType;
  readonly input: Uint8Array;
}

/** The output is sent without a copy. A job is refused when its input describes none that this program can compute. */
export type JobOutcome =
  | { readonly type: 'computed'; readonly output: Uint8Array<ArrayBuffer> }
  | { readonly type: 'refused'; readonly reason: string };

/** The finished share of the job, from 0 to 1. */
type JobNews = number;

const share_step = 0.005;

async function compute({ type, input }: JobTask, { checkpoint, alive, tell }: TaskWatch<JobNews>): Promise<JobOutcome> {
  if (type === 'mission') {
    const mission = readMissionJob(input);
    if (mission === null) return { type: 'refused', reason: 'the input is not a mission that this version computes' };
    return { type: 'computed', output: await computeMission(mission, sharing(checkpoint, tell)) };
  }
  if (type === 'run') {
    const run = readRunJob(input);
    if (run === null) return { type: 'refused', reason: 'the input is not a run' };
    return { type: 'computed', output: computeRun(run, checkpoint, alive) };
  }
  const epoch = readEpoch(input);
  if (epoch === null) return { type: 'refused', reason: 'the input is not an epoch' };
  return { type: 'computed', output: writePopulation(computeEpoch(epoch, checkpoint, alive)) };
}

/** Returns a checkpoint that also reports the finished share. */
function sharing(checkpoint: () => void, tell: (share: number) => void): (share: number) => void {
  let reported = 0;
  return (share) => {
    checkpoint();
    if (share - reported < share_step) return;
    reported = share;
    tell(Math.min(1, share));
  };
}

serveTasks<JobTask, JobOutcome, JobNews>(compute, (outcome) => (outcome.type === 'computed' ? outcome.output.buffer : null));

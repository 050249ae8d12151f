/** Computes jobs in this process, one after the other. */
import { Fault } from '../../base/fault.js';
import type { Job, JobAnswer, WhyHere } from './job.js';

export class LocalQueue {
  private last: Promise<unknown> = Promise.resolve();
  private count = 0;

  constructor(
    private readonly compute: (job: Job, why: WhyHere) => Uint8Array | Promise<Uint8Array>,
    private readonly signal: AbortSignal,
  ) {}

  get isBusy(): boolean {
    return this.count > 0;
  }

  add(job: Job, why: WhyHere): Promise<JobAnswer> {
    this.count++;
    const computed = this.last.then(async () => {
      if (this.signal.aborted) throw new Fault('the task of the job has ended');
      return { output: await this.compute(job, why), key: null };
    });
    const leave = (): void => void this.count--;
    this.last = computed.then(leave, leave);
    return computed;
  }
}

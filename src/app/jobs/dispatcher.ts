/**
 * The home's side of work on other machines. Jobs go into the queue, and each is answered exactly once: by the first acceptable result of a
 * worker, or by computing it here where no worker does. Which of them answers never changes a byte.
 */
import { sha256Hex } from '../../base/hash.js';
import {
  job_deliveries_max,
  job_inline_bytes_max,
  job_look_ms,
  job_redelivered_ms_max,
  job_silence_ms_max,
  job_waiting_ms_max,
} from '../../base/worker-limits.js';
import type { WorkerBeat } from '../../codec/jobs.js';
import type { NatsLink } from '../../nats/link.js';
import { readBeat } from './beat.js';
import { writeFrame } from './frame.js';
import { Heard } from './heard.js';
import type { Job, JobAnswer, WhyHere } from './job.js';
import { LocalQueue } from './local-queue.js';
import { objection, type Pending } from './pending.js';
import { readResult } from './result.js';

export interface DispatcherOptions {
  /** Connects to the queue, with retries until the signal aborts. */
  readonly connect: (signal: AbortSignal) => Promise<NatsLink>;
  readonly release: string;
  /** Names all jobs of this dispatcher; drawn at random, so that results of earlier attempts have other names. */
  readonly task: string;
  /** Returns whether results of a key count. */
  readonly accepts: (key: string) => boolean;
  /** Computes a job here; its error is that of the job. */
  readonly compute: (job: Job, why: WhyHere) => Uint8Array | Promise<Uint8Array>;
  /** Receives the finished share of a job that a worker computes. */
  readonly onShare?: (name: string, share: number) => void;
  /** A worker that had taken a job has shown no progress for 5 s; another one will do its job. */
  readonly onLost?: (key: string) => void;
  /** A result that does not count, and why. */
  readonly onRefused?: (key: string | null, why: string) => void;
  /** Called when it begins, and when it ends, that jobs are computed here because no worker answers. */
  readonly onAlone?: (isAlone: boolean) => void;
}

const pause_ms_max = 1_000;

export class Dispatcher {
  private readonly pending = new Map<string, Pending>();
  private readonly ending = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private link: NatsLink | null = null;
  private lookedAt = performance.now();
  private readonly heard = new Heard();
  private isAlone = false;
  private readonly here: LocalQueue;

  constructor(private readonly options: DispatcherOptions) {
    this.here = new LocalQueue(options.compute, this.ending.signal);
    this.timer = setInterval(() => this.look(), job_look_ms);
    options.connect(this.ending.signal).then(
      (link) => this.connected(link),
      // The only end of the tries is that of the task.
      () => undefined,
    );
  }

  submit(job: Job): Promise<JobAnswer> {
    return new Promise((settle) => {
      const pending: Pending = {
        job,
        input_sha256: sha256Hex(job.input),
        settle,
        taken: null,
        lost: 0,
        place: null,
        since: performance.now(),
      };
      this.pending.set(job.name, pending);
      if (this.link !== null) void this.send(this.link, pending);
    });
  }

  /** Forgets all jobs: they are removed from the queue, and their results are ignored. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    const left = [...this.pending.values()].flatMap(({ place }) => (place === null ? [] : [place]));
    this.pending.clear();
    this.ending.abort();
    const { link } = this;
    this.link = null;
    if (link === null) return;
    // Should the queue be gone, it forgets them by itself after a day.
    if (link.isConnected) {
      if (left.length > 0) link.endTask(this.options.task);
      await Promise.allSettled([...left.map((place) => link.removeJob(place)), link.removeResults(this.options.task)]);
    }
    await link.close();
  }

  private connected(link: NatsLink): void {
    if (this.ending.signal.aborted) return void link.close();
    this.link = link;
    this.heard.connected();
    link.onResult(this.options.task, (message) => this.read(message));
    link.onBeat((message) => this.hear(message));
    link.onReconnect(() => this.sendAgain(link));
    link.callWorkers();
    for (const pending of this.pending.values()) void this.send(link, pending);
  }

  /** After a reconnection: takes the results that came meanwhile, and queues again what has none. The queue ignores what it still has. */
  private sendAgain(link: NatsLink): void {
    this.heard.connected();
    for (const pending of this.pending.values()) {
      const { name } = pending.job;
      void link.storedResult({ task: this.options.task, name }).then(
        (message) => {
          if (message !== null) this.read(message);
          if (this.pending.get(name) === pending) void this.send(link, pending);
        },
        () => undefined,
      );
    }
  }

  /** Queues a job. What fails here is done by `look`: a job that nobody takes is computed here. */
  private async send(link: NatsLink, pending: Pending): Promise<void> {
    const { release, task } = this.options;
    const { job, input_sha256 } = pending;
    const { type, name, input, notBy = [] } = job;
    const is_stored = input.length > job_inline_bytes_max;
    const header = { type, task, name, input_sha256, is_stored, not_by: notBy };
    try {
      if (is_stored) await link.put(input);
      pending.place = await link.publishJob({ release, task, name }, writeFrame(header, is_stored ? new Uint8Array() : input));
    } catch {
      // The connection is lost, or the server refuses the message.
    }
  }

  private hear(message: Uint8Array): void {
    const beat = readBeat(message);
    if (beat === null || beat.release !== this.options.release || !this.options.accepts(beat.key) || beat.is_ending) return;
    this.heard.worker(beat.jobs.length === 0);
    for (const job of beat.jobs) if (job.task === this.options.task) this.progress(beat, job);
  }

  private progress({ key }: WorkerBeat, { name, delivery, progress, share }: WorkerBeat['jobs'][number]): void {
    const pending = this.pending.get(name);
    if (pending === undefined || delivery <= pending.lost) return;
    const { taken } = pending;
    if (taken === null || delivery > taken.delivery) {
      if (taken !== null) this.lose(pending);
      pending.taken = { key, delivery, progress };
    } else if (delivery === taken.delivery && progress > taken.progress) taken.progress = progress;
    else return;
    pending.since = performance.now();
    if (share !== null) this.options.onShare?.(name, share);
  }

  private lose(pending: Pending): void {
    const { taken } = pending;
    if (taken === null) return;
    pending.lost = taken.delivery;
    pending.taken = null;
    pending.since = performance.now();
    this.options.onLost?.(taken.key);
  }

  private read(message: Uint8Array): void {
    const result = readResult(message);
    if (result === null) return this.options.onRefused?.(null, 'a result is malformed or not signed by the key that it names');
    const { claim, output } = result;
    const pending = this.pending.get(claim.name);
    if (pending === undefined || claim.task !== this.options.task || claim.delivery <= pending.lost) return;
    const why = objection(claim, pending, this.options);
    if (why === null)
      this.settle(pending, output === null ? this.fetch(pending, claim.output_sha256, claim.key) : { output, key: claim.key });
    else {
      this.options.onRefused?.(claim.key, why);
      // The job has left the queue with this result.
      this.computeHere(pending, 'not_counted');
    }
  }

  /** Returns the output from the object store; what is not there, or is not what was signed, is computed here. */
  private async fetch({ job }: Pending, hash: string, key: string): Promise<JobAnswer> {
    try {
      const output = (await this.link?.get(hash)) ?? null;
      if (output !== null) {
        void this.link?.forget(hash).catch(() => undefined);
        return { output, key };
      }
    } catch {
      // The connection is lost.
    }
    return this.here.add(job, 'unreadable');
  }

  private settle(pending: Pending, answer: JobAnswer | Promise<JobAnswer>): void {
    this.pending.delete(pending.job.name);
    pending.settle(answer);
  }

  private computeHere(pending: Pending, why: WhyHere): void {
    // A job that a worker has finished is not there any more.
    if (pending.place !== null) void this.link?.removeJob(pending.place).catch(() => undefined);
    this.settle(pending, this.here.add(pending.job, why));
  }

  /** Looks after the jobs in flight: notices workers that show no progress, and computes here what no worker does. */
  private look(): void {
    const now = performance.now();
    if (now - this.lookedAt > pause_ms_max) this.shift(now - this.lookedAt);
    this.lookedAt = now;
    for (const pending of this.pending.values())
      if (pending.taken !== null && now - pending.since > job_silence_ms_max) this.lose(pending);
    const isAlone = this.heard.isNobody(now);
    if (isAlone !== this.isAlone && (!isAlone || this.pending.size > 0)) this.options.onAlone?.((this.isAlone = isAlone));
    // One at a time, so that workers that come back find the rest in the queue.
    if (this.here.isBusy) return;
    for (const pending of this.pending.values()) {
      const isLeft = pending.job.waiting_ms_max === undefined ? isAlone : this.heard.isNobody(now, true);
      if (pending.taken !== null || !(isLeft || this.isOverdue(pending, now))) continue;
      this.computeHere(pending, !isLeft ? 'overdue' : this.link?.isConnected === true ? 'nobody' : 'unreachable');
      return;
    }
  }

  /** Makes up for a time in which this thread heard nobody, because it computed a job or its process was stopped. */
  private shift(ms: number): void {
    this.heard.shift(ms);
    for (const pending of this.pending.values()) pending.since += ms;
  }

  private isOverdue({ job, lost, since }: Pending, now: number): boolean {
    // A worker without a job would have taken this one, had the queue delivered it; after a worker that nobody heard it delivers it again.
    const idle_ms_max = job.waiting_ms_max === undefined ? job_silence_ms_max : job_redelivered_ms_max;
    if (lost >= job_deliveries_max || this.heard.idleAt - since > idle_ms_max) return true;
    return now - since > (job.waiting_ms_max ?? (lost > 0 ? job_redelivered_ms_max : job_waiting_ms_max));
  }
}

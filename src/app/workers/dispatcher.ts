/**
 * The home's side of work on other machines. Jobs go into the queue, and each is answered exactly once: by the first acceptable result of a
 * worker, or by computing it here where no worker does. Which of them answers never changes a byte.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sha256Hex } from '../../base/bytes.js';
import { job_inline_bytes_max, job_silence_ms_max } from '../../base/limits.js';
import type { JobClaim, WorkerBeat } from '../../codec/jobs.js';
import type { NatsAddress } from '../../codec/nats-url.js';
import { type NatsLink, openNats } from './nats.js';
import type { NatsCredentials } from './nats-credentials.js';
import {
  Heard,
  type Job,
  job_redelivered_ms_max,
  type JobAnswer,
  objection,
  otherVersionText,
  type Pending,
  uncountedText,
  undelivered,
  type LocalReason,
} from './home-jobs.js';
import { ownRelease, readBeat, readResult, writeFrame } from './messages.js';
import type { WorkerNotice } from './register.js';
import { Fault } from '../../base/refusal.js';
import { Gate } from '../../base/gate.js';

/** Deliveries of one job to workers; after them it is computed at home. */
const job_deliveries_max = 4;
/** Time that a job waits in the queue while workers are alive, before it is computed at home. */
const job_waiting_ms_max = 120_000;
/** Time after which a job that cannot be computed here, and that no worker has said it holds, is given up while other workers are idle. */
const job_held_ms_max = 20_000;
/** Time to read an output from the object store. */
const output_ms_max = 60_000;
/** Keys that a queued job excludes. */
const excluded_max = 64;
/** Time between two looks whether a job has left the queue with a result that does not count. */
const restore_look_ms = 250;
/** Time between two tries to queue a job. */
const queue_again_ms = 1_000;
/** Time between two checks of the jobs in flight. */
const job_look_ms = 100;
const pause_ms_max = 1_000;

/** A queue, and how this machine proves itself there. */
export interface Queue {
  readonly address: NatsAddress;
  readonly credentials: NatsCredentials;
}

interface DispatcherOptions {
  readonly queue: Queue;
  /** Returns whether results of a key count. */
  readonly accepts: (key: string) => boolean;
  /** Computes a job here; its error is that of the job. */
  readonly compute: (job: Job, reason: LocalReason) => Uint8Array | Promise<Uint8Array>;
  /** Called ten times a second while this thread is free; throws when the work must end, which `during` then does. */
  readonly checkpoint: () => void;
  readonly onNotice: (notice: WorkerNotice) => void;
  /** Receives the finished share of a job that a worker computes. */
  readonly onShare?: (name: string, share: number) => void;
}

export class Dispatcher {
  /** Names all jobs of this dispatcher; drawn at random, so that results of earlier attempts have other names. */
  private readonly task = randomBytes(16).toString('hex');
  private readonly pending = new Map<string, Pending>();
  private readonly ending = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private link: NatsLink | null = null;
  private lookedAt = performance.now();
  private readonly heard = new Heard();
  private isAlone = false;
  /** The results that do not count of which the operator was told. */
  private readonly ignored = new Set<string>();
  /** Computes jobs here, one after the other. */
  private readonly here = new Gate(1);
  /** Rejects when the work must end. */
  private readonly stopped: Promise<never>;

  constructor(private readonly options: DispatcherOptions) {
    const { queue, checkpoint } = options;
    let stop: (error: unknown) => void = () => undefined;
    this.stopped = new Promise((_, reject) => (stop = reject));
    this.stopped.catch(() => undefined);
    this.timer = setInterval(() => {
      try {
        checkpoint();
      } catch (error) {
        stop(error);
      }
      this.look();
    }, job_look_ms);
    openNats(queue.address, queue.credentials, this.ending.signal, ({ message }) => this.heard.refused(message)).then(
      (link) => this.connected(link),
      // The only end of the tries is that of the task.
      () => undefined,
    );
  }

  /** Waits for work on submitted jobs. @throws what the checkpoint throws meanwhile */
  during<A>(work: Promise<A>): Promise<A> {
    return Promise.race([work, this.stopped]);
  }

  submit(job: Job): Promise<JobAnswer> {
    return new Promise((settle) => {
      const pending: Pending = {
        job,
        input_sha256: sha256Hex(job.input),
        settle,
        name: job.name,
        rounds: 0,
        notBy: job.notBy ?? [],
        sent: Promise.resolve(),
        isDoubtful: false,
        isArriving: false,
        ...undelivered(),
      };
      this.pending.set(job.name, pending);
      if (this.link !== null) this.send(this.link, pending);
    });
  }

  /** Forgets all jobs: they are removed from the queue, and their results are ignored. */
  async end(): Promise<void> {
    const left = [...this.pending.values()].flatMap(({ place }) => (place === null ? [] : [place]));
    this.pending.clear();
    this.ending.abort();
    const { link } = this;
    this.link = null;
    // Should the queue be gone, it forgets them by itself after a day.
    if (link?.isConnected === true) {
      // Also without a job left: one that was queued twice may be computed twice.
      link.endTask(this.task);
      await Promise.allSettled([...left.map((place) => link.removeJob(place)), link.removeResults(this.task)]);
    }
    await link?.close();
    // A queue that hangs holds this up for seconds, in which the checkpoint is still called.
    clearInterval(this.timer);
  }

  private connected(link: NatsLink): void {
    if (this.ending.signal.aborted) return void link.close();
    this.link = link;
    this.heard.connected();
    link.onResult(this.task, (message) => this.read(message));
    link.onBeat((message) => this.hear(message));
    link.onReconnect(() => this.sendAgain(link));
    link.callWorkers();
    for (const pending of this.pending.values()) this.send(link, pending);
  }

  /** After a reconnection: takes the results that came meanwhile, and queues again what has none. The queue ignores what it still has. */
  private sendAgain(link: NatsLink): void {
    this.heard.connected();
    for (const pending of this.pending.values()) this.send(link, pending, true);
  }

  private send(link: NatsLink, pending: Pending, isAgain = false): void {
    pending.sent = this.queue(link, pending, isAgain);
  }

  /** Queues a job, with retries until it is answered: one that nobody takes is computed here by `look`. */
  private async queue(link: NatsLink, pending: Pending, isAgain: boolean): Promise<void> {
    const { task } = this;
    const { job, input_sha256, name, notBy } = pending;
    const { type, input } = job;
    const is_stored = input.length > job_inline_bytes_max;
    const header = { type, task, name, input_sha256, is_stored, not_by: notBy };
    const isLeft = (): boolean => this.pending.get(name) === pending;
    while (isLeft()) {
      try {
        const message = isAgain ? await link.storedResult({ task, name }) : null;
        if (message !== null) this.read(message);
        if (!isLeft()) return;
        if (is_stored) await link.put(input);
        pending.place = await link.publishJob(
          { release: ownRelease, task, name },
          writeFrame(header, is_stored ? new Uint8Array() : input),
        );
        return;
      } catch {
        // The connection is lost, or the server refuses the message, as with a full disk.
        await sleep(queue_again_ms, undefined, { ref: false });
      }
    }
  }

  private hear(message: Uint8Array): void {
    const beat = readBeat(message);
    if (beat === null || beat.is_ending) return;
    const { url } = this.options.queue.address;
    if (beat.release !== ownRelease) return this.heard.unused(otherVersionText(url, beat.version));
    if (!this.options.accepts(beat.key)) return this.heard.unused(uncountedText(url));
    this.heard.worker(beat);
    for (const job of beat.jobs) if (job.task === this.task) this.progress(beat, job);
  }

  private progress({ key }: WorkerBeat, { name, delivery, progress, share }: WorkerBeat['jobs'][number]): void {
    const pending = this.pending.get(name);
    if (pending === undefined) return;
    const { taken, gone } = pending;
    const last = gone.get(`${key} ${delivery}`);
    if (last !== undefined) {
      // While only this home was cut off, the worker has made progress. A worker that was stopped itself has lost the job, and makes none.
      if (taken !== null || progress <= last) return;
      gone.delete(`${key} ${delivery}`);
      pending.lost--;
    }
    if (taken === null || delivery > taken.delivery) {
      if (pending.lost >= job_deliveries_max) return;
      if (taken !== null) this.lose(pending);
      this.noticeUnheard(pending, delivery);
      pending.taken = { key, delivery, progress };
    } else if (key === taken.key && delivery === taken.delivery && progress > taken.progress) taken.progress = progress;
    else return;
    pending.since = performance.now();
    if (share !== null) this.options.onShare?.(pending.job.name, share);
  }

  /**
   * Notices the workers to which the queue gave a job and that were gone before they said so: there are deliveries of them before this one. A worker
   * that may not compute the job gives it back without a word, so nothing is known of a job that excludes any. Anybody can name a delivery: few count.
   */
  private noticeUnheard(pending: Pending, delivery: number): void {
    if (pending.notBy.length > 0) return;
    const unheard = Math.min(delivery - 1 - pending.lost, job_deliveries_max);
    for (let i = 0; i < unheard; i++) this.options.onNotice({ type: 'lost', key: null });
    pending.lost = Math.max(pending.lost, delivery - 1);
  }

  private lose(pending: Pending): void {
    const { taken } = pending;
    if (taken === null) return;
    pending.gone.set(`${taken.key} ${taken.delivery}`, taken.progress);
    pending.lost = Math.max(pending.lost + 1, taken.delivery);
    pending.taken = null;
    pending.since = performance.now();
    this.options.onNotice({ type: 'lost', key: taken.key });
  }

  private read(message: Uint8Array): void {
    const result = readResult(message);
    if (result === null) return this.tellIgnored(null, 'a result is malformed or not signed by the key that it names');
    const { claim, output } = result;
    const pending = this.pending.get(claim.name);
    if (pending === undefined || claim.task !== this.task) return;
    const reason = objection(claim, pending, this.options.accepts);
    if (reason !== null) this.ignore(pending, claim.key, reason);
    else if (output === null) void this.fetch(pending, claim);
    else this.settle(pending, { output, key: claim.key });
  }

  /** Answers a job with an output from the object store. A result whose output is not there, or is not what was signed, does not count. */
  private async fetch(pending: Pending, { output_sha256, key }: JobClaim): Promise<void> {
    const { link } = this;
    const { name } = pending;
    if (link === null || pending.isArriving) return;
    pending.isArriving = true;
    const read = link.get(output_sha256).catch(() => null);
    const output = await Promise.race([read, sleep(output_ms_max, null, { ref: false })]);
    pending.isArriving = false;
    if (this.pending.get(name) !== pending) return;
    if (output === null) return this.ignore(pending, key, 'its output is missing');
    void link.forget(output_sha256).catch(() => undefined);
    this.settle(pending, { output, key });
  }

  /** Tells each reason once for each key, and not of more keys than a job excludes, so that whoever reaches the queue cannot fill the log. */
  private tellIgnored(key: string | null, reason: string): void {
    const ignored = `${key} ${reason}`;
    if (this.ignored.has(ignored) || this.ignored.size === excluded_max) return;
    this.ignored.add(ignored);
    this.options.onNotice({ type: 'ignored', key, reason });
  }

  /** Leaves a job to the other workers after a result that does not count. */
  private ignore(pending: Pending, key: string, reason: string): void {
    this.tellIgnored(key, reason);
    if (pending.isDoubtful) return;
    pending.isDoubtful = true;
    void this.restore(pending, key).finally(() => (pending.isDoubtful = false));
  }

  /**
   * Queues a job again once it has left the queue with a result that does not count; the worker of that result must leave it to others. A
   * result that came while another worker has the job changes nothing. A job that can be computed here is given to workers only so often.
   */
  private async restore(pending: Pending, key: string): Promise<void> {
    const { name, job } = pending;
    await pending.sent;
    const isHere = (): boolean => this.pending.get(name) === pending;
    // A worker sends its result before it removes the job.
    while (await this.isQueued(pending)) {
      await sleep(restore_look_ms, undefined, { ref: false });
      if (!isHere()) return;
    }
    const { link } = this;
    if (link === null || !isHere() || pending.isArriving) return;
    if (job.waiting_ms_max === undefined && pending.rounds + 1 >= job_deliveries_max) return this.computeHere(pending, 'overdue');
    this.pending.delete(name);
    pending.name = `${job.name}_${++pending.rounds}`;
    if (pending.notBy.length < excluded_max) pending.notBy = [...pending.notBy, key];
    Object.assign(pending, undelivered());
    this.pending.set(pending.name, pending);
    this.send(link, pending);
  }

  /** Returns whether a job is in the queue, as far as is known. */
  private isQueued({ place }: Pending): Promise<boolean> {
    return this.link === null || place === null ? Promise.resolve(true) : this.link.hasJob(place).catch(() => true);
  }

  private settle(pending: Pending, answer: JobAnswer | Promise<JobAnswer>): void {
    this.pending.delete(pending.name);
    pending.settle(answer);
  }

  private computeHere(pending: Pending, reason: LocalReason): void {
    const isHeld = reason === 'overdue' && this.isHeld(pending);
    if (pending.place !== null && this.link !== null) void this.withdraw(this.link, pending.place, pending, isHeld);
    const compute = async (): Promise<JobAnswer> => {
      if (this.ending.signal.aborted) throw new Fault('the task of the job has ended');
      return { output: await this.options.compute(pending.job, reason), key: null };
    };
    this.settle(pending, this.here.run(compute));
  }

  /**
   * Takes a job out of the queue. One that the queue has given away, and that nobody was heard of, went to a worker that is gone; as above, nothing
   * is known of a job that excludes any.
   */
  private async withdraw(link: NatsLink, place: number, { lost, notBy }: Pending, isHeld: boolean): Promise<void> {
    const isGiven = isHeld || (lost === 0 && (await link.wasGiven(ownRelease, place).catch(() => false)));
    if (isGiven && notBy.length === 0) this.options.onNotice({ type: 'lost', key: null });
    // A job that a worker has finished is not there any more.
    await link.removeJob(place).catch(() => undefined);
  }

  /** Looks after the jobs in flight: notices workers that show no progress, and computes here what no worker does. */
  private look(): void {
    const now = performance.now();
    if (now - this.lookedAt > pause_ms_max) this.shift(now - this.lookedAt);
    this.lookedAt = now;
    const waiting = [...this.pending.values()].filter(({ isArriving }) => !isArriving);
    for (const pending of waiting) if (pending.taken !== null && now - pending.since > job_silence_ms_max) this.lose(pending);
    const isAlone = this.heard.isNobody(now);
    const isConnected = this.link?.isConnected === true;
    if (isAlone !== this.isAlone && (!isAlone || this.pending.size > 0)) {
      this.isAlone = isAlone;
      const why = isAlone ? this.heard.why(this.options.queue.address.url, isConnected) : null;
      this.options.onNotice({ type: 'alone', why });
    }
    // One at a time, so that workers that come back find the rest in the queue.
    if (this.here.isFull) return;
    for (const pending of waiting) {
      const isLeft = pending.job.waiting_ms_max === undefined ? isAlone : this.heard.isNobody(now, true);
      if (pending.taken !== null || !(isLeft || this.isOverdue(pending, now))) continue;
      const reason = isConnected ? 'nobody' : 'unreachable';
      this.computeHere(pending, isLeft ? reason : pending.place === null ? 'refused' : 'overdue');
      return;
    }
  }

  /** Makes up for a time in which this thread heard nobody, because it computed a job or its process was stopped. */
  private shift(ms: number): void {
    this.heard.shift(ms);
    for (const pending of this.pending.values()) pending.since += ms;
  }

  /**
   * Whether a worker that nobody heard holds a job: one without a job would have taken it, had the queue not given it to another before. The queue
   * gives it to the next after `job_silence_ms_max`, and a job that cannot be computed here waits for that.
   */
  private isHeld({ job, since }: Pending): boolean {
    return this.heard.idleAt - since > (job.waiting_ms_max === undefined ? job_silence_ms_max : job_held_ms_max);
  }

  private isOverdue(pending: Pending, now: number): boolean {
    const { job, lost, since } = pending;
    if (lost >= job_deliveries_max || this.isHeld(pending)) return true;
    return now - since > (job.waiting_ms_max ?? (lost > 0 ? job_redelivered_ms_max : job_waiting_ms_max));
  }
}

/**
 * A worker: takes jobs from a queue, computes them on threads, and sends the signed results. It holds no home and no token. A job is told to
 * be in progress only after its thread has passed a checkpoint; one that makes none for 5 s is abandoned, and the queue delivers it again.
 */
import { invalid, messageOf, RefusalError } from '../../base/refusal.js';
import { randomBytes } from 'node:crypto';
import * as os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { sha256Hex, toHex, utf8 } from '../../base/bytes.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { threadScript } from '../../base/thread-script.js';
import { job_bytes_max, job_silence_ms_max, nats_retry_ms } from '../../base/limits.js';
import { jobHeader, type JobHeader, type WorkerBeat } from '../../codec/jobs.js';
import { readNatsAddress } from '../../codec/nats-url.js';
import { createFile, fileError } from '../../home/files.js';
import { permissionFault } from '../../home/permission-fault.js';
import { readRegularFile } from '../../home/regular-file.js';
import { seed_bytes, type Signer, signerFromSeed } from '../../journal/keys.js';
import { programVersion } from '../home/home.js';
import { keepThreads, type StoppedTask, type ThreadKind, warmThread, watchThread } from '../threads/watched-worker.js';
import { type NatsLink, openNats, type TakenJob } from './nats.js';
import { readNatsCredentials } from './nats-credentials.js';
import type { JobOutcome } from './job-worker.js';
import { ownRelease, readFrame, signResult } from './messages.js';

/** Time between two signs of progress that a worker sends to the queue, at most one each. */
const job_progress_ms = 1_000;
/** Time after which a result is given up that the queue does not take. */
const result_send_ms_max = 30_000;
/** Time between two messages of a worker about itself. */
const worker_beat_ms = 1_000;

/** What a worker tells its operator. */
export type WorkerEvent =
  | { readonly type: 'failing'; readonly reason: string }
  | { readonly type: 'taken'; readonly job: string; readonly kind: JobHeader['type']; readonly delivery: number }
  | { readonly type: 'done'; readonly job: string; readonly ms: number }
  | { readonly type: 'abandoned'; readonly job: string; readonly reason: string };

export interface WorkerOptions {
  readonly signer: Signer;
  readonly release: string;
  /** Jobs that are computed at once. */
  readonly threads: number;
  readonly onEvent?: (event: WorkerEvent) => void;
  /** The script of the threads, unless it is this program's. */
  readonly script?: URL;
}

interface Current {
  readonly header: JobHeader;
  readonly delivery: number;
  progress: number;
  share: number | null;
  /** Whether nobody waits for the job any more. */
  isUnwanted: boolean;
  readonly beganAt: number;
  /** When the queue was told of progress last. */
  toldAt: number;
}

const wait_ms = 1_000;
const another_worker_ms = 500;
const memory_mb_max = 1_024;

/** Works until the signal aborts; then the jobs in progress go back to the queue. */
export const runWorker = (link: NatsLink, signal: AbortSignal, options: WorkerOptions): Promise<void> =>
  new JobWorker(link, signal, options).run();

class JobWorker {
  private readonly instance = randomBytes(8).toString('hex');
  private readonly key: string;
  private readonly current = new Map<string, Current>();
  private readonly threads: ThreadKind;
  private done = 0;
  private failure = '';

  constructor(
    private readonly link: NatsLink,
    private readonly signal: AbortSignal,
    private readonly options: WorkerOptions,
  ) {
    this.key = toHex(options.signer.publicKey);
    const script = options.script ?? threadScript(new URL('./job-worker.js', import.meta.url));
    this.threads = { script, memory_mb_max, isBackground: false };
  }

  async run(): Promise<void> {
    keepThreads(this.options.threads);
    warmThread(this.threads);
    const timer = setInterval(() => this.beat(false), worker_beat_ms);
    this.link.onCall(() => this.beat(false));
    this.link.onTaskEnded((task) => this.leave(task));
    this.beat(false);
    try {
      await Promise.all(Array.from({ length: this.options.threads }, () => this.serve()));
    } finally {
      clearInterval(timer);
      this.beat(true);
      keepThreads(0);
    }
  }

  private async serve(): Promise<void> {
    while (!this.signal.aborted) {
      try {
        const job = await this.link.nextJob(this.options.release, wait_ms);
        if (job !== null) await this.take(job);
      } catch (error) {
        // The connection is lost, or the server starts again: the link reconnects by itself.
        this.tellFailure(messageOf(error));
        await sleep(nats_retry_ms);
      }
    }
  }

  private async take(job: TakenJob): Promise<void> {
    const frame = readFrame(jobHeader, job.data);
    // Nobody can compute a malformed job: it must not come back.
    if (frame === null) return job.done();
    const { header, bytes } = frame;
    if (header.not_by.includes(this.key)) return job.giveBack(another_worker_ms);
    const toldAt = performance.now();
    const input = header.is_stored ? await this.link.get(header.input_sha256) : bytes;
    if (input === null || input.length > job_bytes_max || sha256Hex(input) !== header.input_sha256) return job.done();
    const name = nameOf(header);
    const { delivery } = job;
    const current: Current = { header, delivery, progress: 0, share: null, isUnwanted: false, beganAt: toldAt, toldAt };
    this.current.set(name, current);
    // The home first: a worker that says it has a job can be missed.
    this.beat(false);
    this.tell({ type: 'taken', job: name, kind: header.type, delivery });
    try {
      await this.finish(job, current, await this.compute(job, current, input));
    } catch (error) {
      const isLate = performance.now() - current.toldAt > job_silence_ms_max;
      const reason = isLate ? `it made no progress for ${job_silence_ms_max / 1_000} s` : messageOf(error);
      this.tell({ type: 'abandoned', job: name, reason });
    } finally {
      this.current.delete(name);
    }
  }

  /** Computes a job on a thread, and tells the queue of its progress at most once a second. */
  private async compute(job: TakenJob, current: Current, input: Uint8Array): Promise<JobOutcome | StoppedTask> {
    let progressedAt = performance.now();
    const { type } = current.header;
    const { answer, end } = watchThread<JobOutcome, number>({
      ...this.threads,
      task: { type, input },
      name: 'the job',
      mustStop: () => this.signal.aborted || current.isUnwanted,
      observer: {
        heartbeat: () => {
          progressedAt = performance.now();
          current.progress++;
          if (progressedAt - current.toldAt < job_progress_ms) return;
          // A process that was stopped for so long has lost the job.
          if (progressedAt - current.toldAt > job_silence_ms_max) return void end();
          current.toldAt = progressedAt;
          job.working();
        },
        starved: () => {
          if (performance.now() - progressedAt > job_silence_ms_max) void end();
        },
      },
      onNews: (share) => (current.share = share),
    });
    return answer;
  }

  private async finish(
    job: TakenJob,
    { header, delivery, isUnwanted, beganAt, toldAt }: Current,
    answer: JobOutcome | StoppedTask,
  ): Promise<void> {
    const name = nameOf(header);
    if (isUnwanted) {
      job.done();
      return this.tell({ type: 'abandoned', job: name, reason: 'nobody waits for it any more' });
    }
    if (answer.type === 'stopped') return job.giveBack(0);
    if (performance.now() - toldAt > job_silence_ms_max)
      return this.tell({ type: 'abandoned', job: name, reason: 'the queue has given it to another worker' });
    if (answer.type === 'refused') {
      job.done();
      return this.tell({ type: 'abandoned', job: name, reason: answer.reason });
    }
    const { signer, release } = this.options;
    const { message, isStored } = signResult(signer, { ...header, delivery, release }, answer.output);
    await this.send(async () => {
      if (isStored) await this.link.put(answer.output);
      await this.link.publishResult(header, message, `${delivery}.${this.key}`);
    });
    job.done();
    this.done++;
    this.tell({ type: 'done', job: name, ms: performance.now() - beganAt });
  }

  /** Sends a result, with retries: minutes of work are not lost with a connection. */
  private async send(once: () => Promise<void>): Promise<void> {
    for (const end = performance.now() + result_send_ms_max; ; await sleep(nats_retry_ms))
      try {
        return await once();
      } catch (error) {
        if (this.signal.aborted || performance.now() > end) throw error;
      }
  }

  private leave(task: string): void {
    for (const current of this.current.values()) if (current.header.task === task) current.isUnwanted = true;
  }

  private tell(event: WorkerEvent): void {
    this.options.onEvent?.(event);
  }

  /** Tells a failure to take jobs once, until another one follows. */
  private tellFailure(reason: string): void {
    if (reason !== this.failure && !this.signal.aborted) this.tell({ type: 'failing', reason });
    this.failure = reason;
  }

  private beat(is_ending: boolean): void {
    const { key, instance, done } = this;
    const { release } = this.options;
    const jobs = [...this.current.values()].map(({ header: { task, name }, delivery, progress, share }) => ({
      task,
      name,
      delivery,
      progress,
      share,
    }));
    const beat: WorkerBeat = { key, instance, version: programVersion, release, done, jobs, is_ending };
    this.link.beat(utf8(canonicalJson(beat)));
  }
}

const nameOf = ({ task, name }: JobHeader): string => `${task}.${name}`;

interface WorkerStart {
  readonly url: string;
  /** The file of the worker's key, made when it is missing; without one the key lives as long as the process. */
  readonly keyFile: string | undefined;
  /** Jobs computed at once; as many as the machine has spare processors when absent. */
  readonly threads: number | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly onEvent: (event: WorkerReport) => void;
}

export type WorkerReport =
  | WorkerEvent
  | { readonly type: 'connecting'; readonly url: string; readonly key: string }
  | { readonly type: 'retrying'; readonly reason: string }
  | { readonly type: 'working'; readonly url: string; readonly key: string; readonly threads: number };

/** Works until the signal aborts. @throws RefusalError for an address, a key or credentials that cannot be used */
export async function startWorker({ url, keyFile, threads, env, signal, onEvent }: WorkerStart): Promise<void> {
  const address = readNatsAddress(url);
  if (typeof address === 'string') throw new RefusalError(invalid('nats', address));
  const credentials = readNatsCredentials(env);
  const signer = keyFile === undefined ? signerFromSeed(randomBytes(seed_bytes)) : signerOf(keyFile);
  const key = toHex(signer.publicKey);
  onEvent({ type: 'connecting', url: address.url, key });
  let told = '';
  const link = await connected(() =>
    openNats(address, credentials, signal, ({ message }) => {
      if (message !== told) onEvent({ type: 'retrying', reason: message });
      told = message;
    }),
  );
  if (link === null) return;
  try {
    const count = threads ?? Math.max(1, os.availableParallelism() - 1);
    onEvent({ type: 'working', url: address.url, key, threads: count });
    await runWorker(link, signal, { signer, release: ownRelease, threads: count, onEvent });
  } finally {
    await link.close();
  }
}

/** Returns null when the worker was told to stop before it was connected. */
async function connected(open: () => Promise<NatsLink>): Promise<NatsLink | null> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return null;
    throw error;
  }
}

/** Makes a key file that is missing. Another worker may make it at the same moment. */
function makeKey(file: string): void {
  try {
    createFile(file, randomBytes(seed_bytes));
  } catch (error) {
    if (!(error instanceof RefusalError) || error.refusal.code !== 'exists') throw error;
  }
}

/** Returns the signer of a key file, which is made when it is missing. @throws RefusalError for a file that is none, or not private */
function signerOf(file: string): Signer {
  try {
    makeKey(file);
    const fault = permissionFault(file);
    if (fault !== null) throw new RefusalError(invalid('key', `${file} ${fault}`));
    const seed = readRegularFile(file);
    if (seed.length === seed_bytes) return signerFromSeed(seed);
    throw new RefusalError(invalid('key', `${file} has ${seed.length} bytes instead of ${seed_bytes}`));
  } catch (error) {
    throw fileError(error, file);
  }
}

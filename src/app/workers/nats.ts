/**
 * A connection to a NATS server with JetStream: a queue of jobs that workers drain, the stream of their results, an object store for large
 * contents, and messages of workers about themselves. It reconnects by itself, and makes streams again that a server has lost. The client is
 * loaded at the first connection.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PeerCertificate } from 'node:tls';
import type { Consumer, JetStreamClient, JetStreamManager, JsMsg } from '@nats-io/jetstream';
import type { ObjectStore } from '@nats-io/obj';
import type { NatsConnection } from '@nats-io/transport-node';
import { sha256Hex, utf8 } from '../../base/bytes.js';
import { fromUtf8 } from '../../base/text.js';
import { job_bytes_max, job_silence_ms_max, nats_connect_ms_max, nats_retry_ms } from '../../base/limits.js';
import type { NatsAddress } from '../../codec/nats-url.js';
import type { NatsCredentials } from './nats-credentials.js';
import { connectionFault, connectOver } from './nats-transport.js';

const nats_request_ms_max = 5_000;
/** A server that hangs counts as lost after two to three of these: before a job that waits for it is given up. */
const nats_ping_ms = 3_000;
/** Unanswered pings after which a connection counts as lost. */
const nats_pings_max = 2;
/** The queue forgets jobs and results of homes that have gone after this time. */
const jobs_kept_ms = 86_400_000;
/** The queue recognizes a job that is sent twice within this time. */
const job_duplicates_ms = 120_000;

const jobs = 'agent_jobs';
const results = 'agent_results';
const contents = 'agent_contents';
const ns_per_ms = 1e6;

/** A job that the queue has given to this process. */
export type TakenJob = ReturnType<NatsLink['takenOf']>;

export class NatsLink {
  private readonly ending = new AbortController();
  private readonly consumers = new Map<string, Consumer>();
  private readonly reconnects = new Set<() => void>();
  private store: ObjectStore | null = null;
  /** When the stream of the jobs was made. */
  private createdAt = '';
  private isUp = true;

  private constructor(
    private readonly connection: NatsConnection,
    private readonly js: JetStreamClient,
    private readonly manager: JetStreamManager,
    private readonly newStore: () => Promise<ObjectStore>,
  ) {
    void this.follow();
  }

  /** Returns the link over a connection, once the streams exist. */
  static async over(connection: NatsConnection): Promise<NatsLink> {
    const [{ jetstream, jetstreamManager }, { Objm }] = await Promise.all([import('@nats-io/jetstream'), import('@nats-io/obj')]);
    const options = { timeout: nats_request_ms_max, checkAPI: false };
    const js = jetstream(connection, options);
    const manager = await jetstreamManager(connection, options);
    const newStore = () => new Objm(js).create(contents, { ttl: jobs_kept_ms * ns_per_ms });
    const link = new NatsLink(connection, js, manager, newStore);
    await link.prepare();
    return link;
  }

  get isConnected(): boolean {
    return this.isUp && !this.connection.isClosed();
  }

  /** Calls the listener after each reconnection, once the streams exist. */
  onReconnect(listener: () => void): void {
    this.reconnects.add(listener);
  }

  /** Queues a job, unless the queue has it, or has received it within two minutes; returns its place in the queue. */
  async publishJob(job: JobName, data: Uint8Array): Promise<number> {
    const subject = subjectOf(job);
    try {
      const expect = { lastSubjectSequence: 0 };
      return (await this.js.publish(subject, data, { msgID: `${job.task}.${job.name}`, expect })).seq;
    } catch (error) {
      const kept = await this.manager.streams.getMessage(jobs, { last_by_subj: subject });
      if (kept === null) throw error;
      return kept.seq;
    }
  }

  /**
   * Removes a job that no worker has finished. By place, since nats-server 2.9 may forget to deliver other jobs when a subject is purged
   * (`streams.purge`) while workers ask for jobs.
   */
  async removeJob(place: number): Promise<void> {
    await this.manager.streams.deleteMessage(jobs, place, false);
  }

  /** Returns whether a job is in the queue: no worker has finished it. */
  async hasJob(place: number): Promise<boolean> {
    return (await this.manager.streams.getMessage(jobs, { seq: place })) !== null;
  }

  /** Returns whether the queue has given a job to a worker of the release. */
  async wasGiven(release: string, place: number): Promise<boolean> {
    return (await this.manager.consumers.info(jobs, consumerName(release))).delivered.stream_seq >= place;
  }

  async removeResults(task: string): Promise<void> {
    await this.manager.streams.purge(results, { filter: resultSubject({ task, name: '>' }) });
  }

  /** Returns the next job of the release, or null when none has come within `wait_ms`. */
  async nextJob(release: string, wait_ms: number): Promise<TakenJob | null> {
    try {
      const message = await (await this.consumerOf(release)).next({ expires: wait_ms });
      return message === null ? null : this.takenOf(message);
    } catch (error) {
      // Somebody may have deleted the consumer, or its stream.
      this.consumers.delete(release);
      throw error;
    }
  }

  /** Resolves when the result is stored. @param by distinguishes the results of one job */
  async publishResult(job: Pick<JobName, 'task' | 'name'>, data: Uint8Array, by: string): Promise<void> {
    await this.js.publish(resultSubject(job), data, { msgID: `${job.task}.${job.name}.${by}` });
  }

  /** Calls the listener with every result of a task from now on, until the link closes. */
  onResult(task: string, listener: (data: Uint8Array) => void): void {
    this.listen(resultSubject({ task, name: '>' }), listener);
  }

  /** Returns the newest result of a job, or null. */
  async storedResult(job: Pick<JobName, 'task' | 'name'>): Promise<Uint8Array | null> {
    return (await this.manager.streams.getMessage(results, { last_by_subj: resultSubject(job) }))?.data ?? null;
  }

  /** Stores content under its SHA-256. */
  async put(bytes: Uint8Array): Promise<void> {
    const store = await this.contents();
    const name = sha256Hex(bytes);
    if ((await store.info(name)) === null) await store.putBlob({ name }, bytes);
  }

  /** Returns the content with this SHA-256, or null when there is none. */
  async get(hash: string): Promise<Uint8Array | null> {
    const store = await this.contents();
    const info = await store.info(hash);
    if (info === null || info.size > job_bytes_max) return null;
    const bytes = await store.getBlob(hash);
    return bytes !== null && sha256Hex(bytes) === hash ? bytes : null;
  }

  async forget(hash: string): Promise<void> {
    await (await this.contents()).delete(hash);
  }

  /** Sends a message of a worker about itself to whoever listens. */
  beat(data: Uint8Array): void {
    if (!this.connection.isClosed()) this.connection.publish(subjects.beats, data);
  }

  onBeat(listener: (data: Uint8Array) => void): void {
    this.listen(subjects.beats, listener);
  }

  /** Asks all workers for a message about themselves now. */
  callWorkers(): void {
    if (!this.connection.isClosed()) this.connection.publish(subjects.call);
  }

  onCall(listener: () => void): void {
    this.listen(subjects.call, listener);
  }

  /** Tells the workers that nobody waits for the jobs of a task any more. */
  endTask(task: string): void {
    if (!this.connection.isClosed()) this.connection.publish(subjects.ended, utf8(task));
  }

  onTaskEnded(listener: (task: string) => void): void {
    this.listen(subjects.ended, (data) => listener(fromUtf8(data) ?? ''));
  }

  async close(): Promise<void> {
    this.ending.abort();
    await this.connection.close();
  }

  private listen(subject: string, listener: (data: Uint8Array) => void): void {
    this.connection.subscribe(subject, {
      callback: (error, { data }) => {
        if (error === null) listener(data);
      },
    });
  }

  private async contents(): Promise<ObjectStore> {
    this.store ??= await this.newStore();
    return this.store;
  }

  private async consumerOf(release: string): Promise<Consumer> {
    const known = this.consumers.get(release);
    if (known !== undefined) return known;
    const { AckPolicy } = await import('@nats-io/jetstream');
    await this.prepare();
    const durable_name = consumerName(release);
    await this.manager.consumers.add(jobs, {
      durable_name,
      filter_subject: `agent.jobs.${release}.>`,
      ack_policy: AckPolicy.Explicit,
      ack_wait: job_silence_ms_max * ns_per_ms,
      max_deliver: -1,
      max_ack_pending: -1,
    });
    const consumer = await this.js.consumers.get(jobs, durable_name);
    this.consumers.set(release, consumer);
    return consumer;
  }

  /** A server that has lost its storage since may have given the job's place to another one. */
  private takenOf(message: JsMsg) {
    const { createdAt } = this;
    const isKept = (): boolean => this.createdAt === createdAt;
    return {
      data: message.data,
      /** 1 for the first delivery of the job to any worker. */
      delivery: message.info.deliveryCount,
      /** Tells the queue that the job makes progress: it is not delivered again for the next 5 s. */
      working: () => void (isKept() && message.working()),
      /** Removes the job from the queue. */
      done: () => void (isKept() && message.ack()),
      /** Gives the job back, to be delivered again after `ms`. */
      giveBack: (ms: number) => void (isKept() && message.nak(ms)),
    };
  }

  /** Makes the streams that do not exist yet. */
  private async prepare(): Promise<void> {
    const { RetentionPolicy, StorageType } = await import('@nats-io/jetstream');
    const [max_age, duplicate_window] = [jobs_kept_ms * ns_per_ms, job_duplicates_ms * ns_per_ms];
    const kept = { storage: StorageType.File, max_age, duplicate_window };
    const queue = { ...kept, name: jobs, subjects: ['agent.jobs.>'], retention: RetentionPolicy.Workqueue };
    this.createdAt = (await this.manager.streams.add(queue)).created;
    await this.manager.streams.add({ ...kept, name: results, subjects: ['agent.results.>'], retention: RetentionPolicy.Limits });
  }

  private async follow(): Promise<void> {
    for await (const { type } of this.connection.status()) {
      if (type === 'disconnect') this.isUp = false;
      if (type === 'reconnect') await this.again();
    }
  }

  /** Prepares the streams after a reconnection: the server may have lost them. */
  private async again(): Promise<void> {
    this.consumers.clear();
    this.store = null;
    while (!this.ending.signal.aborted) {
      try {
        await this.prepare();
        this.isUp = true;
        for (const listener of this.reconnects) listener();
        return;
      } catch {
        // JetStream may need some time after the server has begun to listen.
        await sleep(nats_retry_ms);
      }
    }
  }
}

/** Names of a job: the release of the engines that can compute it, the task that it belongs to, and its own name in the task. */
type JobName = Readonly<Record<'release' | 'task' | 'name', string>>;

/** The subjects on which homes and workers exchange messages. */
const subjects = {
  /** Messages of workers about themselves. */
  beats: 'agent.workers',
  /** Asks every worker for such a message. */
  call: 'agent.call',
  /** The name of a task whose jobs nobody waits for any more. */
  ended: 'agent.ended',
} as const;

const consumerName = (release: string): string => `workers_${release}`;
const subjectOf = ({ release, task, name }: JobName): string => `agent.jobs.${release}.${task}.${name}`;
const resultSubject = ({ task, name }: Pick<JobName, 'task' | 'name'>): string => `agent.results.${task}.${name}`;

/**
 * Connects, with retries until the signal aborts.
 * @param onFailure receives the reason of each failed try
 * @throws the signal's reason
 */
export async function openNats(
  address: NatsAddress,
  credentials: NatsCredentials,
  signal: AbortSignal,
  onFailure: (reason: Error) => void = () => undefined,
): Promise<NatsLink> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await connectOnce(address, credentials, signal);
    } catch (error) {
      signal.throwIfAborted();
      onFailure(connectionFault(error));
    }
    await sleep(nats_retry_ms, undefined, { signal });
  }
}

async function connectOnce(
  { host, port, tls }: NatsAddress,
  { creds, token, ca }: NatsCredentials,
  signal: AbortSignal,
): Promise<NatsLink> {
  const { credsAuthenticator, tokenAuthenticator } = await import('@nats-io/transport-node');
  const { checkServerIdentity } = await import('node:tls');
  // In cleartext the name must not lead to another machine, whatever this machine's resolver returns for it.
  const name = !tls && host === 'localhost' ? '127.0.0.1' : host;
  const secured = {
    ...(ca === null ? {} : { ca }),
    // The client would compare the certificate of an IP address with the name localhost.
    checkServerIdentity: (_: string, certificate: PeerCertificate) => checkServerIdentity(host, certificate),
  };
  const connection = await connectOver({
    servers: `${name.includes(':') ? `[${name}]` : name}:${port}`,
    timeout: nats_connect_ms_max,
    // Addresses that a server announces are not the ones that the operator has named.
    ignoreClusterUpdates: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: nats_retry_ms,
    ignoreAuthErrorAbort: true,
    pingInterval: nats_ping_ms,
    maxPingOut: nats_pings_max,
    tls: tls ? secured : null,
    ...(creds === null ? {} : { authenticator: credsAuthenticator(new TextEncoder().encode(creds)) }),
    ...(token === null ? {} : { authenticator: tokenAuthenticator(token) }),
  });
  try {
    signal.throwIfAborted();
    return await NatsLink.over(connection);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

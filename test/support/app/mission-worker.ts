/** Workers of missions within the process of a test, which respond to a job as the test says. */
import { setTimeout as sleep } from 'node:timers/promises';
import { computeMission, readMissionJob } from '../../../src/app/workers/mission-job.js';
import { readFrame, ownRelease, signResult } from '../../../src/app/workers/messages.js';
import { toHex, utf8 } from '../../../src/base/bytes.js';
import { canonicalJson } from '../../../src/base/canonical-json.js';
import { nats_retry_ms } from '../../../src/base/limits.js';
import { jobHeader, type JobHeader, type WorkerBeat } from '../../../src/codec/jobs.js';
import { type NatsAddress, readNatsAddress } from '../../../src/codec/nats-url.js';
import { signerFromSeed } from '../../../src/journal/keys.js';
import { openNats } from '../../../src/app/workers/nats.js';
import { no_credentials } from '../../../src/app/workers/nats-credentials.js';

export interface MissionWorker {
  readonly key: string;
  /** The inputs of the jobs that it has taken, as text. */
  readonly inputs: readonly string[];
  /** The tasks that it was told nobody waits for. */
  readonly ended: readonly string[];
  readonly stop: () => Promise<void>;
}

/** A job that a worker has taken. */
export interface TakenMission {
  readonly header: JobHeader;
  /** The one that the worker names from now on; with 0 its messages are none. */
  delivery: number;
}

/** Returns the output of a job, which may come later. */
export type Answering = (input: Uint8Array, job?: TakenMission) => Uint8Array | Promise<Uint8Array>;

export const honest: Answering = (input) => computeMission(readMissionJob(input)!, () => undefined);

/** The search with the least effort, which claims all of it: its result passes the verifier. */
export const lazy: Answering = async (input) => {
  const job = readMissionJob(input)!;
  const { max_evaluations } = job.input.effort;
  const output = await computeMission({ ...job, input: { ...job.input, effort: { max_evaluations: 1 } } }, () => undefined);
  const answer = JSON.parse(Buffer.from(output).toString()) as { result: { iterations_max: number } };
  answer.result.iterations_max *= max_evaluations;
  return utf8(canonicalJson(answer));
};

interface Given {
  readonly answer?: Answering;
  readonly release?: string;
  /** Whether it takes jobs. */
  readonly takes?: boolean;
}

/** Sends results of a job that these seeds' keys have signed, though none of them has taken it. */
export async function sendForged(url: string, { header, delivery }: TakenMission, seeds: readonly number[]): Promise<void> {
  const link = await openNats(readNatsAddress(url) as NatsAddress, no_credentials, new AbortController().signal);
  for (const [i, seed] of seeds.entries()) {
    const signer = signerFromSeed(Buffer.alloc(32, seed));
    const { message } = signResult(signer, { ...header, delivery, release: ownRelease }, utf8('{}'));
    await link.publishResult(header, message, `forged-${i}`);
  }
  await link.close();
}

/** @param seed draws the worker's key, from 1 to 255 */
export async function missionWorker(
  url: string,
  seed: number,
  { answer = honest, release = ownRelease, takes = true }: Given = {},
): Promise<MissionWorker> {
  const address = readNatsAddress(url);
  if (typeof address === 'string') throw new Error(address);
  const ending = new AbortController();
  const link = await openNats(address, no_credentials, ending.signal);
  const signer = signerFromSeed(Buffer.alloc(32, seed));
  const key = toHex(signer.publicKey);
  const inputs: string[] = [];
  const ended: string[] = [];
  let busy: TakenMission | null = null;
  let told = 0;
  const beat = (is_ending = false): void => {
    const jobs =
      busy === null
        ? []
        : [{ task: busy.header.task, name: busy.header.name, delivery: busy.delivery, progress: ++told, share: 1 - 0.5 ** told }];
    const said: WorkerBeat = { key, instance: `w${seed}`, version: 'of a test', release, done: inputs.length, jobs, is_ending };
    link.beat(utf8(canonicalJson(said)));
  };
  link.onCall(() => beat());
  link.onTaskEnded((task) => ended.push(task));
  const timer = setInterval(() => beat(), 500);
  beat();

  async function serve(): Promise<void> {
    const job = await link.nextJob(release, 1_000);
    const frame = job === null ? null : readFrame(jobHeader, job.data);
    if (job === null || frame === null) return;
    const { header, bytes } = frame;
    if (header.not_by.includes(key)) return job.giveBack(100);
    const taken = (busy = { header, delivery: job.delivery });
    inputs.push(Buffer.from(bytes).toString());
    beat();
    const output = await answer(bytes, taken);
    const { message } = signResult(signer, { ...header, delivery: taken.delivery, release }, output);
    await link.publishResult(header, message, `${job.delivery}.${key}`);
    job.done();
    busy = null;
  }
  async function work(): Promise<void> {
    // As a real worker's, its link reconnects by itself.
    while (!ending.signal.aborted) await serve().catch(() => sleep(nats_retry_ms));
  }
  if (takes) void work();
  const stop = async (): Promise<void> => {
    clearInterval(timer);
    beat(true);
    ending.abort();
    await link.close();
  };
  return { key, inputs, ended, stop };
}

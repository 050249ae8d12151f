/** Which workers a queue has at this moment. */
import type { Refusal } from '../../base/refusal.js';
import { ok, refuse, type Result } from '../../base/result.js';
import { nats_first_connection_ms_max } from '../../base/worker-limits.js';
import type { WorkerBeat } from '../../codec/jobs.js';
import { openNats } from '../../nats/connect.js';
import type { NatsLink } from '../../nats/link.js';
import { readBeat } from '../jobs/beat.js';
import { ownRelease } from '../jobs/release.js';
import type { MissionQueue, Trust } from './queue.js';

type Queue = Pick<MissionQueue, 'address' | 'credentials'>;

export interface Survey {
  /** Keys of workers whose results count. */
  readonly counted: readonly string[];
  /** Keys of workers whose results do not count. */
  readonly others: readonly string[];
  /** Versions of workers that get no job from this program. */
  readonly versions: readonly string[];
}

/**
 * Returns the workers that respond, or why the queue cannot be reached.
 * @param wait_ms how long to wait for responses
 * @param isEnough returns whether to wait for no other worker
 */
export async function surveyWorkers(
  queue: Queue,
  { accepts }: Pick<Trust, 'accepts'>,
  wait_ms: number,
  isEnough: (survey: Survey) => boolean = () => false,
): Promise<Result<Survey>> {
  const link = await reached(queue);
  if (typeof link === 'string')
    return refuse({
      code: 'engine_unavailable',
      detail: `the queue ${queue.address.url} cannot be reached (${link})`,
      hint: 'start the NATS server with JetStream (nats-server -js), or set "execution" to "local" (agent-cli configure FILE, while paused)',
    });
  try {
    const beats = new Map<string, WorkerBeat>();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, wait_ms);
      link.onBeat((message) => {
        const beat = readBeat(message);
        if (beat === null || beat.is_ending) return;
        beats.set(beat.instance, beat);
        if (!isEnough(surveyOf([...beats.values()], accepts))) return;
        clearTimeout(timer);
        resolve();
      });
      link.callWorkers();
    });
    return ok(surveyOf([...beats.values()], accepts));
  } finally {
    await link.close();
  }
}

/** Returns why no worker of a survey can compute a mission, or null. */
export function noWorker({ address }: Pick<MissionQueue, 'address'>, { counted, others, versions }: Survey): Refusal | null {
  if (counted.length > 0) return null;
  const { url } = address;
  const base = { code: 'engine_unavailable' } as const;
  const [other] = others;
  if (other !== undefined)
    return {
      ...base,
      detail: `the results of the workers of ${url} do not count: their keys were not added, or were refuted`,
      facts: { keys: others },
      hint: `agent-cli worker-key add ${other} --name NAME`,
    };
  const [version] = versions;
  return {
    ...base,
    detail:
      version === undefined
        ? `no worker of ${url} responds`
        : `the workers of ${url} run another version (${version}) and get no jobs`,
    hint: `agent-cli worker --nats ${url}`,
  };
}

/** Returns a connection, or why there is none. */
async function reached({ address, credentials }: Queue): Promise<NatsLink | string> {
  let why = 'no response';
  try {
    const signal = AbortSignal.timeout(nats_first_connection_ms_max);
    return await openNats(address, credentials, signal, ({ message }) => void (why = message));
  } catch {
    return why;
  }
}

function surveyOf(beats: readonly WorkerBeat[], accepts: (key: string) => boolean): Survey {
  const own = beats.filter(({ release }) => release === ownRelease).map(({ key }) => key);
  const versions = beats.filter(({ release }) => release !== ownRelease).map(({ version }) => version);
  const distinct = (all: readonly string[]): readonly string[] => [...new Set(all)].toSorted();
  return {
    counted: distinct(own.filter(accepts)),
    others: distinct(own.filter((key) => !accepts(key))),
    versions: distinct(versions),
  };
}

/** Which missions the workers of a queue compute, which workers it has, and whose results count. */
import { errorCode, Fault, ok, type Refusal, RefusalError, refuse, type Result, unwrap } from '../../base/refusal.js';
import { nats_first_connection_ms_max, worker_silence_ms_max } from '../../base/limits.js';
import { type Config, local_execution } from '../../codec/config.js';
import type { WorkerBeat } from '../../codec/jobs.js';
import type { Kind } from '../../codec/kinds.js';
import { type NatsAddress, readNatsAddress } from '../../codec/nats-url.js';
import { solverOf } from '../../kinds/verifiers.js';
import type { Home } from '../home/home.js';
import { type NatsLink, openNats } from './nats.js';
import { readNatsCredentials } from './nats-credentials.js';
import type { Queue } from './dispatcher.js';
import { noWorkerText, otherVersionText, uncountedText } from './home-jobs.js';
import { acceptedKeys, isAccepted, WorkerRegister } from './register.js';
import { recordedWorkers } from '../../tables/workers.js';
import { ownRelease, readBeat } from './messages.js';

type Execution = Pick<Config, 'execution' | 'execution_check'>;

/** A queue whose workers compute missions. */
export interface MissionQueue extends Queue {
  readonly check: Config['execution_check'];
}

/** Returns the address of the configured queue, or null when missions are computed on this machine. */
export function queueAddress({ execution }: Execution): NatsAddress | null {
  if (execution === local_execution) return null;
  const address = readNatsAddress(execution);
  if (typeof address === 'string') throw new Fault(`the configured execution ${address}`);
  return address;
}

/** Returns whether missions of a kind are computed by workers. */
export const isComputedByWorkers = ({ execution }: Execution, kind: Kind): boolean =>
  execution !== local_execution && solverOf(kind)?.isRecomputed === false;

/** Returns the queue of a kind's missions, or null. @throws RefusalError `invalid` for credentials that cannot be used */
export function missionQueue({ world }: Pick<Home, 'world'>, config: Execution, kind: Kind): MissionQueue | null {
  const address = isComputedByWorkers(config, kind) ? queueAddress(config) : null;
  if (address === null) return null;
  return { address, credentials: readNatsCredentials(world.env), check: config.execution_check };
}

/** Which keys count at one moment. */
export type Trust = Readonly<ReturnType<typeof trustOf>>;

export function trustOf(home: Pick<Home, 'db'>, { address, check }: Pick<MissionQueue, 'address' | 'check'>) {
  const accepted = acceptedKeys(home);
  const known = (accepted.keys ?? []).filter((key) => !accepted.refuted.includes(key));
  /** Whether a key was added, removed or refuted here: then somebody decided about it. */
  const isKnown = (key: string): boolean => recordedWorkers(home.db).has(key);
  const accepts = (key: string): boolean => isAccepted(accepted, address, key);
  // A result is checked by a second key only where two were added, since anybody can make keys that nobody added.
  return { accepts, isKnown, check: known.length < 2 ? 'home' : check };
}

/** Checks that the queue can be reached and has a worker whose results count. @throws RefusalError `engine_unavailable` */
export async function requireWorkers(home: Pick<Home, 'db'>, queue: MissionQueue): Promise<void> {
  const trust = trustOf(home, queue);
  const survey = await surveyWorkers(queue, trust, worker_silence_ms_max, ({ counted }) => counted.length > 0);
  const refusal = noWorker(queue, unwrap(survey), trust);
  if (refusal !== null) throw new RefusalError(refusal);
}

/** Which workers a queue has at this moment. */
export type Survey = Readonly<ReturnType<typeof surveyOf>>;

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
      hint: 'start the NATS server with JetStream (nats-server -js), or execute here: agent-cli config set execution=local',
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

/** Returns why no worker of a survey can compute a mission, or null. It never proposes to add a key that was removed or refuted. */
export function noWorker(
  { address }: Pick<MissionQueue, 'address'>,
  { counted, others, versions }: Survey,
  { isKnown }: Pick<Trust, 'isKnown'>,
): Refusal | null {
  if (counted.length > 0) return null;
  const { url } = address;
  const base = { code: 'engine_unavailable' } as const;
  const unknown = others.find((key) => !isKnown(key));
  if (others.length > 0)
    return {
      ...base,
      detail: uncountedText(url),
      facts: { keys: others },
      hint: unknown === undefined ? 'agent-cli worker-key list' : `agent-cli worker-key add ${unknown} --name NAME`,
    };
  const [version] = versions;
  return {
    ...base,
    detail: version === undefined ? noWorkerText(url) : otherVersionText(url, version),
    hint: `agent-cli worker --nats ${url}`,
  };
}

/** Returns a connection, or why there is none. */
async function reached({ address, credentials }: Queue): Promise<NatsLink | string> {
  const began = performance.now();
  const ending = new AbortController();
  let reason = 'no response';
  try {
    return await openNats(address, credentials, ending.signal, ({ message }) => {
      reason = message;
      if (performance.now() - began > nats_first_connection_ms_max) ending.abort();
    });
  } catch {
    return reason;
  }
}

function surveyOf(beats: readonly WorkerBeat[], accepts: (key: string) => boolean) {
  const own = beats.filter(({ release }) => release === ownRelease).map(({ key }) => key);
  const versions = beats.filter(({ release }) => release !== ownRelease).map(({ version }) => version);
  const distinct = (all: readonly string[]): readonly string[] => [...new Set(all)].toSorted();
  return {
    /** Keys of workers whose results count. */
    counted: distinct(own.filter(accepts)),
    /** Keys of workers whose results do not count. */
    others: distinct(own.filter((key) => !accepts(key))),
    /** Versions of workers that get no job from this program. */
    versions: distinct(versions),
  };
}

/** Returns the workers that execute missions, as a daemon shows them: those of the queue that the configuration names at the moment. */
export const missionWorkers = (home: Home): WorkerRegister => new WorkerRegister(home, () => namedQueues(home));

/** Returns the configured queue; none while the configuration or the credentials cannot be used. */
function namedQueues(home: Home): readonly NatsAddress[] {
  try {
    const address = queueAddress(home.config());
    if (address === null) return [];
    readNatsCredentials(home.world.env);
    return [address];
  } catch (error) {
    if (error instanceof RefusalError || errorCode(error) !== '') return [];
    throw error;
  }
}

/** Runs whose islands are on workers of a queue, with what is told of the workers; and the server and workers of a suite. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { readIslands } from '../../../src/app/simulation/islands/settings.js';
import {
  type SimulationAnswer,
  no_workers,
  simulateOnThread,
  type SimulationWatch,
} from '../../../src/app/simulation/runs/thread.js';
import type { WorkerNotice, WorkerAccess } from '../../../src/app/workers/register.js';
import { startBadWorker, startNats, startWorkerProcess, type Misbehaviour, type Nats, type WorkerProcess } from './nats.js';
import { atEffort } from '../effort.js';
import { until } from './given-daemon.js';
import { requestOf } from './simulation.js';

export const names = ['a', 'b', 'c'];
export const document = { entropy: 2, pop_size: 31, generations: 42, num_sectors: 7, mut_rate: 0.3 };
/** Epochs of some hundred ms, so that a worker can be stopped within one. */
export const long = { entropy: 2, pop_size: 1_500, generations: atEffort(25, 40), num_sectors: 40, horizon: 20 };

/** Epochs so long that a worker is surely caught within one, on a fast machine too. */
export const longer = { ...long, pop_size: 4_500 };

interface Heard {
  readonly answer: SimulationAnswer;
  readonly notices: readonly WorkerNotice[];
}

interface Given extends Pick<SimulationWatch, 'onGeneration' | 'mustStop'> {
  readonly request?: object;
  readonly islands?: readonly string[];
  readonly access?: Partial<WorkerAccess>;
  readonly onWorker?: (notice: WorkerNotice) => void;
}

export const notices = (type: WorkerNotice['type'], { notices: all }: Heard): readonly WorkerNotice[] =>
  all.filter((notice) => notice.type === type);

export async function run(
  backend: string,
  { request = document, islands = names, access, onWorker, ...watch }: Given = {},
): Promise<Heard> {
  const heard: WorkerNotice[] = [];
  const answer = await simulateOnThread(
    { request: requestOf(request), islands },
    {
      ...watch,
      islands: readIslands(islands.map((name) => `${name}=${backend}`).join(',')),
      workers: () => ({ ...no_workers, keys: null, ...access }),
      onWorker: (notice) => {
        heard.push(notice);
        onWorker?.(notice);
      },
    },
  );
  return { answer, notices: heard };
}

export const hashOf = ({ answer }: Heard): string => {
  assert.equal(answer.type, 'answered');
  return answer.type === 'answered' ? answer.outcome_hash : '';
};

const expectations = new Map<object, Promise<string>>();

/** Returns the hash of the outcome on threads of this process, computed once for each request. */
export function expectedOf(request: object): Promise<string> {
  const known = expectations.get(request) ?? run('threads', { request }).then(hashOf);
  expectations.set(request, known);
  return known;
}

interface Absence {
  readonly leave: () => void;
  readonly comeBack: () => void;
}

/** Runs the longer request; a worker leaves while it has a job, and comes back when it is missed. */
export async function runWithout(url: string, worker: WorkerProcess, { leave, comeBack }: Absence): Promise<Heard> {
  let generation = 0;
  let isOver = false;
  let isMissed = false;
  const running = run(url, {
    request: longer,
    onGeneration: (reached) => void (generation = reached),
    onWorker: (notice) => {
      if (notice.type !== 'lost' || notice.key !== worker.key) return;
      isMissed = true;
      comeBack();
    },
  }).finally(() => (isOver = true));
  // What a worker tells of a job that it has just taken may not have left it yet; and in the moment in which it leaves it may have
  // sent the result: then the run goes on for two epochs without it.
  let tried = 0;
  const isMissedWithJob = async (): Promise<boolean> => {
    const taken = worker.taken();
    if (taken === tried) return isOver;
    await sleep(50);
    if (worker.taken() > taken || worker.done() === taken) return isOver;
    tried = taken;
    leave();
    const before = generation;
    await until(() => isMissed || isOver || generation >= before + 10, 'the lost worker, or two epochs without it');
    comeBack();
    return isMissed || isOver;
  };
  await until(isMissedWithJob, 'a worker that is missed with a job');
  const heard = await running;
  // On a busy machine the work may be done here or by the other worker, before this one is caught: then another run follows.
  return isMissed ? heard : runWithout(url, worker, { leave, comeBack });
}

export interface Queue {
  /** The server of the present test. */
  readonly nats: Nats;
  readonly workers: WorkerProcess[];
  readonly worker: () => Promise<WorkerProcess>;
  readonly bad: (how: Misbehaviour) => Promise<WorkerProcess>;
  /** The number of jobs that all workers have finished. */
  readonly done: () => number;
}

/** Runs a test with a server of its own, which ends with all its workers. */
export async function inQueue(test: (queue: Queue) => Promise<void>): Promise<void> {
  const nats = await startNats();
  const workers: WorkerProcess[] = [];
  const kept = async (starting: Promise<WorkerProcess>): Promise<WorkerProcess> => {
    const started = await starting;
    workers.push(started);
    return started;
  };
  try {
    await test({
      nats,
      workers,
      worker: () => kept(startWorkerProcess(nats.url)),
      bad: (how) => kept(startBadWorker(nats.url, how)),
      done: () => workers.reduce((sum, each) => sum + each.done(), 0),
    });
  } finally {
    await Promise.all(workers.map((each) => each.stop()));
    await nats.remove();
  }
}

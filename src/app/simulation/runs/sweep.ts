/** `simulate --sweep`: computes the runs of a sweep on threads or on workers, records each, and summarizes them. */
import { randomInt } from 'node:crypto';
import * as os from 'node:os';
import { sha256Hex } from '../../../base/bytes.js';
import { fromUtf8 } from '../../../base/text.js';
import { Fault, RefusalError } from '../../../base/refusal.js';
import type { NatsAddress } from '../../../codec/nats-url.js';
import type { SweepRecord } from '../../../codec/sweep.js';
import type { Home } from '../../home/home.js';
import { Stopped } from '../../threads/watched-thread.js';
import { Gate } from '../../../base/gate.js';
import { Dispatcher } from '../../workers/dispatcher.js';
import { isAccepted, type WorkerAccess, type WorkerNotice, WorkerTrust } from '../../workers/register.js';
import { readRunJob, type SimulationTask, writeRunJob } from '../../workers/simulation-jobs.js';
import { type IslandSettings, queuesOf } from '../islands/settings.js';
import { prepareLedger } from '../ledger/ledger.js';
import { checkOutcome } from './outcome.js';
import { failDeadRuns } from './runs.js';
import { executeHere, islandsOf, type SimulateOptions } from './simulate.js';
import { signedOutcome } from './stored.js';
import { cancelSweep, completeSweep, requestSweep, sweepOf, sweepRecordOf } from './sweeps.js';
import { type AnsweredSimulation, simulateOnThread } from './thread.js';

export interface SweepOptions extends Pick<SimulateOptions, 'directory' | 'actor' | 'stopReason' | 'onWarning'> {
  /** One run of workers in this many is recomputed here. */
  readonly check_one_in?: number;
  /** Called with the computed share of the runs. */
  readonly onProgress?: (done: number) => void;
}

/**
 * Runs a sweep. Nothing is recorded before all runs are computed and confirmed; then each is a run of its own in the journal and the ledger.
 * @param document the body of a request for a sweep
 */
export async function sweepHere(home: Home, document: unknown, options: SweepOptions): Promise<SweepRecord> {
  const { directory, actor } = options;
  const sweep = sweepOf(document);
  const islands = islandsOf(home.world);
  const names = islands.map(({ name }) => name);
  const tasks = sweep.requests.map((request) => ({ request, islands: names }));
  prepareLedger(directory);
  await failDeadRuns(home, { actor });
  const computed = await computeAll(home, islands, tasks, options);
  const recorded = await requestSweep(home, sweep, { islands: names, runner: 'command', actor });
  const { id } = recorded.sweep;
  try {
    for (const [i, run] of recorded.runs.entries())
      await executeHere(home, run.id, {
        directory,
        actor,
        genome: false,
        simulate: () => Promise.resolve(computed[i] ?? stopped),
      });
  } catch (error) {
    await cancelSweep(home, id, actor);
    throw error;
  }
  await completeSweep(home, id, actor);
  return sweepRecordOf(home.db, id, { outcomeOf: (run) => signedOutcome(home.db, run), progressOf: () => 0 });
}

async function computeAll(
  home: Home,
  islands: IslandSettings,
  tasks: readonly SimulationTask[],
  { actor, stopReason, onWarning = () => undefined, onProgress, check_one_in }: SweepOptions,
): Promise<readonly ComputedRun[]> {
  let done = 0;
  const onDone = (): void => onProgress?.(++done / tasks.length);
  const mustStop = (): boolean => (stopReason?.() ?? null) !== null;
  const queues = queuesOf(islands);
  const [queue] = queues;
  const trust = new WorkerTrust({ home, actor, queues, onWarning, check_one_in });
  const access = trust.access();
  try {
    if (queue === undefined || access === undefined) return await computeOnThreads(islands, tasks, mustStop, onDone);
    const runs = new QueuedRuns({ queue, access: () => trust.access() ?? access, onWorker: trust.note, mustStop });
    try {
      return await runs.computeAll(tasks, onDone);
    } finally {
      await runs.end();
      await trust.end();
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    throw new RefusalError('interrupted', 'the sweep was stopped; none of its runs is recorded');
  }
}

function computeOnThreads(
  islands: IslandSettings,
  tasks: readonly SimulationTask[],
  mustStop: () => boolean,
  onDone: () => void,
): Promise<readonly ComputedRun[]> {
  const spare = Math.max(1, os.availableParallelism() - 1);
  const threads = islands.map(({ backend }) => (backend.type === 'threads' ? (backend.threads ?? spare) : 1));
  const gate = new Gate(Math.max(...threads));
  return Promise.all(
    tasks.map((task) =>
      gate.run(async () => {
        const computed = await computeHere(task, mustStop);
        onDone();
        return computed;
      }),
    ),
  );
}

/** A run that is computed and confirmed, and not recorded. */
type ComputedRun = AnsweredSimulation;

interface QueuedRunsOptions {
  readonly queue: NatsAddress;
  /** Returns which keys count at this moment. */
  readonly access: () => WorkerAccess;
  readonly onWorker: (notice: WorkerNotice) => void;
  readonly mustStop: () => boolean;
}

const nothing = (): void => undefined;
const stopped = { type: 'stopped' } as const;

/** Computes whole runs on the workers of a queue. A result counts once it has passed the checks of an outcome and, in some cases, a recomputation here. */
export class QueuedRuns {
  private readonly dispatcher: Dispatcher;
  private access: WorkerAccess;
  private readonly refuted = new Set<string>();
  /** Runs that were submitted: the queue ignores a second job of the same name. */
  private submitted = 0;

  constructor(private readonly options: QueuedRunsOptions) {
    const { queue, access, mustStop, onWorker } = options;
    this.access = access();
    this.dispatcher = new Dispatcher({
      queue: { address: queue, credentials: this.access.credentials },
      accepts: this.accepts,
      compute: async ({ input }) => {
        const run = readRunJob(input);
        if (run === null) throw new Fault('a run of this sweep cannot be read');
        return bytesOf(await computeHere(run, mustStop));
      },
      checkpoint: () => {
        if (mustStop()) throw new Stopped();
        this.access = access();
      },
      onNotice: onWorker,
    });
  }

  /**
   * Computes all runs, in any order. When a worker's result is refuted, or its key removed, all its results are computed here again.
   * @param onDone called when a run has been computed
   * @throws Stopped
   */
  computeAll(tasks: readonly SimulationTask[], onDone: () => void): Promise<readonly ComputedRun[]> {
    return this.dispatcher.during(this.compute(tasks, onDone));
  }

  private async compute(tasks: readonly SimulationTask[], onDone: () => void): Promise<readonly ComputedRun[]> {
    const answers = await Promise.all(
      tasks.map(async (task) => {
        const name = String(this.submitted++);
        const { output, key } = await this.dispatcher.submit({ type: 'run', name, input: writeRunJob(task) });
        const text = fromUtf8(output);
        if (key !== null && !this.refuted.has(key) && !(text !== null && (await this.isConfirmed(task, text)))) this.refute(key);
        onDone();
        return { task, output, key };
      }),
    );
    this.access = this.options.access();
    const confirmed: ComputedRun[] = [];
    for (const { task, output, key } of answers)
      confirmed.push(
        key !== null && !this.accepts(key)
          ? await computeHere(task, this.options.mustStop)
          : { type: 'answered', text: Uint8Array.from(output), outcome_hash: sha256Hex(output) },
      );
    return confirmed;
  }

  readonly end = (): Promise<void> => this.dispatcher.end();

  private readonly accepts = (key: string): boolean => isAccepted(this.access, this.options.queue, key) && !this.refuted.has(key);

  private async isConfirmed(task: SimulationTask, text: string): Promise<boolean> {
    if (checkOutcome(text, task, nothing) !== null) return false;
    if (randomInt(this.access.check_one_in) !== 0) return true;
    return (await computeHere(task, this.options.mustStop)).outcome_hash === sha256Hex(text);
  }

  private refute(key: string): void {
    if (this.refuted.has(key)) return;
    this.refuted.add(key);
    this.options.onWorker({ type: 'refuted', key });
  }
}

/** Computes a run on a thread of this process. @throws Stopped when it must stop; Fault for an outcome that fails its checks */
async function computeHere(task: SimulationTask, mustStop: () => boolean): Promise<ComputedRun> {
  // A run that is shorter than the time between two questions would never be stopped.
  if (mustStop()) throw new Stopped();
  const answer = await simulateOnThread(task, { mustStop });
  if (answer.type === 'stopped') throw new Stopped();
  if (answer.type === 'refuted') throw new Fault(`the outcome failed its checks: ${answer.reason}`);
  return answer;
}

const bytesOf = ({ text }: ComputedRun): Uint8Array => (typeof text === 'string' ? Buffer.from(text) : text);

/** Computes whole runs on the workers of a queue. A result counts once it has passed the checks of an outcome and, in some cases, a recomputation here. */
import { randomInt } from 'node:crypto';
import { fromUtf8 } from '../../base/bytes.js';
import { Fault } from '../../base/fault.js';
import { sha256Hex } from '../../base/hash.js';
import type { NatsAddress } from '../../codec/nats-url.js';
import { isAccepted } from '../workers/keys.js';
import { Dispatcher } from '../workers/dispatcher.js';
import { checkOutcome } from './check-outcome.js';
import type { WorkerNotice, WorkerAccess } from '../workers/register.js';
import { type SimulationTask, readRunJob, writeRunJob } from '../workers/simulation-jobs.js';
import { Stopped } from '../threads/watched-thread.js';
import { simulateOnThread } from './thread.js';

export interface ComputedRun {
  readonly text: string;
  readonly outcome_hash: string;
}

export interface QueuedRunsOptions {
  readonly queue: NatsAddress;
  readonly access: WorkerAccess;
  readonly onWorker: (notice: WorkerNotice) => void;
  readonly mustStop: () => boolean;
}

const nothing = (): void => undefined;

export class QueuedRuns {
  private readonly dispatcher: Dispatcher;
  private readonly refuted: Set<string>;
  /** Runs that were submitted: the queue ignores a second job of the same name. */
  private submitted = 0;

  constructor(private readonly options: QueuedRunsOptions) {
    const { queue, access, mustStop, onWorker } = options;
    this.refuted = new Set(access.refuted);
    this.dispatcher = new Dispatcher({
      queue: { address: queue, credentials: access.credentials },
      accepts: (key) => isAccepted(access, queue, key) && !this.refuted.has(key),
      compute: async ({ input }) => {
        const run = readRunJob(input);
        if (run === null) throw new Fault('a run of this sweep cannot be read');
        return Buffer.from((await computeHere(run, mustStop)).text);
      },
      checkpoint: () => {
        if (mustStop()) throw new Stopped();
      },
      onNotice: onWorker,
    });
  }

  /**
   * Computes all runs, in any order. When a worker's result is refuted, all its results are computed here again.
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
        return { task, text: text ?? '', key };
      }),
    );
    const confirmed: ComputedRun[] = [];
    for (const { task, text, key } of answers)
      confirmed.push(
        key !== null && this.refuted.has(key)
          ? await computeHere(task, this.options.mustStop)
          : { text, outcome_hash: sha256Hex(text) },
      );
    return confirmed;
  }

  readonly end = (): Promise<void> => this.dispatcher.end();

  private async isConfirmed(task: SimulationTask, text: string): Promise<boolean> {
    if (checkOutcome(text, task, nothing) !== null) return false;
    if (randomInt(this.options.access.check_one_in) !== 0) return true;
    return (await computeHere(task, this.options.mustStop)).text === text;
  }

  private refute(key: string): void {
    if (this.refuted.has(key)) return;
    this.refuted.add(key);
    this.options.onWorker({ type: 'refuted', key });
  }
}

/** Computes a run on a thread of this process. @throws Stopped when it must stop; Fault for an outcome that fails its checks */
export async function computeHere(task: SimulationTask, mustStop: () => boolean): Promise<ComputedRun> {
  const answer = await simulateOnThread(task, { mustStop });
  if (answer.type === 'stopped') throw new Stopped();
  if (answer.type === 'refuted') throw new Fault(`the outcome failed its checks: ${answer.reason}`);
  const { text, outcome_hash } = answer;
  return { text: typeof text === 'string' ? text : Buffer.from(text).toString(), outcome_hash };
}

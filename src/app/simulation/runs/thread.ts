/** Runs a simulation on its own thread, step by step, so that it can be watched and stopped, and never blocks a request. */
import * as os from 'node:os';
import { threadScript } from '../../../base/thread-script.js';
import { epochs_checked_one_in } from '../../../base/limits.js';
import type { Salted } from '../../../journal/salted.js';
import { directly, type Stage, type StageObserver, type StageRunner } from '../../orchestrator/orchestrator.js';
import { type ThreadKind, warmThread, watchThread } from '../../threads/watched-worker.js';
import { no_credentials } from '../../workers/nats.js';
import { silentText, type WorkerAccess, type WorkerNotice } from '../../workers/register.js';
import type { SimulationTask } from '../../workers/simulation-jobs.js';
import { islandGroups, type IslandSettings } from '../islands/settings.js';
import type { ThreadTask } from '../islands/threads.js';

/** The steps that a run's thread executes, in order, each on request. Planning and recording are not executed on this thread. */
export const thread_stages = ['research', 'strategy', 'market', 'codegen', 'safety'] as const;
export type ThreadStage = (typeof thread_stages)[number];

export interface AnsweredSimulation {
  readonly type: 'answered';
  /**
   * The outcome's canonical JSON, whose SHA-256 is the hash; UTF-8 bytes if it is large, because they are sent without a copy.
   */
  readonly text: string | Uint8Array<ArrayBuffer>;
  readonly outcome_hash: string;
  /** The salt and hash with which the journal stores a large outcome, since computing them takes long. */
  readonly salted?: Salted;
}

export type SimulationAnswer =
  | AnsweredSimulation
  /** The outcome did not pass its checks. */
  | { readonly type: 'refuted'; readonly reason: string }
  | { readonly type: 'stopped' };

/** The messages of the thread: `years` once, before the search; then the completed `generation`, a few times a second. */
export type SimulationMessage =
  | SimulationAnswer
  | { readonly type: 'staged' }
  | { readonly type: 'years'; readonly affected: readonly number[] }
  | { readonly type: 'generation'; readonly generation: number; readonly done: number }
  | { readonly type: 'worker'; readonly notice: WorkerNotice };

export interface SimulationWatch {
  /** Called once with the number of sectors that are disrupted by each year. */
  readonly onYears?: ((affected: readonly number[]) => void) | undefined;
  /** Called once for every generation, in order, with the completed share of the run. */
  readonly onGeneration?: ((generation: number, done: number) => void) | undefined;
  /** Called every 100 ms; true stops the run at its next generation. */
  readonly mustStop?: (() => boolean) | undefined;
  /** Runs each step under the agent of its role; without it the steps follow each other unsupervised. */
  readonly runStage?: StageRunner | undefined;
  /** Whether threads that serve requests take precedence. */
  readonly isBackground?: boolean | undefined;
  /** The backends of the islands; the run's own thread if absent. The outcome is the same. */
  readonly islands?: IslandSettings | undefined;
  /** How the workers of queues are reached; by default none counts. */
  readonly workers?: (() => WorkerAccess | undefined) | undefined;
  readonly onWorker?: ((notice: WorkerNotice) => void) | undefined;
}

export const no_workers: WorkerAccess = {
  credentials: no_credentials,
  keys: [],
  refuted: [],
  check_one_in: epochs_checked_one_in,
};

export type RunSimulation = (task: SimulationTask, watch?: SimulationWatch) => Promise<SimulationAnswer>;

/** The kind of the simulations' threads. */
const simulations = (isBackground: boolean): ThreadKind => ({
  script: threadScript(new URL('./run-worker.js', import.meta.url)),
  memory_mb_max: 1_024,
  isBackground,
});

/** Starts a thread ahead of the next run, if threads are kept. */
export const warmSimulation = (): void => warmThread(simulations(true));

/**
 * Returns the answer; `stopped` if `mustStop` returned true.
 * @throws Fault when the thread dies (out of memory, a bug) or hangs
 */
export async function simulateOnThread(task: SimulationTask, watch: SimulationWatch = {}): Promise<SimulationAnswer> {
  const thread = new SimulationThread(task, watch);
  const { runStage = directly } = watch;
  try {
    for (const stage of thread_stages) {
      // The thread may be stopped while the step waits for its agent, so its answer is awaited too.
      const ended = await Promise.race([runStage(stage, thread.stage(stage)), thread.answer]);
      if (ended !== null) return ended;
    }
    return await thread.answer;
  } finally {
    thread.end();
  }
}

class SimulationThread {
  readonly answer: Promise<SimulationAnswer>;
  readonly end: () => void;
  private readonly post: (stage: ThreadStage) => void;
  private readonly onWorker: SimulationWatch['onWorker'];
  private observer: StageObserver | null = null;
  /** Settles the current step; the answer settles it too. */
  private staged: (() => void) | null = null;

  constructor(task: SimulationTask, watch: SimulationWatch) {
    const tell = listener(watch);
    this.onWorker = watch.onWorker;
    const { mustStop, islands = [], isBackground = false } = watch;
    const groups = islandGroups(islands, Math.max(1, os.availableParallelism() - 1));
    const given: ThreadTask = { ...task, groups, workers: watch.workers?.() ?? no_workers };
    const thread = watchThread<SimulationMessage, SimulationAnswer>({
      ...simulations(isBackground),
      task: given,
      name: 'the simulation',
      mustStop,
      stopped: { type: 'stopped' },
      observer: { heartbeat: () => this.observer?.heartbeat(), starved: (ms) => this.observer?.starved(ms) },
      onMessage: (message) => {
        if (message.type === 'answered' || message.type === 'stopped' || message.type === 'refuted') return message;
        if (message.type === 'staged') this.staged?.();
        else if (message.type === 'worker') this.noticed(message.notice);
        else tell(message);
        return null;
      },
    });
    this.answer = thread.answer;
    // A failure between two steps has no awaiter; the next step receives it.
    this.answer.catch(() => undefined);
    this.end = thread.end;
    this.post = thread.post;
  }

  /** A job that a worker lost is restarted under the agent whose step waits for it. */
  private noticed(notice: WorkerNotice): void {
    if (notice.type === 'lost') this.observer?.restarted(`${silentText(notice.key)}; its job is done again`);
    this.onWorker?.(notice);
  }

  /** Returns one step as a stage: it resolves to null, or to the answer if that ended the run. */
  stage(stage: ThreadStage): Stage<SimulationAnswer | null> {
    return (observer) => {
      this.observer = observer;
      const taken = new Promise<null>((resolve) => (this.staged = () => resolve(null)));
      this.post(stage);
      return Promise.race([taken, this.answer]);
    };
  }
}

/** Returns the listener for messages. One message may cover several short generations; each is reported separately. */
function listener({
  onYears,
  onGeneration,
}: SimulationWatch): (message: Extract<SimulationMessage, { type: 'years' | 'generation' }>) => void {
  let heard = 0;
  return (message) => {
    if (message.type === 'years') return onYears?.(message.affected);
    for (; heard < message.generation; heard++) onGeneration?.(heard + 1, message.done);
    return undefined;
  };
}

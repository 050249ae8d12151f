/** Runs a simulation on its own thread, step by step, so that it can be watched and stopped, and never blocks a request. */
import * as os from 'node:os';
import { threadScript } from '../../../base/thread-script.js';
import { epochs_checked_one_in } from '../../../base/limits.js';
import type { SaltedHash } from '../../../journal/salted.js';
import { directly, type StageObserver, type StageRunner } from '../../orchestrator/orchestrator.js';
import { type StoppedTask, type ThreadKind, warmThread, watchThread } from '../../threads/watched-worker.js';
import { no_credentials } from '../../workers/nats-credentials.js';
import { silentText, type WorkerAccess, type WorkerNotice } from '../../workers/register.js';
import type { SimulationTask } from '../../workers/simulation-jobs.js';
import { islandGroups, type IslandSettings } from '../islands/settings.js';
import type { ThreadTask } from '../islands/threads.js';

/** The roles of the steps that a run's thread executes, in order, each on request. Planning and recording are not executed on this thread. */
export const thread_stages = ['research', 'strategy', 'market', 'codegen', 'safety'] as const;

export interface AnsweredSimulation {
  readonly type: 'answered';
  /**
   * The outcome's canonical JSON, whose SHA-256 is the hash; UTF-8 bytes if it is large, because they are sent without a copy.
   */
  readonly text: string | Uint8Array<ArrayBuffer>;
  readonly outcome_hash: string;
  /** The salt and hash with which the journal stores a large outcome, since computing them takes long. */
  readonly salted?: SaltedHash;
}

/** How a run ends on its thread. A refuted outcome did not pass its checks. */
export type RunEnd = AnsweredSimulation | { readonly type: 'refuted'; readonly reason: string };
export type SimulationAnswer = RunEnd | StoppedTask;

/** The news of the thread: `years` once, before the search; then the completed `generation`, a few times a second. */
export type RunNews =
  | { readonly type: 'years'; readonly affected: readonly number[] }
  | { readonly type: 'generation'; readonly generation: number; readonly done: number }
  | { readonly type: 'worker'; readonly notice: WorkerNotice };

export interface SimulationWatch {
  /** Called once with the number of sectors that are disrupted by each year. */
  readonly onYears?: ((affected: readonly number[]) => void) | undefined;
  /** Called a few times a second with the last completed generation and the completed share of the run; at the end with the last one. */
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
  const { mustStop, islands = [], isBackground = false, runStage = directly, workers, onWorker } = watch;
  const groups = islandGroups(islands, Math.max(1, os.availableParallelism() - 1));
  const given: ThreadTask = { ...task, groups, workers: workers?.() ?? no_workers };
  let observer: StageObserver | null = null;
  const thread = watchThread<RunEnd, RunNews, null, null>({
    ...simulations(isBackground),
    task: given,
    name: 'the simulation',
    mustStop,
    observer: { heartbeat: () => observer?.heartbeat(), starved: (ms) => observer?.starved(ms) },
    onNews: (news) => {
      if (news.type === 'years') return watch.onYears?.(news.affected);
      if (news.type === 'generation') return watch.onGeneration?.(news.generation, news.done);
      // A job that a worker lost is restarted under the agent whose step waits for it.
      if (news.notice.type === 'lost') observer?.restarted(`${silentText(news.notice.key)}; its job is done again`);
      return onWorker?.(news.notice);
    },
  });
  try {
    for (const stage of thread_stages) {
      const staged = runStage(stage, (own) => {
        observer = own;
        return thread.ask(null);
      });
      // The thread may be stopped while the step waits for its agent, so its answer is awaited too.
      const ended = await Promise.race([staged, thread.answer]);
      if (ended !== null) return ended;
    }
    return await thread.answer;
  } finally {
    void thread.end();
  }
}

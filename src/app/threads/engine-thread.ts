/** Runs an engine on its own thread, so that it can be watched and stopped, and never blocks a request. */
import * as os from 'node:os';
import { verification_ms_max } from '../../base/limits.js';
import { threadScript } from '../../base/thread-script.js';
import type { EngineAnswer, EngineMessage, EngineTask } from './engine-protocol.js';
import { Gate } from './gate.js';
import { warmThread, type ThreadKind } from './kept-threads.js';
import { watchThread, type ThreadObserver } from './watched-worker.js';

export interface EngineObserver extends ThreadObserver {
  /** Announces work without heartbeats that lasts at most `ms`. */
  readonly quiet: (ms: number) => void;
}

export interface Watch {
  readonly onProgress?: (done: number) => void;
  /** Called every 100 ms; true stops the engine at its next checkpoint. */
  readonly mustStop?: () => boolean;
  readonly observer?: EngineObserver;
  /** Whether threads that serve requests take precedence. */
  readonly isBackground?: boolean;
}

/** The function that runs an engine: on a thread, unless a caller supplies another one. */
export type RunEngine = (task: EngineTask, watch?: Watch) => Promise<EngineAnswer>;

/** The kind of the engines' threads. */
const engines = (isBackground: boolean): ThreadKind => ({
  script: threadScript(new URL('./engine-worker.js', import.meta.url)),
  memory_mb_max: 512,
  isBackground,
});

/** Starts a thread ahead of the next execution and one ahead of the next review, if threads are kept. */
export function warmEngines(): void {
  for (const isBackground of [true, false]) warmThread(engines(isBackground));
}

/** Limits the verifications that run at once, however many decisions arrive. Leases limit the executions. */
const verifications = new Gate(os.availableParallelism());

/**
 * Returns the engine's answer; `stopped` if `mustStop` returned true.
 * @throws Fault when the thread dies (out of memory, a bug)
 */
export const runOnThread = (task: EngineTask, watch: Watch = {}): Promise<EngineAnswer> =>
  task.type === 'verify' ? verifications.run(() => run(task, watch)) : run(task, watch);

const run = (task: EngineTask, { onProgress, mustStop, observer, isBackground = false }: Watch): Promise<EngineAnswer> =>
  watchThread<EngineMessage, EngineAnswer>({
    ...engines(isBackground),
    task,
    name: 'the engine',
    mustStop,
    observer,
    stopped: { type: 'stopped' },
    onMessage: (message) => {
      if (message.type === 'verifying') observer?.quiet(verification_ms_max);
      else if (message.type === 'progress') onProgress?.(message.done);
      else return message;
      return null;
    },
  }).answer;

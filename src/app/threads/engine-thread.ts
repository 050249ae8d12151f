/** Running an engine on a thread of its own, so that it can be watched, stopped, and never blocks a request. */
import * as os from 'node:os';
import { verification_ms_max } from '../../base/limits.js';
import type { EngineAnswer, EngineMessage, EngineTask } from './engine-protocol.js';
import { Gate } from './gate.js';
import { watchThread, type ThreadObserver } from './watched-worker.js';

export interface EngineObserver extends ThreadObserver {
  /** It goes on without a sign for so long at most. */
  readonly quiet: (ms: number) => void;
}

export interface Watch {
  readonly onProgress?: (done: number) => void;
  /** Asked every 100 ms; true stops the engine at its next checkpoint. */
  readonly mustStop?: () => boolean;
  readonly observer?: EngineObserver;
  /** Whether threads that answer requests go first. */
  readonly isBackground?: boolean;
}

/** How an engine is run: on a thread, unless a caller brings another way. */
export type RunEngine = (task: EngineTask, watch?: Watch) => Promise<EngineAnswer>;

const memory_mb_max = 512;

/** Executions are counted by their leases; verifications, however many decisions arrive at once, take turns. */
const verifications = new Gate(os.availableParallelism());

/** The engine's answer; `stopped` when `mustStop` said so. @throws Fault when the thread dies (out of memory, a bug). */
export const runOnThread = (task: EngineTask, watch: Watch = {}): Promise<EngineAnswer> =>
  task.type === 'verify' ? verifications.run(() => run(task, watch)) : run(task, watch);

const run = (task: EngineTask, { onProgress, mustStop, observer, isBackground = false }: Watch): Promise<EngineAnswer> =>
  watchThread<EngineMessage, EngineAnswer>({
    script: new URL('./engine-worker.js', import.meta.url),
    task,
    name: 'the engine',
    memory_mb_max,
    isBackground,
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

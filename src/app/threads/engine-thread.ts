/** Runs an engine on its own thread, so that it can be watched and stopped, and never blocks a request. */
import * as os from 'node:os';
import { canonicalJson } from '../../base/canonical-json.js';
import { sha256Hex } from '../../base/bytes.js';
import { inline_value_bytes_max } from '../../base/limits.js';
import type { Refusal } from '../../base/refusal.js';
import { threadScript } from '../../base/thread-script.js';
import type { Completion, Inference } from '../../codec/chat-completion.js';
import type { EngineId } from '../../codec/events/mission.js';
import type { Kind } from '../../codec/kinds.js';
import type { Answer, EngineInput, Verification } from '../../engines/engine.js';
import { salted } from '../../journal/salted.js';
import type { Improvement } from '../../kinds/improvement.js';
import type { Work } from '../../kinds/works.js';
import {
  type StoppedTask,
  type ThreadKind,
  type ThreadObserver,
  warmThread,
  watchThread,
  type ThreadWatch,
} from './watched-worker.js';
import { Gate } from '../../base/gate.js';

/** Time for an engine's verifier, which cannot report progress: ten times what the largest result takes. */
const verification_ms_max = 60_000;

interface TaskInput {
  readonly kind: Kind;
  readonly input: EngineInput<Work>;
  /** JSON text of the request as it was queued, for a kind that runs in the sandbox: there its number tokens count. */
  readonly requestText?: string | undefined;
}

export type EngineTask =
  | (TaskInput & {
      readonly type: 'run';
      /** What a language model answered, which takes the place of the engine. */
      readonly completion?: Completion;
    })
  | (TaskInput & {
      readonly type: 'verify';
      readonly result: unknown;
      /** The engine or the language model that made the result; absent for the engine that this program has. */
      readonly made?: EngineId;
    });

/** A result as the journal stores it, written, salted and hashed on the engine's thread because that takes long. */
export type PreparedResult = NonNullable<ReturnType<typeof prepareResult>>;

/** The machine that computed a search, and who computed it again: keys of workers, or `home`. */
export interface Execution {
  readonly worker: string;
  readonly checked_by: string;
  /** Keys of workers whose result was wrong. */
  readonly refuted?: readonly string[];
}

/** What is recorded beside a result, and of work that gave none. */
export interface WorkNotes {
  /** The candidates that ran. */
  readonly codegen?: Readonly<Record<string, unknown>> | undefined;
  /** The last call of a language model that was answered, where its result does not hold it itself. */
  readonly inference?: Inference | undefined;
  readonly execution?: Execution | undefined;
}

export type EngineAnswer =
  | (Answer<unknown> &
      WorkNotes & {
        readonly type: 'answered';
        /** A large result as it is stored outside its entry; null for a small one; absent where no thread has prepared it. */
        readonly prepared?: PreparedResult | null;
        readonly verification: Verification;
        /** What a result that passed its verification gained over its baseline. */
        readonly improvement: Improvement;
        readonly result_hash: string;
      })
  | { readonly type: 'verified'; readonly verification: Verification; readonly result_hash: string }
  | (WorkNotes & { readonly type: 'refused'; readonly refusal: Refusal })
  | StoppedTask;

/** The part that is done, or the beginning of the verifier, which has no checkpoints. */
export type EngineNews = number | 'verifying';

/** Returns a result as it is stored outside its entry, or null if it is small enough to be part of it. @param text its canonical JSON */
export function prepareResult(text: string) {
  if (Buffer.byteLength(text) <= inline_value_bytes_max) return null;
  const bytes = new TextEncoder().encode(text);
  // The bytes are sent without a copy.
  return { bytes, salted: salted(bytes) };
}

export const hashOfResult = (result: unknown): string => sha256Hex(canonicalJson(result));

interface EngineObserver extends ThreadObserver {
  /** Announces work without heartbeats that lasts at most `ms`. */
  readonly quiet: (ms: number) => void;
}

export interface Watch extends Pick<ThreadWatch<EngineNews>, 'mustStop' | 'mustConclude'> {
  readonly onProgress?: (done: number) => void;
  readonly observer?: EngineObserver;
  /** Whether threads that serve requests take precedence. */
  readonly isBackground?: boolean;
}

/** The function that runs an engine: on a thread, unless a caller supplies another one. */
export type RunEngine = (task: EngineTask, watch?: Watch) => Promise<EngineAnswer>;

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

const run = (
  task: EngineTask,
  { onProgress, mustStop, mustConclude, observer, isBackground = false }: Watch,
): Promise<EngineAnswer> =>
  watchThread<EngineAnswer, EngineNews>({
    ...engines(isBackground),
    task,
    name: 'the engine',
    mustStop,
    mustConclude,
    observer,
    onNews: (news) => (news === 'verifying' ? observer?.quiet(verification_ms_max) : onProgress?.(news)),
  }).answer;

/** The messages between an engine's thread and the thread that started it. */
import { canonicalJson } from '../../base/canonical-json.js';
import { sha256Hex } from '../../base/hash.js';
import { inline_value_bytes_max } from '../../base/limits.js';
import type { Refusal } from '../../base/refusal.js';
import type { Completion, Inference } from '../../codec/chat-completion.js';
import type { EngineId } from '../../codec/events/mission.js';
import type { Kind } from '../../codec/kinds.js';
import type { Improvement } from '../../kinds/improvement.js';
import type { Work } from '../../kinds/works.js';
import type { EngineInput, Verification } from '../../engines/engine.js';
import { salted, type Salted } from '../../journal/salted.js';

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
export interface PreparedResult {
  /** Sent without a copy. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly salted: Salted;
}

/** Where a search was computed on another machine, and who computed it again: keys of workers, or `home`. */
export interface Execution {
  readonly worker: string;
  readonly checked_by: string;
  /** Keys of workers whose result was wrong. */
  readonly refuted?: readonly string[];
}

/** What the stage codegen records of candidates that ran. */
type CodegenNote = Readonly<Record<string, unknown>>;

export type EngineAnswer =
  | {
      readonly type: 'answered';
      readonly result: unknown;
      /** A large result as it is stored outside its entry; null for a small one; absent where no thread has prepared it. */
      readonly prepared?: PreparedResult | null;
      readonly iterations: number | null;
      readonly solution: unknown;
      readonly verification: Verification;
      /** What a result that passed its verification gained over its baseline. */
      readonly improvement: Improvement;
      readonly result_hash: string;
      readonly codegen?: CodegenNote | undefined;
      /** The call of a language model that wrote a result which does not hold it itself. */
      readonly inference?: Inference | undefined;
      readonly execution?: Execution | undefined;
    }
  | { readonly type: 'verified'; readonly verification: Verification; readonly result_hash: string }
  | {
      readonly type: 'refused';
      readonly refusal: Refusal;
      readonly codegen?: CodegenNote | undefined;
      /** The last call of a language model that was answered. */
      readonly inference?: Inference | undefined;
      readonly execution?: Execution | undefined;
    }
  | { readonly type: 'stopped' };

/** `verifying` announces the verifier, which has no checkpoints. */
export type EngineMessage = EngineAnswer | { readonly type: 'progress'; readonly done: number } | { readonly type: 'verifying' };

/** Returns a result as it is stored outside its entry, or null if it is small enough to be part of it. @param text its canonical JSON */
export function prepareResult(text: string): PreparedResult | null {
  if (Buffer.byteLength(text) <= inline_value_bytes_max) return null;
  const bytes = new TextEncoder().encode(text);
  return { bytes, salted: salted(bytes) };
}

export const hashOfResult = (result: unknown): string => sha256Hex(canonicalJson(result));

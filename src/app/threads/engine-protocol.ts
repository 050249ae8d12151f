/** The messages between an engine's thread and the thread that started it. */
import { canonicalJson } from '../../base/canonical-json.js';
import { sha256Hex } from '../../base/hash.js';
import type { Refusal } from '../../base/refusal.js';
import type { Kind } from '../../codec/kinds.js';
import type { Improvement } from '../../kinds/improvement.js';
import type { Work } from '../../kinds/works.js';
import type { EngineInput, Verification } from '../../engines/engine.js';

export type EngineTask =
  | { readonly type: 'run'; readonly kind: Kind; readonly input: EngineInput<Work> }
  | { readonly type: 'verify'; readonly kind: Kind; readonly input: EngineInput<Work>; readonly result: unknown };

export type EngineAnswer =
  | {
      readonly type: 'answered';
      readonly result: unknown;
      /** Canonical JSON of the result, written on the engine's thread because a large result takes long to write. */
      readonly text?: string;
      readonly iterations: number | null;
      readonly solution: unknown;
      readonly verification: Verification;
      /** What a result that passed its verification gained over its baseline. */
      readonly improvement: Improvement;
      readonly result_hash: string;
    }
  | { readonly type: 'verified'; readonly verification: Verification; readonly result_hash: string }
  | { readonly type: 'refused'; readonly refusal: Refusal }
  | { readonly type: 'stopped' };

/** `verifying` announces the verifier, which has no checkpoints. */
export type EngineMessage = EngineAnswer | { readonly type: 'progress'; readonly done: number } | { readonly type: 'verifying' };

export const hashOfResult = (result: unknown): string => sha256Hex(canonicalJson(result));

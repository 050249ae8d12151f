/**
 * A mission kind: everything that the program needs to accept, execute, verify, review and export its missions. Besides this declaration
 * a kind registers the parts that are needed without its engine: its work codec (works.ts), the manifest of its tool (manifests.ts), the
 * picture of its results (pictures.ts) and its example (examples.ts). Every table is typed over all kinds, so the compiler names
 * each one that lacks a kind.
 */
import type { Result } from '../base/result.js';
import type { ChatPrompt, Completion } from '../codec/chat-completion.js';
import type { Kind } from '../codec/kinds.js';
import type { ToolManifest } from '../codec/tool-manifest.js';
import type { Answer, Engine, EngineInput, Verify } from '../engines/engine.js';
import type { ReferenceResult } from '../engines/reference/reading.js';
import type { Improvement } from './improvement.js';
import type { SizeBounds } from './size.js';
import type { Works } from './works.js';

/** How a kind uses a language model in place of its engine, when the configuration names one. Pure: the call itself is made elsewhere. */
export interface ModelSolver<Work> {
  /** Recorded as the mission's engine, so that no result of a model passes for one of the engine. */
  readonly name: string;
  readonly version: string;
  /** The number of characters (code points) of a mission that the prompt contains, which the configuration limits. */
  readonly sourceChars: (work: Work) => number;
  readonly prompt: (input: Pick<EngineInput<Work>, 'goal' | 'work'>, maxTokens: number) => ChatPrompt;
  /** Returns the result that an untrusted completion gives, or why it gives none (`provider_failed`). */
  readonly run: (input: EngineInput<Work>, completion: Completion) => Result<Answer<unknown>>;
  /** Re-checks a result of a model, as far as it can be checked without the model. */
  readonly verify: Verify<Work>;
}

/** The engine and the verifier of a kind. */
export interface Solver<Work> {
  readonly engine: Engine<Work, unknown>;
  /** Absent for a kind that uses no language model. */
  readonly model?: ModelSolver<Work>;
  readonly verify: Verify<Work>;
  /**
   * Whether the engine takes milliseconds: wherever a result is verified it is then also computed again and compared byte for byte, and the
   * verifier checks what a reader relies on, in results of any version of the engine. Otherwise a result carries a certificate.
   */
  readonly isRecomputed: boolean;
  /** The verifiers of results that released versions of the engine made in another form, by version. */
  readonly former?: Readonly<Record<string, Verify<Work>>>;
  readonly size: SizeBounds<Work>;
  /** What a thread does ahead of its first task, in short steps; absent for an engine whose first run is as fast as the next ones. */
  readonly prepare?: () => Generator<void>;
}

/** The identity of what runs a kind's candidates in the sandbox, and the bounds on its results. */
export interface SandboxSolver<Work> {
  readonly engine: Pick<Engine<Work, unknown>, 'name' | 'version'>;
  readonly model?: undefined;
  /** Nothing but another run verifies a result. */
  readonly verify: null;
  readonly prepare?: undefined;
  readonly size: SizeBounds<Work>;
}

/** The Python agent's rules for results of a kind. */
export interface ReferenceRules<Work> {
  /**
   * Returns descriptions of the checks.
   * @throws Fault when the result breaks a rule
   */
  readonly check: (work: Work, result: ReferenceResult) => readonly string[];
  /** Returns the solution of a result that passed the check, from which the search can start, or null. */
  readonly solution: (work: Work, result: ReferenceResult) => unknown;
}

export interface MissionKind<K extends Kind> {
  readonly kind: K;
  /** The solver; null for a kind that this version cannot execute. */
  readonly solver: Solver<Works[K]> | SandboxSolver<Works[K]> | null;
  /** What a verified result gained over its baseline. */
  readonly improvement: (work: Works[K], result: unknown) => Improvement;
  /** The ids by which a mission finds an earlier one that can seed its search; null for a kind that takes no warm start. */
  readonly seedIds: ((work: Works[K]) => readonly string[]) | null;
  /** Whether a request is always stored in a blob, because it holds texts that may have to be erased. */
  readonly erasable: boolean;
  /** Whether the search is costly enough for workers on other machines to compute it. The engine gets no goal there. */
  readonly usesWorkers: boolean;
  /** Whether executing a mission would call the model provider that the configuration names. */
  readonly usesProvider: boolean;
  /** Whether a result is a program, which would have to run in a sandbox to be checked. */
  readonly needsSandbox: boolean;
  /** The rules; null for a kind whose results of the Python agent cannot be checked here. */
  readonly reference: ReferenceRules<Works[K]> | null;
}

/** The manifest of a kind's tool, the one that executes its missions. */
export type KindManifest<K extends Kind> = ToolManifest & { readonly tool_id: `mission_${K}` };

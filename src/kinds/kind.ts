/**
 * A mission kind: everything that the program needs to accept, execute, verify, review and export its missions. The declaration is loaded by
 * most commands, so it is light: the engine and the verifier are loaded by the threads that run them. Only the codec of the work is in a table of
 * its own (works.ts), for the pages. Both tables are typed over all kinds, so the compiler names each that lacks one.
 */
import type { FieldError, Result } from '../base/refusal.js';
import type { ChatPrompt, Completion } from '../codec/chat-completion.js';
import type { Kind } from '../codec/kinds.js';
import type { Stage } from '../codec/record.js';
import type { ToolManifest } from '../codec/tool-manifest.js';
import type { EngineId } from '../codec/events/mission.js';
import type { Answer, Engine, EngineInput, Verify } from '../engines/engine.js';
import type { Improvement } from './improvement.js';
import type { InputsOf } from './inputs.js';
import type { ReferenceResult } from './reading.js';
import type { Picture } from '../pictures/picture.js';
import type { SizeBounds } from './size.js';
import type { Example, Works } from './works.js';

/** What is recorded as the maker of a result, and what loads it. */
interface LazyPart<A> extends EngineId {
  readonly load: () => Promise<A>;
}

type LoadVerifier<Work> = () => Promise<Verify<Work>>;

/** Returns the result that an untrusted completion gives, or why it gives none (`provider_failed`). Pure: the call itself is made elsewhere. */
type ReadCompletion<Work> = (input: EngineInput<Work>, completion: Completion) => Result<Answer<unknown>>;

/** How a kind uses a language model in place of its engine, when the configuration names one; no result of a model passes for one of the engine. */
interface ModelSolver<Work> {
  readonly engine: LazyPart<ReadCompletion<Work>>;
  /** Re-checks a result of a model, as far as it can be checked without the model. */
  readonly verifier: LoadVerifier<Work>;
  /** The number of characters (code points) of a mission that the prompt contains, which the configuration limits. */
  readonly sourceChars: (work: Work) => number;
  readonly prompt: (input: Pick<EngineInput<Work>, 'goal' | 'work'>, maxTokens: number) => ChatPrompt;
}

/** The engine and the verifier of a kind. */
export interface Solver<Work> {
  readonly engine: LazyPart<Engine<Work, unknown>>;
  readonly verifier: LoadVerifier<Work>;
  /**
   * Whether the engine takes milliseconds: wherever a result is verified it is then also computed again and compared byte for byte, and the
   * verifier checks what a reader relies on, in results of any version of the engine. Otherwise a result carries a certificate, and
   * workers on other machines can compute it; the engine gets no goal there.
   */
  readonly isRecomputed: boolean;
  /** The verifiers of results that released versions of the engine made in another form, by version. */
  readonly former?: Readonly<Record<string, LoadVerifier<Work>>>;
  /** Absent for a kind that uses no language model. */
  readonly model?: ModelSolver<Work>;
  readonly size: SizeBounds<Work>;
}

/** The identity of what runs a kind's candidates in the sandbox, and the bounds on its results. */
export interface SandboxSolver<Work> {
  readonly engine: EngineId;
  readonly model?: undefined;
  /** Nothing but another run verifies a result. */
  readonly verifier: null;
  readonly size: SizeBounds<Work>;
}

/** The Python agent's rules for results of a kind. */
export interface ReferenceRules<Work> {
  /**
   * Returns descriptions of the checks.
   * @throws where the result breaks a rule
   */
  readonly check: (work: Work, result: ReferenceResult) => readonly string[];
  /** Returns the solution of a result that passed the check, from which the search can start, or null. */
  readonly solution: (work: Work, result: ReferenceResult) => unknown;
}

export interface MissionKind<K extends Kind> {
  readonly kind: K;
  /** The manifest of its tool, the one that executes its missions. */
  readonly manifest: ToolManifest & { readonly tool_id: `mission_${K}` };
  /** What `agent-cli examples` writes. */
  readonly example: Example<K>;
  /** Returns what people see of a request before its result. */
  readonly inputs: InputsOf;
  /** What a terminal shows between the figures and the tables of the report; null for a kind without a drawing. */
  readonly chart: Picture | null;
  /** Returns what the stages of a mission record of each part that failed, with its place in the request; absent for a kind without such parts. */
  readonly failures?: (stages: readonly Pick<Stage, 'role' | 'detail'>[]) => readonly FieldError[];
  readonly solver: Solver<Works[K]> | SandboxSolver<Works[K]>;
  /** What a verified result gained over its baseline. */
  readonly improvement: (work: Works[K], result: unknown) => Improvement;
  /** The ids by which a mission finds an earlier one that can seed its search; null for a kind that takes no warm start. */
  readonly seedIds: ((work: Works[K]) => readonly string[]) | null;
  /** Whether a work holds texts that may have to be erased, such as names of people's things: the request is then stored in a blob. */
  readonly erasable: (work: Works[K]) => boolean;
  /** The rules; null for a kind whose results of the Python agent cannot be checked here. */
  readonly reference: ReferenceRules<Works[K]> | null;
}

/** Returns the manifest of a kind's tool, which computes on the data of the mission alone. @param changes where it does more */
export const missionManifest = <K extends Kind>(
  kind: K,
  tool_name: string,
  purpose: string,
  changes: Partial<ToolManifest> = {},
): MissionKind<K>['manifest'] => ({
  schema: 'AEP-005-TOOL-MANIFEST',
  schema_version: '1.1',
  tool_name,
  tool_version: '1.0.0',
  provider: 'agent-cli',
  description: `${purpose} The result counts only after a person approved it.`,
  permission_classes_supported: ['read', 'transform'],
  default_permission: 'transform',
  risk_class: 'low',
  side_effects: ['journal_entry'],
  data_access: ['mission_input', 'approved_results'],
  external_effect: false,
  rollback_supported: false,
  compensation_supported: true,
  approval_required_for: [],
  audit_required: true,
  evidence_required: true,
  owner: 'operator',
  status: 'active',
  ...changes,
  tool_id: `mission_${kind}`,
});

/** The work of an attempt's strategy stage: the engine on its thread, or a language model whose answer the kind then turns into a result. */
import { canonicalJson } from '../../base/canonical-json.js';
import { isRefused, type Refusal, type Result } from '../../base/refusal.js';
import type { Completion } from '../../codec/chat-completion.js';
import type { MissionError } from '../../codec/events/mission.js';
import type { Mission } from '../../codec/record.js';
import type { Role } from '../../codec/roles.js';
import { helpAfter } from '../../domain/mission.js';
import type { EngineInput } from '../../engines/engine.js';
import { engineInput } from '../../kinds/engine-input.js';
import type { MissionRequest } from '../../kinds/request.js';
import { marksIn } from '../../kinds/size.js';
import { missionKind } from '../../kinds/table.js';
import type { Work } from '../../kinds/works.js';
import type { CallRefusal } from '../../provider/failure.js';
import type { StageObserver } from '../orchestrator/orchestrator.js';
import type { EngineAnswer, Execution, RunEngine, WorkNotes } from '../threads/engine-thread.js';
import { askModel, type Leased, type LeasedProvider } from './lease.js';
import { work_budget_ms } from '../../base/limits.js';
import { without_objective } from '../../kinds/improvement.js';

export type Answered = Extract<EngineAnswer, { type: 'answered' }>;

interface Computing {
  readonly leased: Leased;
  readonly warmStart: unknown;
  /** JSON text of the request, for a kind that runs in the sandbox. */
  readonly requestText?: string | undefined;
  /** Returns the last stage. */
  readonly stage: () => Role | null;
  readonly observer: StageObserver;
  /** Returns why the work must end now, or null. */
  readonly whyStop: () => MissionError | null;
  /** Returns whether the search is to end with the best that it has. */
  readonly mustConclude: () => boolean;
  /** Returns whether the work must end for another reason, which its caller knows. */
  readonly mustEnd: () => boolean;
  readonly runEngine: RunEngine;
  /** Receives what the stages record of work that gave no result. */
  readonly onRefused: (refused: WorkNotes) => void;
  readonly onProgress: (done: number) => void;
  readonly isBackground?: boolean | undefined;
}

/** Returns the answer, with its verification. @throws AttemptFailed */
export async function compute(work: Computing): Promise<Answered> {
  const { leased, observer, requestText, runEngine, isBackground = false } = work;
  const { mission, request, max_evaluations } = leased;
  const input = engineInput(request, { max_evaluations }, work.warmStart);
  let why: MissionError | null = null;
  const mustStop = (): boolean => {
    why ??= work.whyStop();
    return why !== null || observer.signal.aborted || work.mustEnd();
  };
  const failed = (message: string, code = 'execution_failed', refused: WorkNotes = {}): AttemptFailed => {
    work.onRefused(refused);
    return new AttemptFailed({ code, message, stage: work.stage() });
  };
  /** The finding of a checkpoint counts, even when the work has just ended or the agent was resumed since. */
  const refuseStopped = (): void => {
    why ??= work.whyStop();
    if (why !== null) throw new AttemptFailed(why);
  };
  const completed = await completionOf(work, input, mustStop);
  refuseStopped();
  if (completed !== null && isRefused(completed)) throw failed(completed.left.detail, completed.left.code, completed.left);
  const completion = completed === null ? {} : { completion: completed.right };
  const answer = await runEngine(
    { type: 'run', kind: mission.kind, input, requestText, ...completion },
    { onProgress: work.onProgress, observer, isBackground, mustStop, mustConclude: work.mustConclude },
  );
  refuseStopped();
  if (answer.type === 'answered') {
    if (completed !== null && isTooLarge(answer, request))
      throw failed('the findings of the provider are too long', 'provider_failed', completed.right);
    if (answer.execution !== undefined && isTooLarge(answer, request)) throw failed('the result of the workers is too long');
    return answer;
  }
  if (answer.type !== 'refused') throw failed('the engine stopped without a result');
  const { code, detail } = answer.refusal;
  const { codegen, execution, inference = completed?.right.inference } = answer;
  throw failed(detail, code === 'provider_failed' ? code : 'execution_failed', { codegen, execution, inference });
}

/** Asks the language model; null for a mission that its engine executes. */
async function completionOf(
  { leased: { mission, provider }, observer }: Computing,
  input: EngineInput<Work>,
  mustStop: () => boolean,
): Promise<Result<Completion, CallRefusal> | null> {
  const model = missionKind(mission.kind).solver?.model;
  if (provider === null || model === undefined) return null;
  return await askModel(provider, model.prompt(input, provider.max_tokens), { mustStop, observer });
}

/**
 * Returns whether a result exceeds the bounds that its kind gave when the mission was queued, under which it can be exported. They hold for every
 * result of the engine; a model's and that of workers are held to them.
 */
function isTooLarge({ result }: Answered, { work }: MissionRequest): boolean {
  const text = canonicalJson(result);
  const bound = missionKind(work.kind).solver?.size.result(work);
  return bound !== undefined && (Buffer.byteLength(text) > bound.bytes || marksIn(text) > bound.marks);
}

/** Ends an attempt with a recorded failure. */
export class AttemptFailed extends Error {
  constructor(readonly error: MissionError) {
    super(error.message);
  }
}

const message_chars_max = 2_000;

/** Returns a failure's message as it is recorded. */
export const recordable = (message: string): string => message.slice(0, message_chars_max).toWellFormed();

const codes = new Map<string, Refusal['code']>([
  ['paused', 'paused'],
  ['configuration_changed', 'conflict'],
  ['interrupted', 'interrupted'],
  ['tool_disabled', 'tool_disabled'],
  ['provider_failed', 'provider_failed'],
  ['storage_full', 'storage_full'],
]);

/** Returns the refusal that the executing command reports for a failure; the record keeps the failure too. */
export function failureRefusal(mission: Pick<Mission, 'id' | 'kind' | 'error' | 'revision' | 'stages'>): Refusal {
  const { code = 'execution_failed', message = 'failed' } = mission.error ?? {};
  const errors = missionKind(mission.kind).failures?.(mission.stages) ?? [];
  return {
    code: codes.get(code) ?? 'execution_failed',
    detail: `mission ${mission.id} failed: ${message}`,
    ...(errors.length === 0 ? {} : { errors }),
    facts: { mission: mission.id, error: mission.error, revision: mission.revision },
    hint: helpAfter(mission),
  };
}

// The seven recorded roles of a mission and the notes of each, in order.

export interface StageNote {
  readonly role: Role;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Returns the notes that are recorded before the engine runs. */
export function stagesBefore({ mission, max_evaluations, provider }: Leased): readonly StageNote[] {
  return [
    {
      role: 'planning',
      detail: {
        config_hash: mission.config_hash,
        evaluation_limit: max_evaluations,
        goal: mission.goal,
        input_hash: mission.request_hash,
        kind: mission.kind,
        ...(provider === null ? {} : { provider: plannedCall(provider) }),
        wall_seconds_limit: work_budget_ms / 1_000,
      },
    },
    {
      role: 'research',
      detail: { input_provenance: 'operator-supplied', parent: mission.parent, parent_digest: mission.parent_digest },
    },
  ];
}

/** Returns what of the call is decided before it. The address stays in the configuration, whose hash is recorded. */
const plannedCall = ({ settings, max_tokens, call_ms_max }: LeasedProvider) => ({
  model: settings.model,
  mode: settings.mode,
  max_tokens,
  seconds_limit: call_ms_max / 1_000,
});

/** Returns the member that says where a search was computed, for one that left this machine. */
const computedBy = (execution: Execution | undefined) => (execution === undefined ? {} : { execution });

const memberOf = (result: unknown, name: string): unknown =>
  typeof result === 'object' && result !== null && name in result
    ? (result as Readonly<Record<string, unknown>>)[name]
    : undefined;

/**
 * Returns the notes that are recorded when the answer of a language model is refused, candidates have run and none of them counts, or
 * workers gave no result that counts.
 */
export function stagesOfFailure({ engine }: Mission, { codegen, execution, inference }: WorkNotes): readonly StageNote[] {
  const strategy = {
    role: 'strategy',
    detail: { engine, inference: inference ?? null, iterations: null, method: null, ...computedBy(execution) },
  } as const;
  if (codegen === undefined) return inference === undefined && execution === undefined ? [] : [strategy];
  return [
    strategy,
    { role: 'market', detail: { ...without_objective, realized_revenue: null, token_settlement: 'not_recorded' } },
    { role: 'codegen', detail: codegen },
  ];
}

/** Returns the notes that are recorded once the engine has returned. */
export function stagesAfter(mission: Mission, answer: Answered): readonly StageNote[] {
  const { result, result_hash, verification, improvement, iterations } = answer;
  const inference = answer.inference ?? memberOf(result, 'inference') ?? null;
  return [
    {
      role: 'strategy',
      detail: {
        engine: mission.engine,
        inference,
        iterations,
        method: memberOf(result, 'method') ?? null,
        ...computedBy(answer.execution),
      },
    },
    {
      role: 'market',
      detail: { ...improvement, realized_revenue: null, token_settlement: 'not_recorded' },
    },
    {
      role: 'codegen',
      detail: {
        artifact_type: 'application/json',
        execution: `${inference === null ? 'built-in analytical engine' : 'language model'}; no model-generated code was executed`,
        ...answer.codegen,
        result_hash,
      },
    },
    { role: 'safety', detail: { checks: verification.checks, passed: verification.passed, review_required: true } },
    { role: 'memory', detail: { kept: 'result and stages, for review', parent: mission.parent, result_hash } },
  ];
}

/** The work of an attempt's strategy stage: the engine on its thread, or a language model whose answer the kind then turns into a result. */
import { canonicalJson } from '../../base/canonical-json.js';
import type { Refusal } from '../../base/refusal.js';
import { isRefused, type Result } from '../../base/result.js';
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
import type { EngineAnswer, RunEngine } from '../threads/engine-thread.js';
import type { Leased } from './lease.js';
import { askModel } from './provider.js';

export type Answered = Extract<EngineAnswer, { type: 'answered' }>;

/** Work that gave no result: the last answered call of a language model, candidates none of which counts, and workers whose result is wrong. */
export type RefusedWork = Pick<Extract<EngineAnswer, { type: 'refused' }>, 'codegen' | 'execution' | 'inference'>;

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
  readonly onRefused: (refused: RefusedWork) => void;
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
  const failed = (message: string, code = 'execution_failed', refused: RefusedWork = {}): AttemptFailed => {
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
  const size = missionKind(work.kind).solver?.size;
  return size !== undefined && (Buffer.byteLength(text) > size.resultBytes(work) || marksIn(text) > size.resultMarks(work));
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
  ['provider_failed', 'provider_failed'],
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

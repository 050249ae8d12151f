/** Runs an engine again on an export's request, effort and warm start. */
import { isRefused, type Refusal, RefusalError, unwrap } from '../../base/refusal.js';
import { canonicalText } from '../../codec/canonical.js';
import { decodeEvent } from '../../codec/event.js';
import type { EngineId } from '../../codec/events/mission.js';
import type { Kind } from '../../codec/kinds.js';
import { decode } from '../../codec/kit.js';
import type { EngineInput } from '../../engines/engine.js';
import { engineInput } from '../../kinds/engine-input.js';
import type { Solver } from '../../kinds/kind.js';
import { missionRequest } from '../../kinds/request.js';
import { missionKind, needsSandbox } from '../../kinds/table.js';
import { isRecomputed, solverOf, verifierOf } from '../../kinds/verifiers.js';
import type { Work } from '../../kinds/works.js';
import type { World } from '../home/home.js';
import { type EngineAnswer, hashOfResult, runOnThread } from '../threads/engine-thread.js';
import { benchmarkHash, benchmarkOf } from '../../kinds/code/cases.js';
import { codeResult, type CodeResult } from '../../kinds/code/result.js';
import { codeEngineOf } from '../code/engine.js';
import { requireSandbox } from '../code/sandbox.js';

/** How long `verify-export` computes a result again by itself. */
const recompute_ms_max = 60_000;

export interface RecomputeOptions {
  /** The environment, which describes the sandbox of code missions; without it there is none. */
  readonly env?: World['env'] | undefined;
  readonly onProgress?: ((done: number) => void) | undefined;
  /** Whether to recompute only what takes milliseconds, and to give up after a minute. */
  readonly isBrief?: boolean;
}

export interface Recomputation {
  readonly request: unknown;
  readonly document: Readonly<Record<string, unknown>>;
  readonly result_hash: string;
}

export const notRecomputed: RecomputeVerdict = { recomputed: null, reason: null };
export const cannot = (cause: string): RecomputeVerdict => ({ recomputed: null, reason: `not recomputed: ${cause}` });

/**
 * Recomputes a result and returns whether it is the same; null, with the reason, when that cannot be decided (another engine
 * version, a foreign export).
 */
export async function recompute(work: Recomputation | Refusal, options: RecomputeOptions): Promise<RecomputeVerdict> {
  const { env = {}, onProgress, isBrief = false } = options;
  if ('code' in work) return cannot(work.detail);
  const request = decode(missionRequest, work.request);
  if (isRefused(request)) return cannot(`the request is not valid in this version: ${request.left.detail}`);
  const { kind } = request.right.work;
  const solver = solverOf(kind);
  const event = decodeEvent('mission.completed', 1, work.document);
  if (isRefused(event) || event.right?.type !== 'mission.completed') return cannot('the entry does not decode');
  const { engine: made, effort, warm_start, result } = event.right.document;
  if (made === undefined || effort === undefined) return cannot('the entry does not name its engine and effort');
  const input = engineInput(request.right, effort, warm_start ?? null);
  const again = { kind, input, made, result, result_hash: work.result_hash };
  if (solver?.isRecomputed === true || made.name === solver?.model?.engine.name) return await checkAgain(again, solver, options);
  const { engine } = missionKind(kind).solver;
  if (engine.name !== made.name || engine.version !== made.version) return await checkAgain(again, solver, options);
  if (isBrief) return notRecomputed;
  if (needsSandbox(kind))
    return recomputeCode({ ...work, input, requestText: canonicalText(missionRequest, request.right), result }, env);
  const answer = await runOnThread({ type: 'run', kind, input }, onProgress === undefined ? {} : { onProgress });
  if (answer.type !== 'answered') return { recomputed: false, reason: 'the engine returned nothing for this request' };
  if (answer.result_hash !== work.result_hash) return { recomputed: false, reason: 'the engine gives another result' };
  return { recomputed: true, reason: null };
}

interface Again extends Omit<CodeRecomputation, 'requestText'> {
  readonly kind: Kind;
  readonly made: EngineId;
}

/** Verifies a result on a thread, which computes it again if this program holds its engine and that takes milliseconds. */
async function checkAgain(
  { kind, input, made, result, result_hash }: Again,
  solver: Solver<Work> | null,
  { onProgress, isBrief = false }: RecomputeOptions,
): Promise<RecomputeVerdict> {
  const isOfModel = made.name === solver?.model?.engine.name;
  const named = `${made.name} ${made.version}`;
  const maker = isOfModel ? 'a language model' : named;
  const unheld = `the result was made by ${named}, which this program does not hold`;
  if (solver === null || verifierOf(solver, made) === null) return cannot(unheld);
  const began = performance.now();
  const mustStop = (): boolean => isBrief && performance.now() - began > recompute_ms_max;
  const watch = { mustStop, ...(onProgress === undefined ? {} : { onProgress }) };
  const answer = await runOnThread({ type: 'verify', kind, input, result, made }, watch);
  if (answer.type === 'stopped')
    return cannot(`it took more than ${recompute_ms_max / 1_000} s; --recompute takes as long as it needs`);
  if (answer.type !== 'verified' || answer.result_hash !== result_hash)
    return { recomputed: false, reason: 'the verifier returned nothing for this result' };
  const { passed, failure } = answer.verification;
  const isHeld = isRecomputed(solver, made);
  if (!passed) {
    const fault = failure ?? 'a check failed';
    return { recomputed: false, reason: isHeld ? fault : `the result of ${maker} fails its checks: ${fault}` };
  }
  if (isHeld) return { recomputed: true, reason: null };
  return cannot(
    isOfModel
      ? 'a language model proposed the findings; their quotes and the hash of its request were checked'
      : `${unheld}; its claims were checked`,
  );
}

// Runs the program of an exported code mission again, where this machine has an engine and the image.

export interface RecomputeVerdict {
  readonly recomputed: boolean | null;
  readonly reason: string | null;
}

interface CodeRecomputation {
  readonly input: EngineInput<Work>;
  /** Canonical JSON of the request. */
  readonly requestText: string;
  readonly result: unknown;
  readonly result_hash: string;
}

const differs = (reason: string): RecomputeVerdict => ({ recomputed: false, reason });

async function recomputeCode(again: CodeRecomputation, env: World['env']): Promise<RecomputeVerdict> {
  const { requestText, result, result_hash } = again;
  const decoded = decode(codeResult, result);
  if (isRefused(decoded)) return differs(`the result does not decode: ${decoded.left.detail}`);
  if (hashOfResult(result) !== result_hash) return differs('the result is not the one that was approved');
  // A mission of the reference agent may write 5.0, which its canonical request no longer shows.
  if (benchmarkHash(unwrap(benchmarkOf(requestText))) !== decoded.right.benchmark_hash)
    return cannot('the request of the export does not write the numbers of its cases as they were queued');
  const answer = await verified(again, decoded.right, env).catch((error: unknown) => {
    if (error instanceof RefusalError && error.refusal.code === 'engine_unavailable') return error.refusal;
    throw error;
  });
  if (typeof answer === 'string') return cannot(answer);
  if ('code' in answer) return cannot(answer.detail);
  if (answer.type !== 'verified') return cannot('the run was stopped');
  const { passed, failure } = answer.verification;
  return passed ? { recomputed: true, reason: null } : differs(`a new run differs: ${failure ?? 'a check failed'}`);
}

/** Returns the answer of a new run, or why there is none. @throws RefusalError `engine_unavailable` */
async function verified(
  { input, requestText, result }: CodeRecomputation,
  { image }: CodeResult,
  env: World['env'],
): Promise<EngineAnswer | string> {
  const sandbox = await requireSandbox(env);
  if (sandbox.image !== image) return `the result was made in image ${image}, AGENT_SANDBOX_IMAGE names ${sandbox.image}`;
  return codeEngineOf(env)({ type: 'verify', kind: 'code', input, requestText, result });
}

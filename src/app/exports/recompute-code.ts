/** Runs the program of an exported code mission again, where this machine has an engine and the image. */
import { isRefused, RefusalError, unwrap } from '../../base/result.js';
import { decode } from '../../codec/kit.js';
import type { EngineInput } from '../../engines/engine.js';
import { benchmarkHash, benchmarkOf } from '../../kinds/code/cases.js';
import { codeResult, type CodeResult } from '../../kinds/code/result.js';
import type { Work } from '../../kinds/works.js';
import { codeEngineOf } from '../code/engine.js';
import { requireSandbox } from '../code/sandbox.js';
import type { World } from '../home/world.js';
import { type EngineAnswer, hashOfResult } from '../threads/engine-thread.js';

export interface Recomputed {
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

const cannot = (why: string): Recomputed => ({ recomputed: null, reason: `not recomputed: ${why}` });
const differs = (reason: string): Recomputed => ({ recomputed: false, reason });

export async function recomputeCode(again: CodeRecomputation, env: World['env']): Promise<Recomputed> {
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

/** Runs an engine again on an export's request, effort and warm start. */
import type { Refusal } from '../../base/refusal.js';
import { isRefused } from '../../base/result.js';
import { canonicalText } from '../../codec/canonical.js';
import { decodeEvent, type Documents } from '../../codec/event.js';
import { decode } from '../../codec/kit.js';
import { engineInput } from '../../kinds/engine-input.js';
import { missionRequest, type MissionRequest } from '../../kinds/request.js';
import { missionKind } from '../../kinds/table.js';
import type { World } from '../home/home.js';
import { runOnThread } from '../threads/engine-thread.js';
import { recomputeCode } from './recompute-code.js';

export interface Recomputed {
  readonly recomputed: boolean | null;
  readonly reason: string | null;
}

export interface RecomputeOptions {
  /** The environment, which describes the sandbox of code missions; without it there is none. */
  readonly env?: World['env'] | undefined;
  readonly onProgress?: ((done: number) => void) | undefined;
}

interface Recomputation {
  readonly request: unknown;
  readonly document: Readonly<Record<string, unknown>>;
  readonly result_hash: string;
}

const cannot = (reason: string): Recomputed => ({ recomputed: null, reason });

/**
 * Recomputes a result and returns whether it is the same; null, with the reason, when that cannot be decided (another engine
 * version, a foreign export).
 */
export async function recompute(work: Recomputation | Refusal, { env = {}, onProgress }: RecomputeOptions): Promise<Recomputed> {
  if ('code' in work) return cannot(work.detail);
  const request = decode(missionRequest, work.request);
  if (isRefused(request)) return cannot(`the request is not valid in this version: ${request.left.detail}`);
  const event = decodeEvent('mission.completed', 1, work.document);
  if (isRefused(event) || event.right?.type !== 'mission.completed') return cannot('the entry does not decode');
  const { engine: made, effort, warm_start, result } = event.right.document;
  const { kind } = request.right.work;
  const { engine, model } = missionKind(kind).solver ?? {};
  if (made === undefined || effort === undefined) return cannot('the entry does not name its engine and effort');
  if (made.name === model?.name && made.version === model.version)
    return await checkAgain(request.right, event.right.document, work.result_hash);
  if (engine?.name !== made.name || engine.version !== made.version) {
    return cannot(`the result was made by ${made.name} ${made.version}, which this program does not hold`);
  }
  const input = engineInput(request.right, effort.max_evaluations, warm_start ?? null);
  if (missionKind(kind).needsSandbox)
    return recomputeCode({ ...work, input, requestText: canonicalText(missionRequest, request.right), result }, env);
  const answer = await runOnThread({ type: 'run', kind, input }, onProgress === undefined ? {} : { onProgress });
  if (answer.type !== 'answered') return { recomputed: false, reason: 'the engine returned nothing for this request' };
  if (answer.result_hash !== work.result_hash) return { recomputed: false, reason: 'the engine gives another result' };
  return { recomputed: true, reason: null };
}

/** Checks a language model's result again: what the model answered cannot be computed, but its quotes and the hash of its request can. */
async function checkAgain(
  request: MissionRequest,
  { result, effort }: Documents['mission.completed'],
  result_hash: string,
): Promise<Recomputed> {
  const input = engineInput(request, effort?.max_evaluations ?? 0, null);
  const answer = await runOnThread({ type: 'verify', kind: request.work.kind, input, result, byModel: true });
  if (answer.type !== 'verified' || answer.result_hash !== result_hash)
    return { recomputed: false, reason: 'the verifier returned nothing for this result' };
  const { passed, failure } = answer.verification;
  if (!passed)
    return { recomputed: false, reason: `the result of a language model fails its checks: ${failure ?? 'a check failed'}` };
  return cannot('not recomputed: a language model proposed the findings; their quotes and the hash of its request were checked');
}

/** Runs an engine again on an export's request, effort and warm start. */
import type { Refusal } from '../../base/refusal.js';
import { isRefused } from '../../base/result.js';
import { canonicalText } from '../../codec/canonical.js';
import { decodeEvent, type Documents } from '../../codec/event.js';
import type { EngineId } from '../../codec/events/mission.js';
import { decode } from '../../codec/kit.js';
import { engineInput } from '../../kinds/engine-input.js';
import { missionRequest, type MissionRequest } from '../../kinds/request.js';
import { missionKind } from '../../kinds/table.js';
import { verifierOf } from '../../kinds/verifiers.js';
import type { World } from '../home/world.js';
import { runOnThread } from '../threads/engine-thread.js';
import { recomputeCode, type Recomputed } from './recompute-code.js';

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
  const checked = { request: request.right, made, document: event.right.document, result_hash: work.result_hash };
  if (made.name === model?.name && verifierOf(kind, made) !== null) return await checkAgain(checked, by_model);
  if (engine?.name !== made.name || engine.version !== made.version) {
    const maker = `${made.name} ${made.version}, which this program does not hold`;
    if (verifierOf(kind, made) === null) return cannot(`the result was made by ${maker}`);
    return await checkAgain(checked, {
      maker: `${made.name} ${made.version}`,
      instead: `the result was made by ${maker}; it passed the checks of that version`,
    });
  }
  const input = engineInput(request.right, effort.max_evaluations, warm_start ?? null);
  if (missionKind(kind).needsSandbox)
    return recomputeCode({ ...work, input, requestText: canonicalText(missionRequest, request.right), result }, env);
  const answer = await runOnThread({ type: 'run', kind, input }, onProgress === undefined ? {} : { onProgress });
  if (answer.type !== 'answered') return { recomputed: false, reason: 'the engine returned nothing for this request' };
  if (answer.result_hash !== work.result_hash) return { recomputed: false, reason: 'the engine gives another result' };
  return { recomputed: true, reason: null };
}

interface Checked {
  readonly request: MissionRequest;
  readonly made: EngineId;
  readonly document: Documents['mission.completed'];
  readonly result_hash: string;
}

const by_model = {
  maker: 'a language model',
  instead: 'a language model proposed the findings; their quotes and the hash of its request were checked',
};

/** Checks a result that cannot be computed again (a language model or an earlier engine made it) by the verifier of its kind and version. */
async function checkAgain(
  { request, made, document: { result, effort, warm_start }, result_hash }: Checked,
  { maker, instead }: { readonly maker: string; readonly instead: string },
): Promise<Recomputed> {
  const input = engineInput(request, effort?.max_evaluations ?? 0, warm_start ?? null);
  const answer = await runOnThread({ type: 'verify', kind: request.work.kind, input, result, made });
  if (answer.type !== 'verified' || answer.result_hash !== result_hash)
    return { recomputed: false, reason: 'the verifier returned nothing for this result' };
  const { passed, failure } = answer.verification;
  if (!passed) return { recomputed: false, reason: `the result of ${maker} fails its checks: ${failure ?? 'a check failed'}` };
  return cannot(`not recomputed: ${instead}`);
}

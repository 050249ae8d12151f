/**
 * Checks whether a delivered result is what its request requires. A signature identifies who vouches for a result, not that it is
 * right: the deliverer has the key. So the result is recomputed, or checked by the rules of the agent that made it.
 */
import type { JsonNode } from '../../base/json.js';
import { isRefused } from '../../base/result.js';
import { decode } from '../../codec/kit.js';
import { missionRequest } from '../../kinds/request.js';
import { verifyReference } from '../../kinds/reference.js';
import { missionKind } from '../../kinds/table.js';
import { recompute, type RecomputeOptions } from '../exports/recompute.js';
import type { Recomputed } from '../exports/recompute-code.js';
import type { Judgement, ReadDelivery } from './delivery.js';

/** Recomputes a delivery. @param recomputation from the delivery's judgement, which found no fault */
export async function recomputeDelivery(
  read: ReadDelivery,
  recomputation: NonNullable<Judgement['recomputation']>,
  options: RecomputeOptions,
): Promise<Recomputed> {
  const { receipt } = read.delivery.body.nativeExport;
  return receipt.body['schema'] === 1 ? byReferenceRules(read) : recompute(recomputation, options);
}

const path = ['body', 'nativeExport', 'receipt', 'body', 'document'] as const;

/**
 * Checks a result by the reference agent's rules. The readable body equals the signed one token for token, so the file's content
 * is signed.
 */
function byReferenceRules({ node, text }: ReadDelivery): Recomputed {
  const document = path.reduce<JsonNode | undefined>((at, name) => at?.members?.get(name), node);
  const [given, result] = [document?.members?.get('request'), document?.members?.get('result')];
  const request = decode(missionRequest, given?.value);
  if (isRefused(request)) return cannot(`the request is not valid in this version: ${request.left.detail}`);
  const { work } = request.right;
  if (missionKind(work.kind).needsSandbox) return cannot(foreignCode);
  if (result === undefined) return { recomputed: false, reason: 'the result is missing' };
  const { failure } = verifyReference(work, { node: result, text });
  return failure === null ? { recomputed: true, reason: null } : { recomputed: false, reason: `the result is wrong: ${failure}` };
}

export const cannot = (reason: string): Recomputed => ({ recomputed: null, reason });

export const foreignCode = 'its program was not run again: the reference agent ran it by rules of its own';

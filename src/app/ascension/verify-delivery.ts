/**
 * `ascension-verify-delivery`: verifies a delivery with only the deliverer's public key and the plan root, and recomputes the
 * result.
 */
import type { JsonNode } from '../../base/json.js';
import { invalid, isRefused, RefusalError } from '../../base/refusal.js';
import { kind as kindCodec } from '../../codec/kinds.js';
import { decode } from '../../codec/kit.js';
import { ofFile, readInputText } from '../../home/files.js';
import { identityOf, readPublicKey } from '../../journal/keys.js';
import { verifyReference } from '../../kinds/reference.js';
import { missionRequest } from '../../kinds/request.js';
import { missionKind } from '../../kinds/table.js';
import { recompute, type Recomputed, type RecomputeOptions } from '../exports/recompute.js';
import { judgeDelivery, type Judgement, readDelivery, type ReadDelivery, resultHashOf } from './delivery.js';

/** Enough for a plan, an export and their signature. */
const ascension_delivery_bytes_max = 2_500_000;

export interface VerifyDeliveryOptions extends RecomputeOptions {
  readonly file: string;
  readonly publicKey: string;
  readonly planRoot: string;
  /** Whether to run the program of a code mission again. */
  readonly replayCode: boolean;
}

export interface DeliveryVerdict {
  readonly valid: boolean;
  readonly identity: string;
  readonly planRoot: string;
  readonly jobIndex: number;
  readonly mission: string;
  /** keccak256 of the file. */
  readonly resultHash: string;
  /**
   * Whether recomputing gives the same result or, for the reference agent, whether the result keeps that agent's rules; null when
   * unknown.
   */
  readonly recomputed: boolean | null;
  /** The mismatch, or why `recomputed` is null. */
  readonly reason: string | null;
}

export async function verifyDelivery(options: VerifyDeliveryOptions): Promise<DeliveryVerdict> {
  const { file, publicKey, planRoot, replayCode } = options;
  const key = readPublicKey(publicKey);
  if (!/^0x[0-9a-f]{64}$/.test(planRoot))
    throw new RefusalError(invalid('plan-root', 'must be 0x and 64 lower-case hexadecimal digits'));
  const text = readInputText(file, ascension_delivery_bytes_max);
  const read = ofFile(file, () => readDelivery(text));
  const { reason, mission, kind, recomputation } = await judgeDelivery(read, key, planRoot);
  const { jobIndex } = read.delivery.body;
  const verdict = { identity: identityOf(key), planRoot, jobIndex, mission, resultHash: resultHashOf(text) };
  if (reason !== null || recomputation === null) return { ...verdict, valid: false, recomputed: null, reason };
  const isProgram = kindCodec.is(kind) && missionKind(kind).needsSandbox;
  if (replayCode && !isProgram) throw new RefusalError(noProgram(kind));
  const why = isProgram ? whyNoRun(read.delivery.body.nativeExport.receipt.body['schema'] === 1, replayCode) : null;
  const again = why === null ? await recomputeDelivery(read, recomputation, options) : cannot(why);
  if (replayCode && again.recomputed === null)
    throw new RefusalError('engine_unavailable', `the delivery verifies; ${again.reason ?? 'it was not recomputed'}`);
  return { ...verdict, valid: again.recomputed !== false, ...again };
}

/** Returns why a delivered program is not run again, or null. @param isForeign whether the reference agent delivered it */
const whyNoRun = (isForeign: boolean, replayCode: boolean): string | null => {
  if (isForeign) return replayCode ? foreignCode : null;
  return replayCode ? null : 'its program was not run again: add --replay-code';
};

const noProgram = (kind: string): ReturnType<typeof invalid> =>
  invalid('replay-code', `the delivery holds a mission of kind ${kind}, which has no program to run`);

/** Recomputes a delivery. @param recomputation from the delivery's judgement, which found no fault */
async function recomputeDelivery(
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

const foreignCode = 'its program was not run again: the reference agent ran it by rules of its own';

/** `ascension-verify-delivery`: a delivery, the deliverer's public key and the plan root, and nothing else. */
import * as E from 'fp-ts/lib/Either.js';
import { fromHex, fromUtf8 } from '../../base/bytes.js';
import { ascension_delivery_bytes_max } from '../../base/limits.js';
import { invalid } from '../../base/refusal.js';
import { ok, type Result } from '../../base/result.js';
import { readInput } from '../../home/files.js';
import { identityOf } from '../../journal/keys.js';
import { judgeDelivery, readDelivery, resultHashOf } from './delivery.js';

export interface VerifyDeliveryOptions {
  readonly file: string;
  readonly publicKey: string;
  readonly planRoot: string;
  /** Run the program of a code mission again. */
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
  readonly reason: string | null;
}

export function verifyDelivery({ file, publicKey, planRoot, replayCode }: VerifyDeliveryOptions): Result<DeliveryVerdict> {
  const key = fromHex(publicKey);
  if (key?.length !== 32) return E.left(invalid('public-key', 'must be 64 lower-case hexadecimal digits'));
  if (!/^0x[0-9a-f]{64}$/.test(planRoot)) return E.left(invalid('plan-root', 'must be 0x and 64 lower-case hexadecimal digits'));
  const text = fromUtf8(readInput(file, ascension_delivery_bytes_max));
  if (text === null) return E.left({ code: 'malformed', detail: `${file} is not UTF-8` });
  const read = readDelivery(text);
  if (E.isLeft(read)) return read;
  const { reason, mission, kind } = judgeDelivery(read.right, key, planRoot);
  const { jobIndex } = read.right.delivery.body;
  const valid = reason === null;
  if (valid && replayCode) return E.left(replayRefusal(kind));
  return ok({ valid, identity: identityOf(key), planRoot, jobIndex, mission, resultHash: resultHashOf(text), reason });
}

const replayRefusal = (kind: string): ReturnType<typeof invalid> =>
  kind === 'code'
    ? {
        code: 'engine_unavailable',
        detail: 'the delivery verifies; its program was not run again, because this version has no sandbox for it',
      }
    : invalid('replay-code', `the delivery holds a mission of kind ${kind}, which has no program to run`);

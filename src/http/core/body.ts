/**
 * Reads the body of a mutation whole, within its time limit, counts it, and checks what followed it. Any failure is refused
 * before a handler runs. The request itself is left open, because destroying it would also destroy the response.
 */
import { setImmediate } from 'node:timers/promises';
import { errorCode } from '../../base/fault.js';
import type { Exchange } from './exchange.js';
import { Denied, type Denial } from './problem.js';

interface Bounds {
  readonly body_ms_max: number;
  /** Limits a body without a declared length; a declared length is checked earlier. */
  readonly body_bytes_max: number;
}

/** Returns the bytes, or null where `keep` is false: then they are counted and timed, and dropped. */
export async function readBody(exchange: Exchange, keep: boolean, bounds: Bounds): Promise<Buffer | null> {
  if (exchange.expect === 'continue') exchange.response.writeContinue();
  const body = await collect(exchange, keep, bounds);
  // The parser reports the end of a body before what comes after it, so an error is known one turn later.
  await setImmediate();
  const { failure, hasExtraBytes } = exchange.line;
  if (failure !== null || hasExtraBytes) throw new Denied(longer);
  return body;
}

const longer: Denial = { code: 'malformed', detail: 'the body is longer than Content-Length says', close: true };
const shorter: Denial = { code: 'malformed', detail: 'the body is shorter than Content-Length says', close: true };

function collect(
  { request, head, line }: Exchange,
  keep: boolean,
  { body_ms_max, body_bytes_max }: Bounds,
): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    const settle = (denial: Denial | null): void => {
      clearTimeout(timer);
      forget();
      request.off('data', take).off('end', end).off('close', cut).resume();
      if (denial === null) resolve(keep ? Buffer.concat(chunks) : null);
      else reject(new Denied(denial));
    };
    const take = (chunk: Buffer): void => {
      received += chunk.length;
      if (received > body_bytes_max) settle(tooLarge(body_bytes_max));
      else if (keep) chunks.push(chunk);
    };
    const end = (): void => settle(head.length === null || received === head.length ? null : shorter);
    const cut = (): void => settle(head.length === null ? unended : shorter);
    const failed = (): void => settle(head.length === null ? unended : endsEarly(line.failure) ? shorter : longer);
    const timer = setTimeout(() => settle(slow), body_ms_max);
    const forget = line.onFailure(failed);
    request.on('data', take).on('end', end).on('close', cut);
    if (line.failure !== null) failed();
    else if (request.destroyed) cut();
  });
}

/**
 * Returns whether the connection ended within the body. The parser has no other error within a body of known length; every other
 * one concerns what follows the body.
 */
const endsEarly = (failure: Error | null): boolean => ['HPE_INVALID_EOF_STATE', 'ECONNRESET'].includes(errorCode(failure));

const unended: Denial = { code: 'malformed', detail: 'the body ends too early or its chunks are malformed', close: true };

const tooLarge = (bytes_max: number): Denial => ({
  code: 'too_large',
  detail: `the body has more than ${bytes_max} bytes`,
  close: true,
});

const slow: Denial = { code: 'timeout', detail: 'the body took too long to arrive', close: true };

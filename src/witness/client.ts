/**
 * Sends one request to a witness: no proxy, no redirect followed, no retry, one deadline for the whole exchange, and a response of bounded
 * length. http is allowed to this machine only, even if a resolver says otherwise.
 */
import * as http from 'node:http';
import * as https from 'node:https';
import { fromUtf8 } from '../base/bytes.js';
import { errorCode } from '../base/fault.js';
import { witness_ms_max } from '../base/limits.js';
import { lookupLoopback } from '../base/loopback.js';

export const witness_answer_bytes_max = 65_536;

export interface WitnessAnswer {
  readonly status: number;
  /** Media type without parameters, in lower case. */
  readonly type: string;
  readonly body: string;
}

/** The reason why there was no response, in words for the operator. */
export class NoAnswer extends Error {}

/** Posts text. @throws NoAnswer, also when the signal aborts the request */
export function postText(
  url: string,
  body: string,
  ms_max: number = witness_ms_max,
  signal?: AbortSignal,
): Promise<WitnessAnswer> {
  const isPlain = url.startsWith('http:');
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'content-length': Buffer.byteLength(body), connection: 'close' };
  // A separate http agent uses no proxy from the environment and keeps no connection.
  const given = { ...(isPlain ? { lookup: lookupLoopback } : {}), ...(signal === undefined ? {} : { signal }) };
  const options = { method: 'POST', headers, agent: false, ...given } as const;
  return new Promise((resolve, reject) => {
    const request = (isPlain ? http : https).request(url, options);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      request.destroy();
      reject(error instanceof NoAnswer ? error : new NoAnswer(errorCode(error) || error.message));
    };
    const timer = setTimeout(() => fail(new NoAnswer(`no whole answer within ${ms_max / 1_000} s`)), ms_max);
    request.on('error', fail);
    request.on('response', (response) => {
      collect(response).then(
        (answer) => {
          clearTimeout(timer);
          request.destroy();
          resolve(answer);
        },
        (error: unknown) => fail(error instanceof Error ? error : new NoAnswer(String(error))),
      );
    });
    request.end(body);
  });
}

async function collect(response: http.IncomingMessage): Promise<WitnessAnswer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > witness_answer_bytes_max) throw new NoAnswer(`a response of more than ${witness_answer_bytes_max} bytes`);
    parts.push(part);
  }
  const body = fromUtf8(Buffer.concat(parts));
  if (body === null) throw new NoAnswer('a response that is not UTF-8');
  const type = (response.headers['content-type'] ?? '').split(';')[0] ?? '';
  return { status: response.statusCode ?? 0, type: type.trim().toLowerCase(), body };
}

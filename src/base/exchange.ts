/**
 * One HTTP request to a server that nobody has to trust: no proxy, no redirect followed, no retry, one deadline for the whole exchange, and an
 * answer of bounded length.
 */
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { RequestOptions } from 'node:https';
import { firstAbort } from './first-abort.js';
import { errorCode } from './refusal.js';
import { isLoopbackHost, lookupLoopback } from './loopback.js';

const url_chars_max = 2_048;

/** Returns an address at which such a server may be, https or else http on this machine, or what is wrong with it. */
export function readServerUrl(text: string): URL | string {
  if (text.length > url_chars_max) return `must have at most ${url_chars_max} characters`;
  if (!URL.canParse(text)) return 'must be an absolute URL';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must use https, or http on this machine';
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) return 'must use https unless its host is this machine';
  return url.username !== '' || url.password !== '' ? 'must have no user or password' : url;
}

interface Exchange {
  /** Posted; a GET without one. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** For the whole exchange; without it only the signal ends one. */
  readonly ms_max?: number;
  readonly bytes_max: number;
  readonly signal?: AbortSignal | undefined;
  /** Further options of the request. Without a `lookup` of its own, http goes to this machine only, whatever a resolver says of the host. */
  readonly options?: Pick<RequestOptions, 'ca' | 'lookup' | 'maxHeaderSize' | 'rejectUnauthorized'>;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Null for a body of more than `bytes_max` bytes, which is not read to its end. */
  readonly body: Buffer | null;
}

/** There was no whole answer: not in time, because the signal aborted, or because the connection failed, whose error is the cause. */
export class NoAnswer extends Error {
  constructor(
    readonly reason: 'late' | 'stopped' | 'failed',
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** @throws NoAnswer */
export async function exchange(url: URL, { body, ms_max, bytes_max, signal, headers, options }: Exchange): Promise<HttpAnswer> {
  const late = ms_max === undefined ? null : AbortSignal.timeout(Math.max(1, Math.ceil(ms_max)));
  const isPlain = url.protocol === 'http:';
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  // An agent of its own uses no proxy from the environment and keeps no connection.
  const { request: requestOf } = await (isPlain ? import('node:http') : import('node:https'));
  const request = requestOf(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...length, connection: 'close' },
    agent: false,
    signal: firstAbort(...[late, signal].flatMap((each) => each ?? [])),
    ...(isPlain ? { lookup: lookupLoopback } : {}),
    ...options,
  });
  // What happens once there is a response is reported by its body.
  request.on('error', () => undefined);
  // Node reports a switch of protocols (101) as neither a response nor an error: the request would wait without end.
  request.on('upgrade', (_, socket) => socket.destroy());
  try {
    request.end(body);
    const [response] = (await Promise.race([once(request, 'response'), once(request, 'upgrade')])) as [IncomingMessage];
    const { statusCode: status = 0, headers: answered } = response;
    return { status, headers: answered, body: status === 101 ? Buffer.alloc(0) : await bodyOf(response, bytes_max) };
  } catch (error) {
    if (signal?.aborted === true) throw new NoAnswer('stopped', 'it was stopped', error);
    if (late?.aborted === true) throw new NoAnswer('late', `no whole answer within ${(ms_max ?? 0) / 1_000} s`, error);
    throw new NoAnswer('failed', errorCode(error) || (error instanceof Error ? error.message : String(error)), error);
  } finally {
    request.destroy();
  }
}

async function bodyOf(response: IncomingMessage, bytes_max: number): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > bytes_max) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

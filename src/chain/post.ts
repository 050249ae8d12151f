/**
 * Sends one request to the node: no proxy, no redirect followed, no retry, one deadline for the whole exchange, and a response of
 * bounded length. http is allowed to this machine only, even if a resolver says otherwise.
 */
import { lookup, type LookupAddress } from 'node:dns';
import * as http from 'node:http';
import * as https from 'node:https';
import { isIPv4, type LookupFunction } from 'node:net';
import { errorCode } from '../base/fault.js';
import { chain_answer_bytes_max } from '../base/chain-limits.js';
import { unreachable } from './chain-error.js';

const isLoopback = (address: string): boolean => (isIPv4(address) ? address.startsWith('127.') : address === '::1');

const lookupLoopback: LookupFunction = (host, options, answer) => {
  lookup(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const [first] = addresses ?? [];
    if (error !== null || first === undefined) return answer(error ?? unreachable('the node has no address'), '', 0);
    if (!addresses.every(({ address }) => isLoopback(address)))
      return answer(unreachable('the node is not on this machine, and http is allowed only on this machine'), '', 0);
    if (options.all === true) return answer(null, addresses);
    answer(null, first.address, first.family);
  });
};

interface Exchange {
  readonly ms_max: number;
  readonly signal?: AbortSignal | undefined;
}

/** Posts JSON and returns the bytes of a response with status 200. @throws ChainError `unreachable` */
export function postJson(url: string, body: string, { ms_max, signal }: Exchange): Promise<Buffer> {
  const isPlain = url.startsWith('http:');
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), connection: 'close' };
  const options = { method: 'POST', headers, agent: false, ...(isPlain ? { lookup: lookupLoopback } : {}) } as const;
  return new Promise((resolve, reject) => {
    const request = (isPlain ? http : https).request(url, options);
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      request.destroy();
      settle();
    };
    const fail = (error: unknown): void => end(() => reject(unreachable(`the node did not respond (${reasonOf(error)})`, error)));
    const stop = (): void => fail(new Error('the reading was stopped'));
    const timer = setTimeout(() => fail(new Error('too late')), Math.max(1, ms_max));
    request.on('error', fail);
    if (signal?.aborted === true) return stop();
    signal?.addEventListener('abort', stop, { once: true });
    request.on('response', (response) => {
      collect(response).then((bytes) => end(() => resolve(bytes)), fail);
    });
    request.end(body);
  });
}

/** Returns what may be shown of an error: messages of the system name the address. */
function reasonOf(error: unknown): string {
  const code = errorCode(error);
  if (code !== '') return code;
  return error instanceof Error ? error.message : 'unknown error';
}

async function collect(response: http.IncomingMessage): Promise<Buffer> {
  const { statusCode = 0 } = response;
  if (statusCode >= 300 && statusCode < 400) throw new Error(`a redirect, HTTP ${statusCode}, which is not followed`);
  if (statusCode !== 200) throw new Error(`HTTP ${statusCode}`);
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > chain_answer_bytes_max) throw new Error(`more than ${chain_answer_bytes_max} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

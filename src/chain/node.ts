/**
 * The six calls that are made to an Ethereum node, each only reads. A request goes to the node without proxy, redirect or retry, with one
 * deadline for the whole exchange and a response of bounded length; http is allowed to this machine only, even if a resolver says otherwise.
 */
import { lookup, type LookupAddress } from 'node:dns';
import * as http from 'node:http';
import * as https from 'node:https';
import { isIPv4, type LookupFunction } from 'node:net';
import { Worker } from 'node:worker_threads';
import { errorCode } from '../base/fault.js';
import { threadScript } from '../base/thread-script.js';
import type { RpcBlock, RpcReceipt } from '../codec/rpc.js';
import { type Asked, decodeAnswer, type Form, type ResultOf, unreachable } from './answer.js';

export const chain_answer_bytes_max = 2_097_152;
/** A longer answer is decoded on a thread, and how much memory that may take. */
export const chain_answer_inline_bytes_max = 32_768;
const chain_thread_memory_mb_max = 512;

type Method =
  | 'eth_chainId'
  | 'eth_getCode'
  | 'eth_call'
  | 'eth_blockNumber'
  | 'eth_getTransactionReceipt'
  | 'eth_getBlockByNumber';

const quantity = (value: number): string => `0x${value.toString(16)}`;
/** Names a block by its hash (EIP-1898): an answer about another block, or about one that was reorganised away, is an error. */
const byHash = (hash: string): unknown => ({ blockHash: hash, requireCanonical: true });

export class ChainNode {
  private sent = 0;
  private readonly end_ms: number;

  /** @param ms_max for all calls together */
  constructor(
    private readonly url: string,
    ms_max: number,
    private readonly signal?: AbortSignal,
  ) {
    this.end_ms = performance.now() + ms_max;
  }

  chainId(): Promise<number> {
    return this.call('eth_chainId', [], 'integer');
  }

  blockNumber(): Promise<number> {
    return this.call('eth_blockNumber', [], 'integer');
  }

  block(number: number | 'finalized'): Promise<RpcBlock | null> {
    return this.call('eth_getBlockByNumber', [number === 'finalized' ? number : quantity(number), false], 'block');
  }

  receipt(transaction: string): Promise<RpcReceipt | null> {
    return this.call('eth_getTransactionReceipt', [transaction], 'receipt');
  }

  /** Returns the code of an address at a block; empty for an account without one. */
  async code(address: string, blockHash: string): Promise<Buffer> {
    return bytesOf(await this.call('eth_getCode', [address, byHash(blockHash)], 'data'));
  }

  /** Returns what a call to a contract returns at a block. */
  async read(to: string, data: string, blockHash: string): Promise<Buffer> {
    return bytesOf(await this.call('eth_call', [{ to, data }, byHash(blockHash)], 'data'));
  }

  private async call<F extends Form>(method: Method, params: readonly unknown[], form: F): Promise<ResultOf<F>> {
    const id = ++this.sent;
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const bytes = await postJson(this.url, body, this.bounds());
    return decodeBounded(bytes, { method, id, form }, this.bounds());
  }

  private bounds(): { readonly ms_max: number; readonly signal: AbortSignal | undefined } {
    return { ms_max: this.end_ms - performance.now(), signal: this.signal };
  }
}

const bytesOf = (data: string): Buffer => Buffer.from(data.slice(2), 'hex');

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
function postJson(url: string, body: string, { ms_max, signal }: Exchange): Promise<Buffer> {
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

export interface AnswerTask {
  readonly bytes: Uint8Array;
  readonly asked: Asked;
}

/** The result, or the message of a `ChainError`. */
export type AnswerDone = { readonly result: unknown } | { readonly malformed: string };

interface DecodeBounds {
  readonly ms_max: number;
  readonly signal?: AbortSignal | undefined;
}

/** @throws ChainError `unreachable` for a malformed answer, and for one that takes too long to read */
export async function decodeBounded<F extends Form>(bytes: Buffer, asked: Asked<F>, bounds: DecodeBounds): Promise<ResultOf<F>> {
  if (bytes.length <= chain_answer_inline_bytes_max) return decodeAnswer(bytes, asked);
  const done = await onThread({ bytes, asked }, bounds);
  if ('malformed' in done) throw unreachable(done.malformed);
  return done.result as ResultOf<F>;
}

function onThread(workerData: AnswerTask, { ms_max, signal }: DecodeBounds): Promise<AnswerDone> {
  const resourceLimits = { maxOldGenerationSizeMb: chain_thread_memory_mb_max };
  const worker = new Worker(threadScript(new URL('./answer-worker.js', import.meta.url)), { workerData, resourceLimits });
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      void worker.terminate();
      settle();
    };
    const fail = (why: string, cause?: unknown): void =>
      end(() => reject(unreachable(`the node's response to ${workerData.asked.method} was not read (${why})`, cause)));
    const stop = (): void => fail('the reading was stopped');
    const timer = setTimeout(() => fail('too late'), Math.max(1, ms_max));
    worker.once('message', (done: AnswerDone) => end(() => resolve(done)));
    worker.once('error', (error) => fail('it needs too much memory', error));
    worker.once('exit', () => fail('its thread ended'));
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
  });
}

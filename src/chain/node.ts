/**
 * The six calls that are made to an Ethereum node, each only reads. A request goes to the node without proxy, redirect or retry, with one
 * deadline for the whole exchange and a response of bounded length; http is allowed to this machine only, even if a resolver says otherwise.
 */
import type * as t from 'io-ts';
import { exchange, NoAnswer } from '../base/exchange.js';
import { rpcBlock, type RpcBlock, rpcData, rpcInteger, rpcReceipt, type RpcReceipt } from '../codec/rpc.js';
import { type ChainError, decodeAnswer, unreachable } from './answer.js';

export const chain_answer_bytes_max = 2_097_152;

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
    return this.call('eth_chainId', [], rpcInteger);
  }

  blockNumber(): Promise<number> {
    return this.call('eth_blockNumber', [], rpcInteger);
  }

  block(number: number | 'finalized'): Promise<RpcBlock | null> {
    return this.call('eth_getBlockByNumber', [number === 'finalized' ? number : quantity(number), false], rpcBlock);
  }

  receipt(transaction: string): Promise<RpcReceipt | null> {
    return this.call('eth_getTransactionReceipt', [transaction], rpcReceipt);
  }

  /** Returns the code of an address at a block; empty for an account without one. */
  async code(address: string, blockHash: string): Promise<Buffer> {
    return bytesOf(await this.call('eth_getCode', [address, byHash(blockHash)], rpcData));
  }

  /** Returns what a call to a contract returns at a block. */
  async read(to: string, data: string, blockHash: string): Promise<Buffer> {
    return bytesOf(await this.call('eth_call', [{ to, data }, byHash(blockHash)], rpcData));
  }

  private async call<A>(method: Method, params: readonly unknown[], form: t.Type<A, unknown>): Promise<A> {
    const id = ++this.sent;
    return decodeAnswer(await this.post(JSON.stringify({ jsonrpc: '2.0', id, method, params })), { method, id, form });
  }

  /** Posts JSON and returns the bytes of a response with status 200. @throws ChainError `unreachable` */
  private async post(body: string): Promise<Buffer> {
    const failed = (why: string, cause?: unknown): ChainError => unreachable(`the node did not respond (${why})`, cause);
    const headers = { 'content-type': 'application/json' };
    const ms_max = this.end_ms - performance.now();
    const asked = { body, headers, ms_max, bytes_max: chain_answer_bytes_max, signal: this.signal };
    const { status, body: bytes } = await exchange(new URL(this.url), asked).catch((error: unknown) => {
      if (!(error instanceof NoAnswer)) throw error;
      throw failed(error.why === 'late' ? 'too late' : error.message, error);
    });
    if (status >= 300 && status < 400) throw failed(`a redirect, HTTP ${status}, which is not followed`);
    if (status !== 200) throw failed(`HTTP ${status}`);
    if (bytes === null) throw failed(`more than ${chain_answer_bytes_max} bytes`);
    return bytes;
  }
}

const bytesOf = (data: string): Buffer => Buffer.from(data.slice(2), 'hex');

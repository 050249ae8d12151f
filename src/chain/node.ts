/** The six calls that are made to an Ethereum node, each only reads. */
import type { RpcBlock, RpcReceipt } from '../codec/rpc.js';
import type { Form, ResultOf } from './answer.js';
import { decodeBounded } from './answer-thread.js';
import { postJson } from './post.js';

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

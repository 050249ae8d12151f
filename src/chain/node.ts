/** The six calls that are made to an Ethereum node, each only reads. Every answer is decoded; one of another shape is no answer. */
import type * as t from 'io-ts';
import { parseJsonBytes } from '../base/json-parse.js';
import { isRefused } from '../base/result.js';
import { decode } from '../codec/kit.js';
import { rpcBlock, rpcData, rpcInteger, rpcReceipt, rpcResponse, type RpcBlock, type RpcReceipt } from '../codec/rpc.js';
import { unreachable } from './chain-error.js';
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

  private async call<A>(method: Method, params: readonly unknown[], codec: t.Type<A, unknown>): Promise<A> {
    const id = ++this.sent;
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const parsed = parseJsonBytes(await postJson(this.url, body, this.end_ms - performance.now()));
    if (isRefused(parsed)) throw unreachable(`the node's answer to ${method} is no JSON`);
    const response = decode(rpcResponse, parsed.right);
    if (isRefused(response)) throw unreachable(`the node's answer to ${method} is not JSON-RPC: ${response.left.detail}`);
    const { result, error } = response.right;
    // The message is not repeated: nodes put the address into it, which may hold a key.
    if (error !== undefined) throw unreachable(`the node refused ${method} (JSON-RPC error ${error.code})`);
    if (response.right.id !== id) throw unreachable(`the node's answer to ${method} belongs to another request`);
    const decoded = decode(codec, result);
    if (isRefused(decoded)) throw unreachable(`the node's answer to ${method} is malformed: ${decoded.left.detail}`);
    return decoded.right;
  }
}

const bytesOf = (data: string): Buffer => Buffer.from(data.slice(2), 'hex');

/**
 * The six calls that are made to an Ethereum node, each only reads. A request goes to the node without proxy, redirect or retry, with one
 * deadline for the whole exchange and a response of bounded length; http is allowed to this machine only, even if a resolver says otherwise.
 */
import type * as t from 'io-ts';
import { exchange, NoAnswer } from '../base/exchange.js';
import { rpcBlock, type RpcBlock, rpcData, rpcInteger, rpcReceipt, type RpcReceipt, rpcResponse } from '../codec/rpc.js';
import { parseJsonBytes } from '../base/json.js';
import { body_values_max } from '../base/limits.js';
import { isRefused } from '../base/refusal.js';
import type { SettlementReason } from '../codec/chain.js';
import { decode } from '../codec/kit.js';

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
    const failed = (reason: string, cause?: unknown): ChainError => unreachable(`the node did not respond (${reason})`, cause);
    const headers = { 'content-type': 'application/json' };
    const ms_max = this.end_ms - performance.now();
    const asked = { body, headers, ms_max, bytes_max: chain_answer_bytes_max, signal: this.signal };
    const { status, body: bytes } = await exchange(new URL(this.url), asked).catch((error: unknown) => {
      if (!(error instanceof NoAnswer)) throw error;
      throw failed(error.reason === 'late' ? 'too late' : error.message, error);
    });
    if (status >= 300 && status < 400) throw failed(`a redirect, HTTP ${status}, which is not followed`);
    if (status !== 200) throw failed(`HTTP ${status}`);
    if (bytes === null) throw failed(`more than ${chain_answer_bytes_max} bytes`);
    return bytes;
  }
}

const bytesOf = (data: string): Buffer => Buffer.from(data.slice(2), 'hex');

// Decodes a node's response: JSON, then JSON-RPC, then the form of the result. A response in another form is refused.

export interface RpcCall<A> {
  readonly method: string;
  readonly id: number;
  readonly form: t.Type<A, unknown>;
}

/** @throws ChainError `unreachable` */
export function decodeAnswer<A>(bytes: Uint8Array, { method, id, form }: RpcCall<A>): A {
  // So many values take no longer to read than the body of a request may; an honest answer of the largest size has fewer.
  const parsed = parseJsonBytes(bytes, { valuesMax: body_values_max });
  if (isRefused(parsed)) throw unreachable(`the node's response to ${method} is not JSON of at most ${body_values_max} values`);
  const response = decode(rpcResponse, parsed.right);
  if (isRefused(response)) throw unreachable(`the node's response to ${method} is not JSON-RPC: ${response.left.detail}`);
  const { result, error = null } = response.right;
  // The message is not repeated: nodes put the address into it, which may hold a key.
  if (error !== null) throw new NodeRefusal(`the node refused ${method} (JSON-RPC error ${error.code})`);
  if (response.right.id !== id) throw unreachable(`the node's response to ${method} belongs to another request`);
  const decoded = decode(form, result);
  if (isRefused(decoded)) throw unreachable(`the node's response to ${method} is malformed: ${decoded.left.detail}`);
  return decoded.right;
}

/** The node gave no usable answer; what is asked for may be so later; or the chain is not the one that the configuration names. */
export type Verdict =
  | 'unreachable'
  | 'not_yet'
  | Extract<SettlementReason, 'wrong_chain' | 'wrong_code' | 'wrong_decimals' | 'node_inconsistent'>;

export class ChainError extends Error {
  constructor(
    readonly verdict: Verdict,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ChainError';
  }
}

export const unreachable = (message: string, cause?: unknown): ChainError => new ChainError('unreachable', message, cause);

/** The node answered with an error: it may not have the block that the request names, any more. */
export class NodeRefusal extends ChainError {
  constructor(message: string) {
    super('unreachable', message);
  }
}

/** Responses of an Ethereum node (execution API): quantities are hexadecimal texts and become integers; unknown members are ignored. */
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { invalid, ok } from '../base/refusal.js';
import { hash32 } from './chain.js';
import { choice, flag, integer, list, nullable, object, optional, required, text, refined } from './kit.js';
import { tolerant } from './tolerant.js';

const quantityText = text({ pattern: /^0x(?:0|[1-9a-f][0-9a-f]{0,63})$/ });

const quantity = (max: number) =>
  refined(quantityText, (text) => {
    const value = Number(BigInt(text));
    return value <= max ? ok(value) : E.left(invalid('', `must be at most ${max}`));
  });

/** A block number, an index or a chain id. Larger ones than a double holds occur on no chain. */
export const rpcInteger = quantity(Number.MAX_SAFE_INTEGER);

/** Bytes in hexadecimal. */
export const rpcData = text({ pattern: /^0x(?:[0-9a-fA-F]{2})*$/ });

const block = object('RpcBlock', {
  number: required(rpcInteger),
  hash: required(hash32),
  /** Seconds since 1970, to the end of the year 9999: a later time has no text of fixed width. */
  timestamp: required(quantity(253_402_300_799)),
});
export type RpcBlock = t.TypeOf<typeof block>;
/** Null for a block that the node does not have. */
export const rpcBlock = tolerant(nullable(block));

const log = object('RpcLog', {
  address: required(text({ pattern: /^0x[0-9a-fA-F]{40}$/ })),
  topics: required(list(hash32, 0, 4)),
  data: required(rpcData),
  blockHash: required(hash32),
  blockNumber: required(rpcInteger),
  transactionHash: required(hash32),
  /** Among all logs of the block. */
  logIndex: required(rpcInteger),
  removed: required(flag),
});
export type RpcLog = t.TypeOf<typeof log>;

const receipt = object('RpcReceipt', {
  transactionHash: required(hash32),
  blockHash: required(hash32),
  blockNumber: required(rpcInteger),
  /** 1 for success (EIP-658). */
  status: required(choice('0x0', '0x1')),
  logs: required(list(log, 0, Number.MAX_SAFE_INTEGER)),
});
export type RpcReceipt = t.TypeOf<typeof receipt>;
/** Null for a transaction that is in no block. */
export const rpcReceipt = tolerant(nullable(receipt));

/** What a node says of a transaction. */
export interface PaymentSeen {
  /** The confirmed block to which the reading was bound, and the head of the chain. */
  readonly at: RpcBlock & { readonly head: number };
  /** Null for a transaction that is in no block. */
  readonly receipt: RpcReceipt | null;
  /** The canonical block with the receipt's number; null unless that is confirmed. */
  readonly block: RpcBlock | null;
}

/** A response of JSON-RPC 2.0. */
export const rpcResponse = tolerant(
  object('RpcResponse', {
    jsonrpc: required(choice('2.0')),
    /** Null beside an error of a request that the node did not read. */
    id: required(nullable(integer(1, Number.MAX_SAFE_INTEGER))),
    result: optional(t.unknown),
    /** Some nodes write null beside a result, and clients take it for none. */
    error: optional(nullable(object('RpcError', { code: required(integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)) }))),
  }),
);

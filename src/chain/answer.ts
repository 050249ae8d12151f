/** Decodes a node's response: JSON, then JSON-RPC, then the form of the result. A response in another form is refused. */
import type * as t from 'io-ts';
import { parseJsonBytes } from '../base/json.js';
import { body_values_max } from '../base/limits.js';
import { isRefused } from '../base/refusal.js';
import type { SettlementReason } from '../codec/chain.js';
import { decode } from '../codec/kit.js';
import { rpcResponse } from '../codec/rpc.js';

export interface Asked<A> {
  readonly method: string;
  readonly id: number;
  readonly form: t.Type<A, unknown>;
}

/** @throws ChainError `unreachable` */
export function decodeAnswer<A>(bytes: Uint8Array, { method, id, form }: Asked<A>): A {
  // So many values take no longer to read than the body of a request may; an honest answer of the largest size has fewer.
  const parsed = parseJsonBytes(bytes, { valuesMax: body_values_max });
  if (isRefused(parsed)) throw unreachable(`the node's response to ${method} is not JSON of at most ${body_values_max} values`);
  const response = decode(rpcResponse, parsed.right);
  if (isRefused(response)) throw unreachable(`the node's response to ${method} is not JSON-RPC: ${response.left.detail}`);
  const { result, error } = response.right;
  // The message is not repeated: nodes put the address into it, which may hold a key.
  if (error !== undefined) throw new NodeRefusal(`the node refused ${method} (JSON-RPC error ${error.code})`);
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

/** Why a reading of the chain ended without a value. No text names the node's address, which may hold a key. */
import type { SettlementReason } from '../codec/chain.js';

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

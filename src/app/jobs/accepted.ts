/** The keys of workers, and which of them give results that count. */
import type { NatsAddress } from '../../codec/nats-url.js';

export interface AcceptedKeys {
  /** The keys whose results count; null while none was ever added, when all workers of a queue on loopback count. */
  readonly keys: readonly string[] | null;
  /** Keys whose workers have given a wrong result. */
  readonly refuted: readonly string[];
}

/** Returns whether results of a key count that come from a queue. */
export const isAccepted = ({ keys, refuted }: AcceptedKeys, queue: Pick<NatsAddress, 'tls'>, key: string): boolean =>
  (keys === null ? !queue.tls : keys.includes(key)) && !refuted.includes(key);

/** One request on its way through the boundary. koa's context finds it by the request that both know. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Denial } from './problem.js';
import type { Actor } from './actor.js';

/** What the head of a request says, read at once when it is complete. */
export interface Head {
  /** In origin form. */
  readonly target: string;
  readonly host: string | null;
  readonly mutation: boolean;
  /** Bytes of the body. */
  readonly length: number;
  readonly denial: Denial | null;
}

/** What an exchange sees of its connection. */
export interface Line {
  /** The parser's error, once there is one: nothing that is not answered yet may change state. */
  readonly failure: Error | null;
  /** Whether this answer is the last one on the connection. */
  readonly last: boolean;
  /** Whether bytes came after the newest request that are no request themselves. */
  readonly hasExtraBytes: boolean;
  /** Called once at the first failure; answers a function that takes the wish back. */
  onFailure(listener: () => void): () => void;
}

export interface Exchange {
  readonly id: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly head: Head;
  readonly line: Line;
  readonly address: string;
  readonly expect: 'nothing' | 'continue' | 'unknown';
  readonly started_ms: number;
  /** Aborts when the answer is given, or cannot be given any more. */
  readonly signal: AbortSignal;
  /** For log and metrics: the template of the endpoint, and who acted. */
  route: string;
  actor: Actor | null;
}

const exchanges = new WeakMap<IncomingMessage, Exchange>();

export const keepExchange = (exchange: Exchange): void => void exchanges.set(exchange.request, exchange);

export function exchangeOf(request: IncomingMessage): Exchange {
  const exchange = exchanges.get(request);
  if (exchange === undefined) throw new TypeError('a request that did not come through the boundary');
  return exchange;
}

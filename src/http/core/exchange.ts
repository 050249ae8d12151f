/** One request on its way through the boundary. koa's context finds it through the request that both hold. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Denial } from './problem.js';
import type { Actor } from './actor.js';

/** The contents of a request's head, read at once when it is complete. */
export interface Head {
  /** The target in origin form. */
  readonly target: string;
  readonly host: string | null;
  readonly mutation: boolean;
  /** The length of the body in bytes; null for a chunked body, which ends with a marker. */
  readonly length: number | null;
  readonly denial: Denial | null;
}

/** The part of its connection that an exchange sees. */
export interface Line {
  /** The parser's error, once there is one: a request without a response yet must then change no state. */
  readonly failure: Error | null;
  /** Whether this response is the last one on the connection. */
  readonly last: boolean;
  /** Whether the connection has a reserved place. */
  readonly isReserved: boolean;
  /** Whether bytes arrived after the newest request that are not a request themselves. */
  readonly hasExtraBytes: boolean;
  /** Calls the listener once at the first failure; returns a function that removes the listener. */
  onFailure(listener: () => void): () => void;
}

/**
 * One request and its response. A class, because an object literal with a getter has a shape of its own, which would hold the
 * request and everything that it references until the next full collection.
 */
export class Exchange {
  /** For log and metrics: the template of the endpoint, and the actor. */
  route = '';
  actor: Actor | null = null;
  /** Header names and values in turn that are sent with any response. */
  fields: readonly string[] | null = null;
  /** The body of a mutation, once it is read completely. */
  body: Buffer | null = null;
  /** Ends the time of a large body that is decoded; must be called once it is, or is given up. */
  onParsed: (() => void) | null = null;
  /** Ends the turn of a large body; must be called once it is decoded, or given up. */
  onDecoded: (() => void) | null = null;
  readonly started_ms = performance.now();
  private gone: AbortSignal | null = null;

  constructor(
    readonly id: string,
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly head: Head,
    readonly line: Line,
    readonly address: string,
    readonly expect: 'nothing' | 'continue' | 'unknown',
  ) {}

  /**
   * Aborts when the response is sent or can no longer be sent. Few handlers use it, and each signal costs as much as a response.
   */
  get signal(): AbortSignal {
    return (this.gone ??= goneSignal(this.response));
  }
}

function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.closed) gone.abort();
  else response.once('close', () => gone.abort());
  return gone.signal;
}

const key = Symbol('exchange');

/** A request that holds its exchange: with a weak map, each collection of young memory would visit every request. */
type Carrier = IncomingMessage & { [key]?: Exchange };

export function keepExchange(exchange: Exchange): void {
  const carrier: Carrier = exchange.request;
  carrier[key] = exchange;
}

export function exchangeOf(request: Carrier): Exchange {
  const exchange = request[key];
  if (exchange === undefined) throw new TypeError('a request that did not come through the boundary');
  return exchange;
}

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
  /** Bytes of the body; null where its end tells (chunked). */
  readonly length: number | null;
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
  /** Called once at the first failure; returns a function that removes the listener. */
  onFailure(listener: () => void): () => void;
}

/**
 * A class, because an object written with a getter has a shape of its own: every one of them would hold its request, and everything
 * that hangs on it, until the next full collection.
 */
export class Exchange {
  /** For log and metrics: the template of the endpoint, and who acted. */
  route = '';
  actor: Actor | null = null;
  /** Names and values in turn that go with the answer, whatever it becomes. */
  fields: readonly string[] | null = null;
  /** The body of a mutation, once it is read whole. */
  body: Buffer | null = null;
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

  /** Aborts when the answer is given, or cannot be given any more. Few handlers ask for it, and each costs as much as an answer. */
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

/** The request holds it: a weak map of requests would make each collection of young memory look at every one of them. */
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

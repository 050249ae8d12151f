/**
 * One connection. Its requests are answered one after another, so that nothing changes state out of order. The first request
 * whose framing is in doubt is the last, because the origin of what follows it is unknown. The connection ends gently: a client
 * that is still sending when the socket closes loses the response.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errorCode } from '../../base/fault.js';
import type { FieldError } from '../../base/refusal.js';
import { endGently } from './end-gently.js';
import { Exchange, keepExchange, type Head, type Line } from './exchange.js';
import { other_version } from './head.js';
import { every_place_taken, type Denial } from './problem.js';
import type { Settings } from './settings.js';
import { MessageEnds } from './message-ends.js';
import { denialOf, rawAnswer } from './raw-answer.js';
import type { UpgradeOffer } from './upgrade.js';

/** What a connection needs of its server. */
export interface Handlers {
  readonly settings: Settings;
  readonly isStopping: () => boolean;
  readonly readHead: (request: IncomingMessage) => Head;
  /** Responds to the request; never rejects. */
  readonly serve: (exchange: Exchange) => Promise<void>;
  /** Called when a response was written without a request, or without leaving HTTP. */
  readonly refused: (id: string, status: number, code: string, address: string, isUpgrade: boolean) => void;
  /** Takes a request for another protocol. */
  readonly upgrade?: (offer: UpgradeOffer) => void;
}

export class Connection implements Line {
  failure: Error | null = null;
  private readonly ends = new MessageEnds();
  private readonly listeners = new Set<() => void>();
  private tail: Promise<void> = Promise.resolve();
  /** The number of requests taken; the next field counts those without a response yet. */
  private taken = 0;
  private open = 0;
  /** The response to the newest mutation. */
  private mutation: ServerResponse | null = null;
  /** The request that is being answered. */
  private current: Exchange | null = null;
  private hasToken = false;
  /** True when no further request is taken. */
  private full = false;
  private closing = false;
  /** Runs while no request is open, from the end of the last response. */
  private idle: NodeJS.Timeout | null = null;
  private readonly address: string;
  private readonly count = (chunk: Buffer): void => this.ends.take(chunk);

  constructor(
    readonly socket: Socket,
    private readonly handlers: Handlers,
    /** Whether it has a reserved place: then it has one request, and only some are served. */
    readonly isReserved: boolean,
    /** Called when a request begins and when its response has ended. */
    private readonly onMoved: () => void,
  ) {
    this.address = socket.remoteAddress ?? '';
    // Added after the parser's own listener: see `MessageEnds`.
    socket.on('data', this.count);
    // Node calls this after the last response of a connection.
    socket.destroySoon = () => this.close();
    socket.once('close', () => {
      this.wake();
      this.notify();
    });
    // Node listens for errors only while its parser has the connection: not after CONNECT and not after an upgrade.
    socket.on('error', () => undefined);
  }

  get last(): boolean {
    return this.open === 1 && (this.full || this.isReserved || this.handlers.isStopping());
  }

  /** Whether a request on this connection had a valid token. */
  get isKnown(): boolean {
    return this.hasToken || (this.current !== null && this.current.actor !== null);
  }

  /** Whether the client has to act next: send a request or the rest of its body, or read a response. */
  get waitsForClient(): boolean {
    if (this.closing || this.current === null) return this.open === 0;
    const { request, response } = this.current;
    return response.writableEnded || (!response.headersSent && !request.complete);
  }

  get hasExtraBytes(): boolean {
    return !this.full && this.ends.ended === this.taken && this.ends.extra > 0;
  }

  onFailure(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Called when a head is complete. After a mutation or a refused head, nothing is read and nothing gets a response. */
  take(request: IncomingMessage, response: ServerResponse, expect: Exchange['expect']): void {
    const unanswered = this.mutation !== null && !this.mutation.writableEnded;
    const isSecond = this.isReserved && this.taken > 0;
    if (unanswered || isSecond || this.failure !== null || this.open >= this.handlers.settings.pipelined_max) this.full = true;
    if (this.full) return;
    const head = this.handlers.readHead(request);
    if (head.denial === null) this.ends.expect(head.length);
    this.full = head.denial !== null;
    if (head.mutation) this.mutation = response;
    this.wake();
    this.taken++;
    this.open++;
    const number = this.taken - 1;
    this.tail = this.tail.then(() => this.answer(number, request, response, head, expect));
  }

  private async answer(
    number: number,
    request: IncomingMessage,
    response: ServerResponse,
    head: Head,
    expect: Exchange['expect'],
  ): Promise<void> {
    // The parser takes such a request for HTTP; its line is known by now.
    if (this.ends.isForeign(number)) this.answerRaw(randomUUID(), other_version, false);
    if (!this.socket.destroyed && !this.closing) {
      this.current = this.exchange(request, response, head, expect);
      this.onMoved();
      await this.handlers.serve(this.current);
      this.hasToken = this.isKnown;
      this.current = null;
    }
    this.open--;
    this.onMoved();
    if (this.open > 0) return;
    if (this.failure !== null) this.refuse(denialOf(this.failure));
    else if (this.full || this.isReserved || this.handlers.isStopping()) this.close();
    else this.rest();
  }

  /**
   * Starts the idle timer, which ends the connection unless a head has begun by then: that has a time limit of its own. Node's
   * timer for kept connections begins again with every byte, even with blank lines, so it would never end.
   */
  private rest(): void {
    this.ends.rest();
    if (this.socket.destroyed || this.closing) return;
    this.idle = setTimeout(() => void (this.ends.isWithinHead || this.close()), this.handlers.settings.keep_alive_ms);
  }

  private wake(): void {
    if (this.idle !== null) clearTimeout(this.idle);
    this.idle = null;
  }

  private exchange(request: IncomingMessage, response: ServerResponse, head: Head, expect: Exchange['expect']): Exchange {
    // From here on a target has only one form.
    request.url = head.target;
    const exchange = new Exchange(randomUUID(), request, response, head, this, this.address, expect);
    keepExchange(exchange);
    return exchange;
  }

  /**
   * Called when the parser failed or the head took too long. Open requests still get their responses; then the connection ends.
   */
  fail(error: Error): void {
    if (this.failure !== null || this.closing) return;
    this.failure = error;
    if (!this.socket.writable || errorCode(error) === 'ECONNRESET') this.socket.destroy();
    else if (this.open === 0) this.refuse(denialOf(error));
    this.notify();
  }

  /** Sends a response that has no request, after the open ones, and ends the connection. */
  refuse(denial: Denial): void {
    if (this.open > 0) this.full = true;
    else this.answerRaw(randomUUID(), denial, false);
  }

  /**
   * Called for a head that requests a protocol that the server wants; the parser is gone by then. Not taken while a response
   * is open.
   */
  upgrade(request: IncomingMessage, early: Buffer): void {
    const { socket, address, handlers } = this;
    const id = randomUUID();
    if (this.full || this.open > 0) {
      this.full = true;
      return;
    }
    this.wake();
    const { denial, target } = handlers.readHead(request);
    if (this.isReserved) return this.answerRaw(id, every_place_taken, true);
    const refuse: UpgradeOffer['refuse'] = (denial, errors) => this.answerRaw(id, denial, true, errors);
    request.url = target;
    // The request line is known once all listeners have the bytes.
    queueMicrotask(() => {
      if (this.ends.isForeign(this.taken)) return this.answerRaw(id, other_version, true);
      handlers.upgrade?.({ id, request, denial, socket, early, address, refuse, release: () => this.release() });
    });
  }

  private answerRaw(id: string, denial: Denial, isUpgrade: boolean, errors?: readonly FieldError[]): void {
    if (this.closing || !this.socket.writable) return;
    const { status, document } = rawAnswer(this.socket, denial, id, errors);
    this.handlers.refused(id, status, document.code, this.address, isUpgrade);
    this.close();
  }

  private release(): Socket {
    this.closing = true;
    this.full = true;
    // Only requests with a token leave HTTP; such a connection keeps its place.
    this.hasToken = true;
    this.onMoved();
    this.socket.off('data', this.count);
    // Node's own handler again.
    Reflect.deleteProperty(this.socket, 'destroySoon');
    return this.socket;
  }

  /** Ends the connection at once if no response is in progress, else after that response. */
  stop(): void {
    if (this.open === 0) this.close();
  }

  private close(): void {
    if (this.closing) return;
    this.closing = true;
    this.full = true;
    endGently(this.socket, this.handlers.settings);
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}

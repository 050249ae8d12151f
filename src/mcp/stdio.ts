/**
 * The protocol over standard input and output: one message a line. Nothing else is ever written to standard output; what the program prints
 * there meanwhile goes to standard error.
 */
import type { Readable } from 'node:stream';
import { type Assistant, type Exchange, progressOf } from './assistant.js';
import { readEnvelope, requests_max, respond, tooManyRequests } from './protocol.js';
import {
  errorText,
  invalid,
  isObject,
  type JsonObject,
  readMessage,
  requestText,
  type RequestId,
  resultText,
  RpcError,
  type RpcMessage,
} from './rpc.js';

/** As over HTTP. */
export const message_bytes_max = 524_288;
/** A longer message is read up to here to refuse it by its id. */
const line_bytes_max = 16 * message_bytes_max;

const line_feed = 0x0a;

export interface StdioOptions {
  readonly input: Readable;
  /** Writes to standard output. */
  readonly write: (text: string) => void;
  /** Resolves once the client has taken most of what was written; rejects when the signal aborts. */
  readonly drained: (signal: AbortSignal) => Promise<void>;
  /** Logs a fault, for people. */
  readonly onFault: (error: unknown) => void;
}

/** Serves until the input ends or the signal aborts. */
export async function serveStdio(assistant: Assistant, options: StdioOptions, signal: AbortSignal): Promise<void> {
  const connection = new Connection(assistant, options);
  const stop = (): void => void options.input.destroy();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    for await (const line of linesOf(options.input)) {
      connection.receive(line);
      // Whoever does not read is not read from.
      await options.drained(signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    await connection.end();
  }
}

/** Yields the lines, without their ends; null for one that is too long. */
async function* linesOf(input: Readable): AsyncGenerator<Buffer | null> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of input as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(line_feed); end !== -1; end = chunk.indexOf(line_feed, start)) {
      const part = chunk.subarray(start, end);
      yield length + part.length > line_bytes_max ? null : Buffer.concat([...parts, part]);
      [parts, length, start] = [[], 0, end + 1];
    }
    const rest = chunk.subarray(start);
    length += rest.length;
    // The rest of a line that is too long is dropped.
    if (length <= line_bytes_max) parts.push(rest);
    else parts = [];
  }
}

/** Why a request is no longer waited for. */
const cancelled = Symbol('cancelled');

class Connection {
  /** The requests that are being answered. */
  private readonly open = new Map<RequestId, AbortController>();
  private readonly answers = new Set<Promise<void>>();
  /** What the client said at `initialize` that it can do. */
  private capabilities: JsonObject = {};
  private asked = 0;

  constructor(
    private readonly assistant: Assistant,
    private readonly options: StdioOptions,
  ) {}

  receive(line: Buffer | null): void {
    if (line !== null && line.toString('latin1').trim() === '') return;
    try {
      if (line === null || line.length > message_bytes_max)
        throw invalid(`the message has more than ${message_bytes_max} bytes`, String(line));
      const message = readMessage(line);
      if (message.method === null) return;
      if (message.id === null) return this.notified(message);
      const answer = this.answer(message, message.id).finally(() => this.answers.delete(answer));
      this.answers.add(answer);
    } catch (error) {
      this.send(errorText(error instanceof RpcError ? error.id : null, this.errorOf(error)));
    }
  }

  /** Ends what is being answered, and waits for it. */
  async end(): Promise<void> {
    for (const controller of this.open.values()) controller.abort();
    await Promise.all(this.answers);
  }

  private notified({ method, params }: RpcMessage): void {
    const id = params['requestId'];
    if (method !== 'notifications/cancelled' || (typeof id !== 'string' && typeof id !== 'number')) return;
    this.open.get(id)?.abort(cancelled);
    this.open.delete(id);
  }

  private async answer(message: RpcMessage, id: RequestId): Promise<void> {
    const controller = new AbortController();
    try {
      if (this.open.has(id)) throw new RpcError('invalid_request', 'a request with this id is being answered');
      if (this.open.size >= requests_max) throw tooManyRequests();
      this.open.set(id, controller);
      const result = await respond(this.assistant, message, this.exchange(message, controller.signal));
      this.reply(controller.signal, resultText(id, result));
    } catch (error) {
      this.reply(controller.signal, errorText(id, this.errorOf(error)));
    } finally {
      if (this.open.get(id) === controller) this.open.delete(id);
    }
  }

  private exchange(message: RpcMessage, signal: AbortSignal): Exchange {
    const envelope = readEnvelope(message, null);
    if (message.method === 'initialize' && isObject(message.params['capabilities']))
      this.capabilities = message.params['capabilities'];
    const isAskable =
      !envelope.isModern && isObject(this.capabilities['elicitation']) && isObject(this.capabilities['elicitation']['url']);
    return {
      envelope,
      signal,
      progress: progressOf(message, (text) => signal.aborted || this.send(text)),
      showAddress: isAskable
        ? (url, text) => {
            const elicitationId = `page-${++this.asked}`;
            this.send(requestText(elicitationId, 'elicitation/create', { mode: 'url', url, message: text, elicitationId }));
          }
        : null,
    };
  }

  /** A client that has cancelled a request wants no response; one that ended its input may still read. */
  private reply({ reason }: AbortSignal, text: string): void {
    if (reason !== cancelled) this.send(text);
  }

  private send(text: string): void {
    this.options.write(`${text}\n`);
  }

  private errorOf(error: unknown): RpcError {
    if (error instanceof RpcError) return error;
    this.options.onFault(error);
    return new RpcError('internal_error', 'the request failed; the log of the server says why');
  }
}

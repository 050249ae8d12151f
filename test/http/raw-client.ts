/** A client that sends bytes as they are given and reads every response. */
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { hang_ms } from '../support/wait.js';

export interface Answer {
  readonly status: number;
  readonly version: string;
  /** By name in lower case; repeated ones joined with a line break. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Received {
  readonly answers: readonly Answer[];
  /** Bytes that are not a whole response. */
  readonly rest: string;
  readonly closed: 'end' | 'reset' | 'open';
  readonly ms: number;
}

export interface Plan {
  /** Listens for so long, where the server neither closes nor sends the expected responses. */
  readonly wait_ms?: number;
  /** Stop as soon as so many responses are there. */
  readonly answers?: number;
  /** Answers to HEAD have no body. */
  readonly head?: boolean;
  /** What to do after the last byte; `reset` ends the exchange. */
  readonly afterwards?: 'keep' | 'end' | 'reset';
  /** Reads nothing until everything is sent. */
  readonly readsLate?: boolean;
  /** Between chunks. */
  readonly pause_ms?: number;
  /** How many responses must be there before the chunk at each place is sent. */
  readonly answersBefore?: readonly number[];
}

/** Sends the chunks in turn; returns what the server sent. Bounded: ends after `wait_ms` whatever happens. */
export async function exchangeRaw(
  port: number,
  chunks: Buffer | string | readonly (Buffer | string)[],
  plan: Plan = {},
): Promise<Received> {
  const { wait_ms = hang_ms, afterwards = 'keep', head = false } = plan;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  const started = performance.now();
  const received: Buffer[] = [];
  const answered = (): number => parse(Buffer.concat(received), head).answers.length;
  const closed = new Promise<Received['closed']>((resolve) => {
    if (plan.readsLate === true) socket.pause();
    socket.on('data', (chunk: Buffer) => {
      received.push(chunk);
      if (plan.answers !== undefined && answered() >= plan.answers) resolve('open');
    });
    socket.once('end', () => resolve('end')).once('error', () => resolve('reset'));
    setTimeout(() => resolve('open'), wait_ms).unref();
  });
  try {
    await sendAll(socket, typeof chunks === 'string' || Buffer.isBuffer(chunks) ? [chunks] : chunks, plan, async (count) => {
      const isOpen = (): boolean => !socket.readableEnded && !socket.destroyed && performance.now() - started < wait_ms;
      while (isOpen() && answered() < count) await sleep(5);
    });
    socket.resume();
    if (afterwards === 'end') socket.end();
    const how = afterwards === 'reset' ? await resetInTurn(socket) : await closed;
    return { ...parse(Buffer.concat(received), head), closed: how, ms: performance.now() - started };
  } finally {
    socket.destroy();
  }
}

/** Resets the connection once the server has read all, and returns once it has noticed. */
async function resetInTurn(socket: Socket): Promise<'reset'> {
  await turns();
  reset(socket);
  await turns();
  return 'reset';
}

const turns_count = 50;

/** So many turns of this process's event loop that a server in it has read all that was sent to it. */
export async function turns(): Promise<void> {
  for (let n = 0; n < turns_count; n++) await nextTurn();
}

/** Sends RST; `resetAndDestroy` ends the stream first, which a server sees as an orderly end, as it does an RST before its accept. */
export function reset(socket: Socket): void {
  const { _handle: handle } = socket as unknown as { readonly _handle: { reset(done: () => void): void } };
  handle.reset(() => undefined);
}

async function sendAll(
  socket: Socket,
  chunks: readonly (Buffer | string)[],
  { pause_ms = 20, answersBefore }: Plan,
  answered: (count: number) => Promise<void>,
): Promise<void> {
  await new Promise<void>((resolve, reject) => void socket.once('connect', resolve).once('error', reject));
  for (const [i, chunk] of chunks.entries()) {
    if (i > 0) await (answersBefore === undefined ? sleep(pause_ms) : answered(answersBefore[i] ?? 0));
    if (!socket.destroyed) await new Promise<void>((resolve) => socket.write(chunk, () => resolve()));
  }
}

/** The responses in `bytes` (RFC 9112), and what is left over. */
export function parse(bytes: Buffer, head = false): { readonly answers: readonly Answer[]; readonly rest: string } {
  const answers: Answer[] = [];
  let text = bytes.toString('latin1');
  for (;;) {
    const end = text.indexOf('\r\n\r\n');
    const [first = '', ...lines] = text.slice(0, Math.max(end, 0)).split('\r\n');
    const status = /^HTTP\/(1\.[01]) ([0-9]{3}) /.exec(first);
    if (end < 0 || status === null) return { answers, rest: text };
    const headers = fieldsOf(lines);
    const code = Number(status[2]);
    const bare = code < 200 || code === 204 || head;
    const taken = bare ? { body: '', length: 0 } : bodyOf(text.slice(end + 4), headers);
    if (taken === null) return { answers, rest: text };
    answers.push({ status: code, version: status[1]!, headers, body: Buffer.from(taken.body, 'latin1').toString() });
    text = text.slice(end + 4 + taken.length);
  }
}

function fieldsOf(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const at = line.indexOf(':');
    const name = line.slice(0, at).toLowerCase();
    const value = line.slice(at + 1).trim();
    headers[name] = name in headers ? `${headers[name]}\n${value}` : value;
  }
  return headers;
}

function bodyOf(
  text: string,
  headers: Readonly<Record<string, string>>,
): { readonly body: string; readonly length: number } | null {
  if (headers['transfer-encoding'] === 'chunked') return chunkedOf(text);
  const length = Number(headers['content-length']);
  return text.length < length ? null : { body: text.slice(0, length), length };
}

function chunkedOf(text: string): { readonly body: string; readonly length: number } | null {
  let at = 0;
  let body = '';
  for (;;) {
    const line = text.indexOf('\r\n', at);
    if (line < 0) return null;
    const size = Number.parseInt(text.slice(at, line), 16);
    if (text.length < line + 4 + size) return null;
    body += text.slice(line + 2, line + 2 + size);
    at = line + 4 + size;
    if (size === 0) return { body, length: at };
  }
}

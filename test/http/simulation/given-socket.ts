/** A server on loopback with the progress socket over a feed that the test feeds, and clients of it. */
import { once } from 'node:events';
import { connect as tcp, type Socket } from 'node:net';
import { Registry } from 'prom-client';
import { WebSocket, type ClientOptions } from 'ws';
import { RefusalError } from '../../../src/base/refusal.js';
import type { ProgressMessage } from '../../../src/codec/api-simulation.js';
import type { ProgressFeed } from '../../../src/app/simulation/runs/progress.js';
import { createLogger } from '../../../src/http/log.js';
import { startHttp } from '../../../src/http/core/server.js';
import { simulationPolicy, tokensOf } from '../../../src/http/simulation/policy.js';
import { attachProgress, type Progress, type ProgressOptions } from '../../../src/http/simulation/socket.js';
import { isHandshake } from '../../../src/http/simulation/socket-handshake.js';
import { type Answer, exchangeRaw } from '../raw-client.js';

export const token = 't'.repeat(43);
/** A run that the feed knows nothing of. */
export const unknown_run = 'f'.repeat(16);
export const bearer = (secret: string): string => `bearer.${Buffer.from(secret).toString('base64url')}`;

type Make = (id: string | null, signal: AbortSignal) => AsyncIterable<ProgressMessage>;

/** A feed whose items a function makes. */
export const feedOf = (make: Make): ProgressFeed => ({
  follow: (id, signal) => {
    if (id === unknown_run) throw new RefusalError('not_found', `there is no run ${id}`);
    return make(id, signal);
  },
});

export async function* itemsOf(items: readonly ProgressMessage[]): AsyncGenerator<ProgressMessage, void, undefined> {
  yield* items;
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true })));

/** Nothing is in flight, and nothing comes. */
export const silent: Make = async function* (_id, signal) {
  await aborted(signal);
  yield* [];
};

export interface Given {
  readonly port: number;
  readonly progress: Progress;
  readonly stop: () => Promise<void>;
  readonly log: () => readonly Readonly<Record<string, unknown>>[];
  readonly metrics: Registry;
}

const running: Given[] = [];
const clients: WebSocket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.terminate();
  await Promise.all(running.splice(0).map((given) => given.stop()));
});

export async function givenSocket(make: Make = silent, options: Partial<ProgressOptions> = {}, rate_limit = 0): Promise<Given> {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  const progress = attachProgress({ feed: feedOf(make), logger, ...options });
  const metrics = new Registry();
  const server = await startHttp({
    endpoints: [progress.endpoint],
    host: '127.0.0.1',
    port: 0,
    policy: simulationPolicy({ origins: '*', tokens: tokensOf(token, null), rate_limit, onAnswered: () => undefined }),
    logger,
    metrics,
    wantsUpgrade: isHandshake,
    limits: { failed_logins_per_address_max: 1e6, failed_logins_max: 1e6 },
  });
  const stop = async (): Promise<void> => {
    await progress.stop();
    await server.stop();
  };
  const log = (): readonly Readonly<Record<string, unknown>>[] =>
    lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const given = { port: server.port, progress, stop, log, metrics };
  running.push(given);
  return given;
}

export interface Client {
  readonly socket: WebSocket;
  readonly messages: string[];
  /** The code with which it ended, and its reason. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

/** Connects; rejects when the server refuses. Messages are kept from the first one on. */
export async function connect(port: number, query = '', options: ClientOptions & { protocols?: string[] } = {}): Promise<Client> {
  const { protocols = [], headers = { Authorization: `Bearer ${token}` }, ...rest } = options;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/progress${query}`, protocols, { headers, ...rest });
  clients.push(socket);
  const messages: string[] = [];
  socket.on('message', (data: Buffer) => void messages.push(data.toString()));
  const closed = new Promise<Awaited<Client['closed']>>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  socket.on('error', () => undefined);
  await Promise.race([once(socket, 'open'), refusedBy(socket)]);
  return { socket, messages, closed };
}

const refusedBy = (socket: WebSocket): Promise<never> =>
  new Promise((_resolve, reject) => {
    socket.once('error', reject);
  });

const handshake: Readonly<Record<string, string | null>> = {
  Host: 'localhost',
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  Authorization: `Bearer ${token}`,
};

/** A handshake as bytes: fields replaced, left out where null, and `more` lines behind them. */
export function handshakeBytes(
  {
    target = '/ws/progress',
    method = 'GET',
    protocol = 'HTTP',
    version = '1.1',
  }: { target?: string; method?: string; protocol?: string; version?: string } = {},
  fields: Readonly<Record<string, string | null>> = {},
  more = '',
): string {
  const lines = Object.entries({ ...handshake, ...fields }).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}\r\n`],
  );
  return `${method} ${target} ${protocol}/${version}\r\n${lines.join('')}${more}\r\n`;
}

/** The whole response to a handshake; the connection must end after it. */
export async function refusalOf(port: number, bytes: string): Promise<Answer> {
  const { answers, rest, closed } = await exchangeRaw(port, bytes, { afterwards: 'keep' });
  if (answers.length !== 1 || rest !== '' || closed !== 'end')
    throw new Error(`${answers.length} answers, then ${JSON.stringify(rest)}, ${closed}`);
  return answers[0]!;
}

/** So long that few lines fill what the kernel holds between two sockets. */
const long_id = 'a'.repeat(20_000);

/** Lines without end, and how many were asked for. */
export function endless(): {
  readonly asked: () => number;
  readonly ended: () => boolean;
  readonly make: () => AsyncGenerator<ProgressMessage>;
} {
  let asked = 0;
  let isOver = false;
  async function* make(): AsyncGenerator<ProgressMessage> {
    try {
      for (;;) yield { id: long_id, type: 'generation', generation: ++asked };
    } finally {
      isOver = true;
    }
  }
  return { asked: () => asked, ended: () => isOver, make };
}

/** A handshake that was accepted, as a bare socket that is not read. */
export async function upgraded(port: number, target = '/ws/progress'): Promise<Socket> {
  const socket = tcp({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  socket.write(handshakeBytes({ target }));
  await once(socket, 'readable');
  return socket;
}

/**
 * A stand-in for the simulation's server, for what the real one shows too briefly or not at all: it serves dist/dashboard, computes with
 * the real engine, and lets a test hold a run where it is, or make a request fail.
 */
import * as E from 'fp-ts/lib/Either.js';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { WebSocketServer, type WebSocket } from 'ws';
import { refusals, type Refusal } from '../../src/base/refusal.js';
import type { ProgressMessage } from '../../src/codec/api-simulation.js';
import { policy } from './console-mock.js';
import { mockRuns, recordOf, resultsOf, type MockRun, type MockRuns } from './dashboard-mock-runs.js';

const token = 'mock-token';
const roles = ['planning', 'research', 'strategy', 'market', 'codegen', 'safety', 'memory'];
const types: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
};

export interface DashboardMock {
  readonly url: string;
  readonly token: string;
  readonly runs: MockRuns;
  /** What the next requests of `METHOD /path` are answered instead, by their beginning. */
  readonly failures: Map<string, Refusal>;
  /** Seconds since each agent's last beat, and its restarts. */
  readonly agents: Map<string, { age: number; restarts: number }>;
  /** Runs that are asked for begin and end at once; false holds them in the queue. */
  isQuick: boolean;
  /** Breaks every connection of the progress socket. */
  readonly drop: () => void;
  readonly close: () => Promise<void>;
}

interface Call {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
}

export async function startDashboardMock(): Promise<DashboardMock> {
  const sockets = new Set<WebSocket>();
  const runs = mockRuns((message) => sockets.forEach((socket) => socket.send(JSON.stringify(message))));
  const server = createServer((request, response) => void handle(request, response, mock));
  const upgrades = new WebSocketServer({ noServer: true, handleProtocols: () => 'agi-progress.v1' });
  server.on('upgrade', (request, socket, head) => {
    const offered = `bearer.${Buffer.from(token).toString('base64url')}`;
    if (request.headers['sec-websocket-protocol']?.includes(offered) !== true) return void socket.end('HTTP/1.1 403 \r\n\r\n');
    upgrades.handleUpgrade(request, socket, head, (client) => {
      sockets.add(client);
      client.on('close', () => sockets.delete(client));
      for (const message of runs.all().filter(isInFlight).flatMap(replay)) client.send(JSON.stringify(message));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const mock: DashboardMock = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    token,
    runs,
    failures: new Map(),
    agents: new Map(roles.map((role) => [role, { age: 0.4, restarts: 0 }])),
    isQuick: true,
    drop: () => sockets.forEach((socket) => socket.terminate()),
    close: () =>
      new Promise((done) => {
        mock.drop();
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return mock;
}

const isInFlight = ({ state }: MockRun): boolean => state === 'queued' || state === 'running';
const replay = ({ messages }: MockRun): readonly ProgressMessage[] => messages;

async function handle(request: IncomingMessage, response: ServerResponse, mock: DashboardMock): Promise<void> {
  response.setHeader('Content-Security-Policy', policy);
  const url = new URL(request.url ?? '/', mock.url);
  const path = url.pathname;
  if (path === '/' || path.startsWith('/assets/')) return sendFile(response, path === '/' ? 'index.html' : path.slice(1));
  const send = (status: number, body: unknown): void => {
    response.writeHead(status, { 'Content-Type': status < 400 ? 'application/json' : 'application/problem+json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
  const refuse = (refusal: Refusal): void => {
    const wait_s = refusal.facts?.['retry_after_s'];
    if (typeof wait_s === 'number') response.setHeader('Retry-After', wait_s);
    send(refusals[refusal.code].status, problemOf(refusal));
  };
  if (request.headers.authorization !== `Bearer ${token}`)
    return send(403, { title: 'Forbidden', status: 403, detail: 'the token is wrong' });
  const method = request.method ?? 'GET';
  for (const [start, refusal] of mock.failures) if (`${method} ${path}`.startsWith(start)) return refuse(refusal);
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const answer = answerOf({ method, url, body }, mock);
  return E.isLeft(answer) ? refuse(answer.left) : send(200, answer.right);
}

const problemOf = (refusal: Refusal): unknown => ({ type: 'about:blank', ...refusals[refusal.code], ...refusal });

function sendFile(response: ServerResponse, name: string): void {
  const path = join(import.meta.dirname, '..', '..', 'dashboard', name);
  if (name.includes('..') || !existsSync(path)) return void response.writeHead(404).end();
  response.writeHead(200, { 'Content-Type': types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream' });
  response.end(readFileSync(path));
}

function answerOf({ method, url, body }: Call, mock: DashboardMock): E.Either<Refusal, unknown> {
  const { runs } = mock;
  const [, page = '', id = ''] = url.pathname.split('/');
  const run = runs.find(id);
  switch (`${method} ${page}`) {
    case 'GET status':
      return E.right({
        agents: Object.fromEntries(
          Array.from(mock.agents, ([name, { age, restarts }]) => [name, { last_beat: Date.now() / 1000 - age, restarts }]),
        ),
      });
    case 'POST simulate':
      return E.map((made: MockRun) => {
        if (mock.isQuick) setTimeout(() => finish(runs, made), 50);
        return { id: made.id };
      })(runs.request(JSON.parse(body)));
    case 'GET runs':
      if (id !== '') return orUnknown(run && recordOf(run));
      return E.right(pageOf(runs, url.searchParams));
    case 'DELETE runs':
      if (run === undefined) return orUnknown(undefined);
      if (!isInFlight(run)) return E.left({ code: 'wrong_state', detail: `run ${id} is ${run.state}` });
      runs.end(run, 'cancelled');
      return E.right(recordOf(run));
    case 'GET results':
      return orUnknown(run?.state === 'succeeded' ? resultsOf(run, url.searchParams.get('genome') === '1') : undefined);
    case 'POST insight':
      return insightOf(runs, (JSON.parse(body === '' ? '{}' : body) as { ids?: string[] }).ids ?? []);
    default:
      return orUnknown(undefined);
  }
}

const orUnknown = (found: unknown): E.Either<Refusal, unknown> =>
  found === undefined ? E.left({ code: 'not_found', detail: 'there is no such run' }) : E.right(found);

export function finish(runs: MockRuns, run: MockRun): void {
  if (run.state === 'queued') runs.begin(run, run.request.generations);
  if (run.state === 'running') runs.end(run, 'succeeded');
}

function pageOf(runs: MockRuns, words: URLSearchParams): unknown {
  const state = words.get('state');
  const from = Number(words.get('cursor') ?? 0);
  const limit = Number(words.get('limit') ?? 25);
  const all = runs.all().filter((run) => state === null || run.state === state);
  return {
    items: all.slice(from, from + limit).map(recordOf),
    next_cursor: from + limit < all.length ? String(from + limit) : null,
  };
}

function insightOf(runs: MockRuns, ids: readonly string[]): E.Either<Refusal, unknown> {
  const used = runs.all().filter(({ id, state }) => state === 'succeeded' && (ids.length === 0 || ids.includes(id)));
  if (used.length === 0) return E.left({ code: 'not_found', detail: 'no run is left' });
  const years = Math.max(...used.map(({ request }) => request.horizon));
  return E.right({
    forecast: Array.from({ length: years }, (_, i) => {
      const values = used.flatMap(({ outcome }) => outcome?.forecast[i]?.capability ?? []);
      const capability = values.reduce((sum, value) => sum + value, 0) / values.length;
      return { year: i + 1, capability, runs: values.length, min: Math.min(...values), max: Math.max(...values) };
    }),
  });
}

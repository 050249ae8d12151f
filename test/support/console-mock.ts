/**
 * A stand-in for the operator's daemon, for tests of the console: it serves dist/console under its policy and responds to the API by
 * running the command line on a home of its own, so that every record, refusal and export is a real one. Entries are read from the
 * journal's file; progress is invented.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { refusals, type Refusal } from '../../src/base/refusal.js';
import { program, root, scratch, type Scratch } from './cli-run.js';
import { feedFor } from './console-mock-feed.js';
import { MockProblem, type ConsoleServer, type Mock } from './console-mock-types.js';
import { routeOf, type Answer, type Call } from './console-mock-routes.js';

export const policy =
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
};

/** Starts with an initialised home without missions. */
export async function startMock(): Promise<ConsoleServer> {
  const cli = scratch();
  cli.json('init');
  const home = cli.env['AGENT_HOME'] ?? '';
  const tokens = {
    admin: readFileSync(join(home, 'api.token'), 'utf8').trim(),
    reviewer: 'reviewer-token',
    viewer: 'viewer-token',
  };
  const mock = mockOf(cli, join(home, 'journal.sqlite3'));
  const feed = feedFor(mock);
  const server = createServer((request, response) => {
    handle(request, response, mock, tokens, feed.open).catch((error: unknown) => {
      if (!response.headersSent) sendProblem(response, error);
      else response.destroy();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    tokens,
    cli,
    close: async () => {
      feed.close();
      await closed(server);
      cli.remove();
    },
  };
}

const closed = (server: Server): Promise<void> =>
  new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });

function mockOf(cli: Scratch, journal: string): Mock {
  let files = 0;
  const db = new Database(journal, { readonly: true });
  return {
    cli,
    progress: new Map(),
    file: (text) => {
      const path = join(cli.directory, `upload-${++files}.json`);
      writeFileSync(path, text);
      return path;
    },
    entries: () =>
      db
        .prepare<[], { seq: number; body: string; hash: string; signature: string }>('SELECT * FROM events ORDER BY seq')
        .all()
        .map((row) => {
          const body = JSON.parse(row.body) as {
            time: string;
            type: string;
            mission: string;
            previous: string;
            document: unknown;
          };
          return { sequence: row.seq, stream: body.mission, hash: row.hash, signature: row.signature, ...body };
        }),
    run: (...args) =>
      new Promise((resolve, reject) => {
        const options = { cwd: cli.directory, env: cli.env, maxBuffer: 1 << 26 };
        execFile(process.execPath, [program, ...args, '--json'], options, (error, stdout, stderr) => {
          if (stdout !== '') resolve(JSON.parse(stdout));
          else reject(new MockProblem(JSON.parse(stderr.trim().split('\n').at(-1) ?? '{}') as Refusal));
          void error;
        });
      }),
  };
}

function headers(response: ServerResponse): void {
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cache-Control', 'no-store');
}

function sendProblem(response: ServerResponse, error: unknown): void {
  const refusal: Refusal =
    error instanceof MockProblem
      ? error.refusal
      : { code: 'integrity', detail: error instanceof Error ? error.message : 'fault' };
  const { status, title } = refusals[refusal.code];
  response.writeHead(status, { 'Content-Type': 'application/problem+json' });
  response.end(JSON.stringify({ type: 'about:blank', title, status, ...refusal }));
}

type OpenFeed = (response: ServerResponse, after: number) => void;

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  mock: Mock,
  tokens: ConsoleServer['tokens'],
  openFeed: OpenFeed,
): Promise<void> {
  headers(response);
  const url = new URL(request.url ?? '/', 'http://mock');
  if (!url.pathname.startsWith('/api/')) return sendFile(response, url.pathname);
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  const role = (['viewer', 'reviewer', 'admin'] as const).find((each) => tokens[each] === given);
  if (role === undefined) throw new MockProblem({ code: 'unauthorized', detail: 'the token is missing or wrong' });
  if (url.pathname === '/api/events')
    return openFeed(response, Number(request.headers['last-event-id'] ?? mock.entries().length));
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const call: Call = {
    method: request.method ?? 'GET',
    url,
    body: Buffer.concat(chunks).toString('utf8'),
    role,
    headers: request.headers,
  };
  const answer: Answer = await routeOf(call, mock);
  response.writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers });
  response.end(answer.text);
}

function sendFile(response: ServerResponse, path: string): void {
  const file = join(root, 'dist', 'console', path === '/' ? 'index.html' : path);
  if (path.includes('..') || !existsSync(file)) throw new MockProblem({ code: 'not_found', detail: 'no such file' });
  response.writeHead(200, { 'Content-Type': types[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream' });
  response.end(readFileSync(file));
}

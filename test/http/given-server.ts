/** A server on loopback with a few plain endpoints, stopped after each test, and what it did. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { defaultSettings } from '../../src/http/core/limits.js';
import { integer, object, required, text } from '../../src/codec/kit.js';
import type { Actor } from '../../src/http/core/context.js';
import { bytes, endpoint, type Endpoint, json, jsonEndpoint } from '../../src/http/core/endpoint.js';
import { createLogger } from '../../src/http/log.js';
import { startHttp, type HttpOptions, type HttpServer } from '../../src/http/core/server.js';
import { until } from '../support/app/given-daemon.js';
import { operatorPolicy, type Tokens } from '../../src/http/operator/policy.js';

export const tokens = { admin: 'a'.repeat(43), reviewer: 'r'.repeat(43), viewer: 'v'.repeat(43) } as const;
const holders: ReadonlyMap<string, Actor> = new Map(
  (['admin', 'reviewer', 'viewer'] as const).map((role) => [tokens[role], { name: `${role}-one`, role, via: 'token' }]),
);
export const holderOf: Tokens = (bearer) => holders.get(bearer) ?? null;

export interface Given extends HttpServer {
  /** Bodies that reached a handler of a mutation, in order. */
  readonly work: string[];
  readonly log: () => readonly Readonly<Record<string, unknown>>[];
  readonly logText: () => string;
  readonly metrics: Registry;
}

const anyText = object('Said', { said: required(text({ max: 100 })) });

/** `/m` takes any bytes from anybody; the others say by their name what they are. */
export const plainEndpoints = (work: string[]): readonly Endpoint[] => [
  {
    method: 'POST',
    path: '/m',
    auth: 'public',
    summary: 'Takes any bytes',
    responses: { 200: { description: 'what came', type: 'application/octet-stream' } },
    answer: ({ state }) => {
      const body = state.body ?? Buffer.alloc(0);
      work.push(body.toString('latin1'));
      return bytes(200, 'application/octet-stream', body);
    },
  },
  endpoint({
    route: 'GET /open',
    auth: 'public',
    summary: 'Open to all',
    responses: { 200: { description: 'fine', body: object('Fine', { fine: required(integer(0, 1)) }) } },
    handle: () => json(200, { fine: 1 }),
  }),
  endpoint({
    route: 'GET /things/{id}',
    auth: 'viewer',
    summary: 'One thing',
    params: object('ThingParams', { id: required(text({ max: 8 })) }),
    responses: { 200: { description: 'the thing', body: anyText } },
    handle: ({ params, actor }) => json(200, { said: `${params.id} for ${actor?.name}` }),
  }),
  jsonEndpoint({
    route: 'POST /things',
    auth: 'reviewer',
    summary: 'Makes a thing',
    body: anyText,
    responses: { 201: { description: 'made', body: anyText } },
    handle: ({ body }) => {
      work.push(body.said);
      return json(201, { said: body.said });
    },
  }),
  endpoint({
    route: 'DELETE /things/{id}',
    auth: 'admin',
    summary: 'Drops a thing',
    params: object('ThingParams', { id: required(text({ max: 8 })) }),
    responses: { 200: { description: 'what is gone', body: anyText } },
    handle: ({ params }) => {
      work.push(`-${params.id}`);
      return json(200, { said: params.id });
    },
  }),
  endpoint({
    route: 'GET /slow',
    auth: 'public',
    summary: 'Answers after 200 ms',
    responses: { 200: { description: 'fine', body: anyText } },
    handle: async () => {
      await sleep(200);
      return json(200, { said: 'at last' });
    },
  }),
];

const running: HttpServer[] = [];
afterEach(() => Promise.all(running.splice(0).map((server) => server.stop())));

export interface GivenOptions extends Partial<HttpOptions> {
  readonly tokens?: Tokens;
}

/** Host `x` is allowed, and the loopback names. */
export async function givenServer(
  { tokens: known, limits, ...options }: GivenOptions = {},
  more: readonly Endpoint[] = [],
): Promise<Given> {
  const work: string[] = [];
  const lines: string[] = [];
  const metrics = new Registry();
  const server = await startHttp({
    endpoints: [...plainEndpoints(work), ...more],
    host: '127.0.0.1',
    port: 0,
    policy: operatorPolicy({
      onAnswered: () => undefined,
      origin: () => '',
      allowedHosts: ['x'],
      tokens: known ?? holderOf,
    }),
    logger: createLogger('info', { write: (line) => void lines.push(line) }),
    metrics,
    checkReplies: true,
    // `/m` is open to all and takes large bodies.
    limits: { http_public_body_bytes_max: defaultSettings.http_body_bytes_max, ...limits },
    ...options,
  });
  running.push(server);
  const log = (): readonly Readonly<Record<string, unknown>>[] =>
    lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { ...server, work, metrics, log, logText: () => lines.join('') };
}

/** Waits until the server has so many connections. */
export const connected = ({ metrics }: Given, count: number): Promise<void> =>
  until(async () => (await metrics.metrics()).includes(`\nagent_http_connections ${count}\n`), `${count} connections`);

/** A scripted OpenAI-compatible server on a real socket: each test says what it responds, byte by byte where it matters. */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';
import { listening } from '../listening.js';
import { packageRoot } from '../package-root.js';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Script = (response: ServerResponse, seen: Seen) => void;

export interface ProviderScript {
  /** The response to a request for a completion. */
  readonly chat?: Script;
  /** The response to a request for the list of models. */
  readonly models?: Script;
  /** Serves https with the certificate for this name. */
  readonly certificate?: 'localhost' | 'other.example';
}

export interface ScriptedProvider {
  readonly url: string;
  readonly port: number;
  readonly seen: Seen[];
}

export const certificateOf = (name: string, part: 'cert' | 'key'): string =>
  readFileSync(join(packageRoot(import.meta.url), 'test', 'vectors', 'tls', `${name}.${part}.pem`), 'utf8');

const json = (response: ServerResponse, status: number, value: unknown): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

/** A response with this status and a body that no failure may repeat. */
export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Script =>
  (response) =>
    void response.writeHead(code, headers).end('{"error":{"message":"UNREPEATED"}}');

export const lists =
  (...ids: string[]): Script =>
  (response) =>
    json(response, 200, { object: 'list', data: ids.map((id) => ({ id, object: 'model', owned_by: 'test' })) });

/** A completion with this content; `changes` replaces members of the response or of its choice. */
export const completion =
  (
    content: string | null,
    changes: Readonly<Record<string, unknown>> = {},
    choice: Readonly<Record<string, unknown>> = {},
  ): Script =>
  (response) =>
    json(response, 200, {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'small-2026-01',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content }, ...choice }],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, prompt_tokens_details: { cached_tokens: 0 } },
      ...changes,
    });

/** A completion whose content is this value in JSON. */
export const answers = (value: unknown): Script => completion(JSON.stringify(value));

/** Bytes as they are, with status 200. */
export const raw =
  (body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Script =>
  (response) =>
    void response.writeHead(200, headers).end(body);

/** Bytes in place of a whole response. */
export const bare =
  (bytes: string): Script =>
  (response) =>
    void response.socket?.end(bytes);

/** Sends a byte every `ms` until the client leaves. */
export const drips =
  (ms: number): Script =>
  (response) => {
    const timer = setInterval(() => response.write(' '), ms);
    response.on('close', () => clearInterval(timer));
  };

/** Serves a script until it is closed. */
export async function startProvider(script: ProviderScript): Promise<ScriptedProvider & { readonly close: () => Promise<void> }> {
  const { chat = status(500), models = lists('small'), certificate } = script;
  const seen: Seen[] = [];
  const listener: Parameters<typeof createServer>[1] = (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const one = { method, path, headers, body: Buffer.concat(parts).toString('utf8') };
      seen.push(one);
      if (path === '/v1/models') models(response, one);
      else if (path === '/v1/chat/completions') chat(response, one);
      else response.writeHead(404).end();
    });
  };
  const server =
    certificate === undefined
      ? createServer(listener)
      : createSecureServer({ key: certificateOf(certificate, 'key'), cert: certificateOf(certificate, 'cert') }, listener);
  server.on('tlsClientError', () => undefined);
  const { port, close } = await listening(server);
  return { url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}/v1`, port, seen, close };
}

/** Serves a script while `use` runs. */
export async function withProvider<A>(script: ProviderScript, use: (provider: ScriptedProvider) => Promise<A>): Promise<A> {
  const { close, ...provider } = await startProvider(script);
  try {
    return await use(provider);
  } finally {
    await close();
  }
}

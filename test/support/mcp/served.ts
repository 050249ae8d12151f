/** A daemon that serves assistants, and what a person does beside it on the command line. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { homeScratch, program, type Scratch } from '../cli/cli-run.js';
import { listening } from '../listening.js';
import { packageRoot } from '../package-root.js';

export interface Served {
  readonly place: Scratch;
  /** Where POST /mcp is. */
  readonly url: string;
  /** A token of the role agent. */
  readonly token: string;
  /** The same through a proxy that adds the token. */
  readonly open: string;
  /** Executes a mission and approves its result, as a person does. */
  readonly approve: (id: string) => void;
  readonly stop: () => Promise<void>;
}

/** Months of sales, a row each, as a person's spreadsheet has them. */
export const salesCsv = readFileSync(join(packageRoot(import.meta.url), 'test', 'vectors', 'mcp', 'sales.csv'), 'utf8');

export async function served(): Promise<Served> {
  const place = homeScratch();
  const token = String(place.json('token', 'create', 'helper', '--role', 'agent')['token']);
  const args = [program, 'serve', '--mcp', '--port', '0', '--no-simulation', '--json'];
  const daemon = spawn(process.execPath, args, { cwd: place.directory, env: place.env, stdio: ['ignore', 'pipe', 'ignore'] });
  const lines = createInterface({ input: daemon.stdout });
  const [line] = (await once(lines, 'line')) as [string];
  const { mcp } = JSON.parse(line) as { readonly mcp: string };
  const proxy = await tokenProxy(Number(new URL(mcp).port), token);
  return {
    place,
    url: mcp,
    token,
    open: proxy.url,
    approve: (id) => approve(place, id),
    stop: async () => {
      await proxy.stop();
      const ended = once(daemon, 'exit');
      daemon.kill('SIGTERM');
      await ended;
      place.remove();
    },
  };
}

export function approve(place: Scratch, id: string): void {
  place.json('execute', id);
  const { revision, result_hash } = place.json('show', id);
  const decision = ['--approve', '--note', 'Checked.', '--revision', String(revision), '--result-hash', String(result_hash)];
  place.json('review', id, ...decision);
}

/**
 * A proxy that adds an access token and passes everything else on as it is, Host and Origin included: the tools of the protocol's authors send
 * none to a server that names no authorization server.
 */
async function tokenProxy(port: number, token: string) {
  const server = createServer((asked, answer) => {
    const parts: Buffer[] = [];
    asked.on('data', (part: Buffer) => parts.push(part));
    asked.on('end', () => {
      const body = Buffer.concat(parts);
      const { 'transfer-encoding': _, ...fields } = asked.headers;
      const length = asked.method === 'GET' ? {} : { 'content-length': String(body.length) };
      const headers = { ...fields, ...length, authorization: `Bearer ${token}`, connection: 'close' };
      const passed = request({ port, host: '127.0.0.1', method: asked.method, path: asked.url, headers }, (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      });
      answer.on('close', () => passed.destroy());
      passed.on('error', () => answer.destroy());
      passed.end(body);
    });
  });
  const { port: own, close } = await listening(server);
  return { url: `http://127.0.0.1:${own}/mcp`, stop: close };
}

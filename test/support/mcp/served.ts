/** A daemon that serves assistants, and what a person does beside it on the command line. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { hostedScratch, program, type Scratch } from '../cli/cli-run.js';
import { packageRoot } from '../package-root.js';
import { tokenProxy } from './token-proxy.js';

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
  const place = hostedScratch();
  place.run('init');
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
      proxy.stop();
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

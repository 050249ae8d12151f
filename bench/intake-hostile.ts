/** `GET /healthz` while the daemon reads files that mean harm, beside the same daemon when it reads none. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { initHome } from '../src/app/home/init.js';
import { intake_part_bytes_max } from '../src/codec/api-intake.js';
import { createLogger } from '../src/http/log.js';
import { startServers } from '../src/http/start.js';
import { type HostileFile, hostileFiles } from '../test/intake/hostile.js';
import { world } from './journal-data.js';

export const name = 'intake-hostile';

const between_ms = 20;
const idle_ms = 5_000;

export async function run(print: (line: string) => void): Promise<void> {
  const base = mkdtempSync(path.join(tmpdir(), 'agent-bench-hostile-'));
  const directory = path.join(base, 'home');
  initHome(world(directory));
  const options = { host: '127.0.0.1', port: 0, allowedHosts: [], logger: createLogger('silent'), daemon: { executing_max: 1 } };
  const servers = await startServers(world(directory), options);
  const origin = `http://127.0.0.1:${servers.port}`;
  const authorization = `Bearer ${readFileSync(path.join(directory, 'api.token'), 'utf8').trim()}`;
  const post = async (at: string, body: unknown): Promise<Readonly<Record<string, unknown>>> => {
    const headers = { authorization, 'content-type': 'application/json' };
    const answer: unknown = await (await fetch(origin + at, { method: 'POST', headers, body: JSON.stringify(body) })).json();
    return answer as Readonly<Record<string, unknown>>;
  };
  try {
    const files = hostileFiles();
    print(`idle: ${await health(origin, sleep(idle_ms))}`);
    const read = async (): Promise<void> => {
      for (const file of files) await send(post, file);
    };
    print(`while ${files.length} files are read: ${await health(origin, read())}`);
  } finally {
    await servers.stop();
    rmSync(base, { recursive: true, force: true });
  }
}

type Post = (at: string, body: unknown) => Promise<Readonly<Record<string, unknown>>>;

async function send(post: Post, { name: file, kind, bytes }: HostileFile): Promise<void> {
  const { draft } = await post('/api/intake', { files: [{ name: file, bytes: bytes.length }] });
  for (let at = 0; at < bytes.length; at += intake_part_bytes_max) {
    const data = bytes.subarray(at, at + intake_part_bytes_max).toString('base64');
    await post(`/api/intake/${String(draft)}/parts`, { file: 0, at, data });
  }
  const { outcome } = await post(`/api/intake/${String(draft)}`, { kind });
  if (outcome !== 'invalid') throw new Error(`${file} is ${String(outcome)}`);
}

/** Asks for /healthz until the work is done. */
async function health(origin: string, work: Promise<unknown>): Promise<string> {
  const state = { isDone: false };
  const done = work.finally(() => (state.isDone = true));
  const times: number[] = [];
  while (!state.isDone) {
    const began = performance.now();
    await (await fetch(`${origin}/healthz`)).arrayBuffer();
    times.push(performance.now() - began);
    await sleep(between_ms);
  }
  await done;
  const at = (share: number): string => (times.toSorted((a, b) => a - b)[Math.floor(share * (times.length - 1))] ?? 0).toFixed(1);
  return `median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms of ${times.length}`;
}

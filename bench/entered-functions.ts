/**
 * How many of the program's own functions one `POST /api/missions` enters, and in how many files: V8's precise coverage, taken around single requests to a daemon
 * that has served such requests before. A function counts once, however often it is called; packages and Node's own code do not count. Of several
 * requests the one with the fewest is printed, because timers of the daemon may run during the others.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Session, type Profiler } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { initHome } from '../src/app/home/init.js';
import { createLogger } from '../src/http/log.js';
import { startServers } from '../src/http/start.js';
import { world } from './journal-data.js';
import { root } from './start.js';

export const name = 'entered-functions';

const warming_requests = 50;
const requests = 60;
const after_ms = 30;
const mission = JSON.stringify({
  goal: 'When is high water?',
  seed: 1,
  work: { kind: 'forecast', observations: Array.from({ length: 36 }, (_, i) => 100 + i) },
});

/** A function of the program, with its module and the room of that. */
interface Entered {
  readonly module: string;
  readonly room: string;
  readonly name: string;
}

export async function run(print: (line: string) => void): Promise<void> {
  const base = mkdtempSync(path.join(tmpdir(), 'agent-bench-entered-'));
  try {
    const directory = path.join(base, 'home');
    initHome(world(directory));
    const servers = await startServers(world(directory), {
      host: '127.0.0.1',
      port: 0,
      allowedHosts: [],
      logger: createLogger('silent'),
      daemon: { executing_max: 1 },
    });
    try {
      const token = readFileSync(path.join(directory, 'api.token'), 'utf8').trim();
      report(await fewest(`http://127.0.0.1:${servers.port}/api/missions`, token), print);
    } finally {
      await servers.stop();
    }
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

async function post(url: string, token: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: mission });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`POST /api/missions: ${response.status} ${text}`);
}

async function fewest(url: string, token: string): Promise<readonly Entered[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  for (let k = 0; k < warming_requests; k++) await post(url, token);
  let best: readonly Entered[] | null = null;
  for (let k = 0; k < requests; k++) {
    // What follows the request before is over by then. Taking the coverage sets the counts back.
    await setTimeout(after_ms);
    await session.post('Profiler.takePreciseCoverage');
    await post(url, token);
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const entered = result.flatMap(enteredOf);
    if (best === null || entered.length < best.length) best = entered;
  }
  session.disconnect();
  return best ?? [];
}

function enteredOf({ url, functions }: Profiler.ScriptCoverage): Entered[] {
  const prefix = `${pathToFileURL(path.join(root, 'dist', 'src')).href}/`;
  if (!url.startsWith(prefix)) return [];
  const module = url.slice(prefix.length);
  const depth = module.startsWith('app/') || module.startsWith('http/') ? 2 : 1;
  const room = module.split('/').slice(0, depth).join('/');
  return functions
    .filter(({ functionName, ranges: [whole] }) => functionName !== '' && whole !== undefined && whole.count > 0)
    .map(({ functionName }) => ({ module, room, name: functionName }));
}

function report(entered: readonly Entered[], print: (line: string) => void): void {
  const files = new Set(entered.map(({ module }) => module));
  print(`POST /api/missions enters ${entered.length} functions in ${files.size} files`);
  const byRoom = new Map<string, number>();
  for (const { room } of entered) byRoom.set(room, (byRoom.get(room) ?? 0) + 1);
  for (const [room, count] of [...byRoom].toSorted(([, a], [, b]) => b - a)) print(`${String(count).padStart(6)}  ${room}`);
  if (process.env['BENCH_LIST'] === '1') for (const { module, name: entry } of entered) print(`        ${module} ${entry}`);
}

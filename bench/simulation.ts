/**
 * The simulation: the search at four sizes on one core, engine alone, and the default request from end to end (recorded, computed
 * on its thread, recorded again). Each size is timed as the first run of a process, compilation included, and then warm.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openHome } from '../src/app/home/open.js';
import type { World } from '../src/app/home/home.js';
import { initHome } from '../src/app/home/init.js';
import { executeRun } from '../src/app/simulation/runs/execute.js';
import { requestRun } from '../src/app/simulation/runs/runs.js';
import { unwrap } from '../src/base/refusal.js';
import { decode } from '../src/codec/kit.js';
import { settled, simulationInput, type SimulationRequest } from '../src/codec/simulation.js';
import { simulate } from '../src/engines/simulation/engine.js';

export const name = 'simulation';

const sizes = [
  [50, 50],
  [200, 100],
  [1000, 100],
  [10_000, 10],
] as const;
const whole_runs = 20;

const requestOf = (document: unknown): SimulationRequest => settled(unwrap(decode(simulationInput, document)), 42);
const sized = (pop_size: number, generations: number): SimulationRequest => requestOf({ pop_size, generations, entropy: 2 });

export async function run(print: (line: string) => void): Promise<void> {
  print('6 sectors, 5 years; milliseconds on one core');
  print('individuals × generations   first run of a process   warm, best of 3');
  for (const [pop_size, generations] of sizes) {
    const warm = Math.min(...[1, 2, 3].map(() => timed(sized(pop_size, generations))));
    const label = `${pop_size} × ${generations}`;
    print(`${label.padEnd(27)} ${first(pop_size, generations).toFixed(0).padStart(22)}   ${warm.toFixed(0).padStart(15)}`);
  }
  const large = requestOf({
    horizon: 200,
    num_sectors: 1000,
    pop_size: 100,
    generations: 50,
    curve: 'linear',
    entropy: 2,
    energy: 0.5,
  });
  print(`1000 sectors, 200 years, 100 × 50: ${timed(large).toFixed(0)} ms`);
  print('');
  const times = await wholeRuns();
  print(`the default request, from its event to the event of its outcome, ${whole_runs} times: ${spread(times)}`);
}

function timed(request: SimulationRequest): number {
  const from = performance.now();
  simulate(request, ['main'], { checkpoint: () => undefined });
  return performance.now() - from;
}

const self = fileURLToPath(import.meta.url);

function first(pop_size: number, generations: number): number {
  const script = `import(${JSON.stringify(self)}).then((bench) => bench.timeHere(${pop_size}, ${generations}))`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return Number.parseFloat(stdout);
}

/** Prints the milliseconds of one search. Runs in a process that does nothing else. */
export function timeHere(pop_size: number, generations: number): void {
  console.log(timed(sized(pop_size, generations)));
}

async function wholeRuns(): Promise<number[]> {
  const root = mkdtempSync(join(tmpdir(), 'bench-simulation-'));
  const directory = join(root, 'home');
  const world: World = { env: { AGENT_WITNESS: join(root, 'witness') }, clock: Date.now, directory };
  initHome(world);
  const home = openHome(world);
  try {
    const times: number[] = [];
    for (let i = 0; i < whole_runs; i++) {
      const from = performance.now();
      const { id } = await requestRun(home, { request: requestOf({}), runner: 'command', actor: 'operator' });
      await executeRun(home, id, { actor: 'operator' });
      times.push(performance.now() - from);
    }
    return times;
  } finally {
    home.close();
    rmSync(root, { recursive: true });
  }
}

function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.round(share * (sorted.length - 1))] ?? 0).toFixed(0);
  return `median ${at(0.5)} ms, ${at(0)} to ${at(1)} ms`;
}

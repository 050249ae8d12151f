/**
 * The evolution on the problems of Zitzler, Deb and Thiele, and two of Deb, Thiele, Laumanns and Zitzler: hypervolume and convergence over 31 seeds compared with the goals,
 * then CPU time on ZDT1 with 30 variables compared with pagmo 2 (C++) and DEAP (Python), where their Debian packages are
 * installed. Every timed run is the first one of its process, as for a mission, so it includes the compilation of the code.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newFronts, rankFronts } from '../src/engines/evolution/fronts.js';
import { hypervolume } from '../src/engines/evolution/hypervolume.js';
import { prng } from '../src/base/prng.js';
import type { Problem } from '../src/engines/evolution/problem.js';
import { convergence, dtlz1, dtlz2, evolve, normalised, type Zdt, zdt1, zdts } from '../test/engines/evolution-problems.js';

export const name = 'engines-evolution';

const seeds = Array.from({ length: 31 }, (_, i) => i + 1);
/** The reference point, as a share of the true front's nadir: beyond it, so that the ends of the front count. */
const beyond_nadir = 1.1;
/** What the hypervolume of a front without its ends grows by when the reference moves from the nadir to there. */
const grown = beyond_nadir * beyond_nadir - 1;
const reach: Readonly<Record<string, number>> = { ZDT1: 0.659, ZDT2: 0.326, ZDT3: 0.514, ZDT4: 0.655, ZDT6: 0.389 };
/** The seeds for which ends of ZDT3's front are counted; its last segment begins beyond this first objective. */
const segment_seeds = 200;
const last_segment = 0.8;
const convergence_reach = 0.01;
const timed_runs = 3;

interface Size {
  readonly population: number;
  readonly generations: number;
  /** The factor by which the run is to be faster than each peer; null without a goal. */
  readonly pagmo: number;
  readonly deap: number | null;
}

const sizes: readonly Size[] = [
  { population: 100, generations: 250, pagmo: 1, deap: null },
  { population: 1000, generations: 100, pagmo: 8, deap: 5 },
  { population: 10_000, generations: 10, pagmo: 40, deap: 5 },
];

export async function run(print: (line: string) => void): Promise<void> {
  print(
    '100 individuals, 250 generations, 31 seeds; hypervolume with reference 1.1 nadir, objectives as shares of the true front',
  );
  print('         hypervolume                        convergence Υ');
  print('problem  reach   mean     worst    reached  reach   mean     worst    reached');
  for (const zdt of zdts()) {
    print(quality(zdt));
    await Promise.resolve();
  }
  for (const [label, problem, nadir, below] of [
    ['DTLZ1', dtlz1(), 0.5, 1 / 6],
    ['DTLZ2', dtlz2(12), 1, Math.PI / 6],
  ] as const)
    print(solid(label, problem, nadir, beyond_nadir ** 3 - below));
  print(`ZDT3: without the last segment of the front in ${segmentsLost()} of ${segment_seeds} seeds`);
  print('');
  print(`non-dominated sort of 20000 mutually non-dominated points, 3 objectives: ${sortMilliseconds().toFixed(1)} ms`);
  print('');
  print(`ZDT1, 30 variables: CPU seconds, mean and worst of ${timed_runs} runs, each in a new process`);
  const folder = mkdtempSync(join(tmpdir(), 'engines-evolution-'));
  try {
    const pagmo = pagmoIn(folder);
    const deap = deapHere();
    for (const size of sizes) printTimes(print, size, pagmo, deap);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function quality(zdt: Zdt): string {
  const fronts = seeds.map((seed) => evolve(zdt.problem, { population: 100, generations: 250, seed }).objectives);
  const volumes = fronts.map((front) => hypervolume(normalised(front, zdt), [beyond_nadir, beyond_nadir]));
  const distances = fronts.map((front) => convergence(front, zdt.front));
  const least = Number(((reach[zdt.name] ?? 0) + grown).toFixed(3));
  const cells = [
    zdt.name,
    `≥ ${least}`,
    mean(volumes).toFixed(5),
    Math.min(...volumes).toFixed(5),
    yes(mean(volumes) >= least),
    `< ${convergence_reach}`,
    mean(distances).toFixed(5),
    Math.max(...distances).toFixed(5),
    yes(mean(distances) < convergence_reach),
  ];
  return cells
    .map((cell, i) => cell.padEnd(i === 1 || i === 5 ? 8 : 9))
    .join('')
    .trimEnd();
}

/** Returns the hypervolume in three objectives beside that of the true front. */
function solid(label: string, problem: Problem, nadir: number, most: number): string {
  const volumes = seeds.map((seed) => {
    const { objectives } = evolve(problem, { population: 100, generations: 250, seed });
    return hypervolume(
      objectives.map((value) => value / nadir),
      [beyond_nadir, beyond_nadir, beyond_nadir],
    );
  });
  return `${label}    mean ${mean(volumes).toFixed(4)}, worst ${Math.min(...volumes).toFixed(4)} of ${most.toFixed(4)}`;
}

function segmentsLost(): number {
  const zdt3 = zdts().find((zdt) => zdt.name === 'ZDT3');
  if (zdt3 === undefined) return 0;
  const isLost = (seed: number): boolean => {
    const { objectives } = evolve(zdt3.problem, { population: 100, generations: 250, seed });
    return objectives.every((value, i) => i % 2 === 1 || value < last_segment);
  };
  return Array.from({ length: segment_seeds }, (_, i) => i + 1).filter(isLost).length;
}

/** Sorts points of the unit sphere's first octant. Returns the best time of a few sorts, in ms. */
function sortMilliseconds(): number {
  const n = 20_000;
  const random = prng(1);
  const points = new Float64Array(3 * n);
  for (let i = 0; i < 3 * n; i += 3) {
    const row = [random.unit(), random.unit(), random.unit()];
    const length = Math.sqrt(row.reduce((sum, x) => sum + x * x, 0));
    for (const [k, x] of row.entries()) points[i + k] = x / length;
  }
  const fronts = newFronts(n, 3);
  const times = Array.from({ length: 5 }, () => {
    const from = performance.now();
    rankFronts(fronts, points, n, 3);
    return performance.now() - from;
  });
  return Math.min(...times);
}

/** Returns the CPU seconds of one run with one seed, in a process of its own. */
type Timed = (size: Size, seed: number) => number;

const self = fileURLToPath(import.meta.url);

const ours: Timed = (size, seed) => {
  const script = `import(${JSON.stringify(self)}).then((bench) => bench.timeHere(${size.population}, ${size.generations}, ${seed}))`;
  return secondsOf(process.execPath, ['--input-type=module', '--eval', script]);
};

/**
 * Prints the CPU seconds of one evolution, those of the compiler's threads included. Runs in a process that does nothing else.
 */
export function timeHere(population: number, generations: number, seed: number): void {
  const problem = zdt1(30);
  const from = process.cpuUsage();
  evolve(problem, { population, generations, seed });
  const { user, system } = process.cpuUsage(from);
  console.log((user + system) / 1e6);
}

function secondsOf(command: string, args: readonly string[]): number {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}: ${stderr}`);
  return Number.parseFloat(stdout);
}

const sourceOf = (file: string): string => join('bench', 'peers', file);
const argumentsOf = (size: Size, seed: number): string[] => [size.population, size.generations, seed].map(String);

/** Builds the C++ program. Returns null when compiler or library are missing. */
function pagmoIn(folder: string): Timed | null {
  const program = join(folder, 'nsga2-pagmo');
  const flags = ['-std=c++17', '-O2', '-o', program, sourceOf('nsga2-pagmo.cpp'), '-lpagmo', '-ltbb', '-lpthread'];
  if (spawnSync('g++', flags).status !== 0) return null;
  return (size, seed) => secondsOf(program, argumentsOf(size, seed));
}

/** Returns Debian's own Python, which has Debian's packages, or the first on the path. */
function deapHere(): Timed | null {
  const found = ['/usr/bin/python3', 'python3'].find((python) => spawnSync(python, ['-c', 'import deap']).status === 0);
  if (found === undefined) return null;
  return (size, seed) => secondsOf(found, [sourceOf('nsga2-deap.py'), ...argumentsOf(size, seed)]);
}

function printTimes(print: (line: string) => void, size: Size, pagmo: Timed | null, deap: Timed | null): void {
  const runs = Array.from({ length: timed_runs }, (_, i) => i + 1);
  const own = runs.map((seed) => ours(size, seed));
  print(`${size.population} × ${size.generations}`);
  print(`  ours   ${mean(own).toFixed(3)}  ${Math.max(...own).toFixed(3)}`);
  // pagmo's sort is quadratic: it takes half a minute for the largest size.
  const fewer = size.population > 1000 ? [1] : runs;
  for (const [peer, timed, factor, seeds] of [
    ['pagmo', pagmo, size.pagmo, fewer],
    ['DEAP ', deap, size.deap, runs],
  ] as const) {
    if (timed === null) {
      print(`  ${peer}  not installed (libpagmo-dev and g++; python3-deap)`);
      continue;
    }
    const times = seeds.map((seed) => timed(size, seed));
    const faster = mean(times) / mean(own);
    const aim = factor === null ? 'nothing asked' : `reach ≥ ${factor}: ${yes(faster >= factor)}`;
    print(
      `  ${peer}  ${mean(times).toFixed(3)}  ${Math.max(...times).toFixed(3)}  ours ${faster.toFixed(2)} times as fast, ${aim}`,
    );
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const yes = (reached: boolean): string => (reached ? 'yes' : 'NO');

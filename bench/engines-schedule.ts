/**
 * The schedule engine at the default effort: published job shops (OR-Library: nine in test/vectors/jobshop, eleven harder ones in
 * ../shared/data when it is there; Taillard's generator) against the best known makespans; generated shops against ten times the
 * effort; 40 jobs on one machine with weighted tardiness; and the largest shops that a mission may have. Every result is
 * verified. BENCH_SHOPS names the sections to run, all by default.
 */
import * as fs from 'node:fs';
import { prng } from '../src/base/prng.js';
import { unwrap } from '../src/base/refusal.js';
import type { EngineInput } from '../src/engines/engine.js';
import { scheduleEngine } from '../src/kinds/schedule/engine/engine.js';
import type { ScheduleResult } from '../src/kinds/schedule/result.js';
import { verifySchedule } from '../src/kinds/schedule/verify/verify.js';
import type { ScheduleWork } from '../src/kinds/schedule/work.js';
import { taillardInstances, taillardRows } from './taillard.js';

export const name = 'engines-schedule';

const default_evaluations = 10_000;
const harder = '../shared/data/jobshop/harder.json';

interface Instance {
  readonly name: string;
  readonly rows: readonly (readonly number[])[];
  readonly best?: number;
  readonly optimum?: number;
}

interface Timed {
  readonly result: ScheduleResult;
  readonly seconds: number;
  readonly verify_seconds: number;
}

type Print = (line: string) => void;

const sections: Readonly<Record<string, (print: Print) => void>> = {
  given: (print) => published(print, 'nine of OR-Library', read('test/vectors/jobshop/instances.json'), [1, 2, 3]),
  harder: (print) => {
    if (fs.existsSync(harder)) published(print, 'eleven harder ones of OR-Library', read(harder), [1]);
    else print(`${harder} is missing: the eleven harder shops are not measured`);
  },
  taillard: (print) => {
    const shops = taillardInstances.map((instance) => ({ ...instance, rows: taillardRows(instance) }));
    published(print, "Taillard's 15 × 15", shops, [1]);
  },
  generated,
  tardiness,
  limits,
};

export async function run(print: Print): Promise<void> {
  const names = process.env['BENCH_SHOPS']?.split(',') ?? Object.keys(sections);
  for (const section of names) {
    sections[section]?.(print);
    print('');
    await Promise.resolve();
  }
}

const read = (file: string): readonly Instance[] => JSON.parse(fs.readFileSync(file, 'utf8')) as readonly Instance[];

function published(print: Print, title: string, shops: readonly Instance[], seeds: readonly number[]): void {
  print(`${title}: gap to the best known makespan, lower bound`);
  const gaps: number[] = [];
  let proven = 0;
  for (const instance of shops) {
    const best = instance.best ?? instance.optimum ?? 0;
    const runs = seeds.map((seed) => solve(workOf(instance.rows), seed, default_evaluations));
    const values = runs.map((one) => one.result.makespan);
    const bounds = runs.map((one) => one.result.lower_bound);
    const gap = mean(values) / best - 1;
    gaps.push(gap);
    if (runs.every(({ result }) => result.optimality_proven === 'bound')) proven++;
    print(`${instance.name}: ${values.join(', ')} of ${best} (${percent(gap)}), bound ${bounds.join(', ')}, ${times(runs)}`);
  }
  print(`mean gap ${percent(mean(gaps))}, proven ${proven} of ${shops.length}`);
}

/** Three shops of 20 jobs on 15 machines, and the best of them with ten times the effort. */
function generated(print: Print): void {
  print('generated shops, 20 jobs on 15 machines: gap to the best found with ten times the effort');
  const gaps = [1, 2, 3].map((k) => {
    const work = workOf(taillardRows({ jobs: 20, machines: 15, timeSeed: 1_000_003 * k, machineSeed: 2_000_003 * k }));
    const once = solve(work, 1, default_evaluations);
    const more = solve(work, 2, 10 * default_evaluations);
    const best = Math.min(once.result.makespan, more.result.makespan);
    const gap = once.result.makespan / best - 1;
    print(`${k}: ${once.result.makespan} of ${best} (${percent(gap)}), bound ${once.result.lower_bound}, ${times([once])}`);
    return gap;
  });
  print(`mean gap ${percent(mean(gaps))}`);
}

/** Jobs of 1 to 99 units on one machine, due within the time that all of them take. */
function tardiness(print: Print): void {
  print('weighted tardiness, 40 jobs on one machine');
  for (const seed of [1, 2, 3]) {
    const random = prng(seed, 40);
    const durations = Array.from({ length: 40 }, () => 1 + random.below(99));
    const all = durations.reduce((sum, duration) => sum + duration, 0);
    const jobs = durations.map((duration, j) => ({
      id: `j${j}`,
      operations: [{ machine: 'm', duration }],
      release: 0,
      due: random.below(all),
      weight: 1 + random.below(9),
    }));
    const one = solve({ kind: 'schedule', jobs, objective: 'weighted_tardiness', unit: 'minutes' }, 1, default_evaluations);
    print(`${seed}: ${one.result.tardiness}, bound ${one.result.lower_bound} (${percent(one.result.gap)}), ${times([one])}`);
  }
}

function limits(print: Print): void {
  print('200 jobs × 20 operations on 20 machines');
  for (const objective of ['makespan', 'weighted_tardiness'] as const) {
    const one = solve(largest(objective), 1, default_evaluations);
    const value = objective === 'makespan' ? one.result.makespan : one.result.tardiness;
    print(`${objective}: ${value}, bound ${one.result.lower_bound}, ${one.result.iterations} iterations, ${times([one])}`);
  }
}

function solve(work: ScheduleWork, seed: number, max_evaluations: number): Timed {
  const input: EngineInput<ScheduleWork> = {
    goal: 'bench',
    work,
    seed,
    population: 20,
    generations: 12,
    effort: { max_evaluations },
    warm_start: null,
  };
  const from = process.cpuUsage().user;
  const { result } = unwrap(scheduleEngine.run(input, () => {}));
  const solved = process.cpuUsage().user;
  const { failure } = verifySchedule(input, result);
  if (failure !== null) throw new Error(`the verifier refuses the result: ${failure}`);
  return { result, seconds: (solved - from) / 1e6, verify_seconds: (process.cpuUsage().user - solved) / 1e6 };
}

function workOf(rows: Instance['rows']): ScheduleWork {
  const jobs = rows.map((cells, j) => ({
    id: `job-${j}`,
    operations: Array.from({ length: cells.length / 2 }, (_, k) => ({
      machine: `m${cells[2 * k]}`,
      duration: cells[2 * k + 1] ?? 1,
    })),
    release: 0,
    weight: 1,
  }));
  return { kind: 'schedule', jobs, objective: 'makespan', unit: 'minutes' };
}

/** A shop at the limits of a mission: random machine orders, durations 1 to 99, due dates at three times the work. */
function largest(objective: ScheduleWork['objective']): ScheduleWork {
  const random = prng(1);
  const jobs = Array.from({ length: 200 }, (_, j) => {
    const machines = Array.from({ length: 20 }, (_, m) => m);
    for (let i = machines.length - 1; i > 0; i--) {
      const k = random.below(i + 1);
      [machines[i], machines[k]] = [machines[k] ?? 0, machines[i] ?? 0];
    }
    const operations = machines.map((m) => ({ machine: `m${m}`, duration: 1 + random.below(99) }));
    const due = 3 * operations.reduce((sum, operation) => sum + operation.duration, 0);
    return { id: `job-${j}`, operations, release: random.below(500), due, weight: 1 + random.below(9) };
  });
  return { kind: 'schedule', jobs, objective, unit: 'minutes' };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;
const times = (runs: readonly Timed[]): string =>
  `${mean(runs.map((one) => one.seconds)).toFixed(1)} s, verified in ${Math.max(...runs.map((one) => one.verify_seconds)).toFixed(2)} s`;

/**
 * The schedule engine on published job shops (OR-Library, test/vectors/jobshop; Taillard's generator) at the default effort:
 * best, mean and worst of three seeds compared with the published optimum; then shops at the limits, with a hundredth of the
 * effort.
 */
import * as fs from 'node:fs';
import { unwrap } from '../src/base/result.js';
import { prng } from '../src/base/prng.js';
import type { ScheduleWork } from '../src/kinds/schedule/work.js';
import { scheduleEngine } from '../src/kinds/schedule/engine/engine.js';
import { taillardInstances, taillardRows } from './taillard.js';
import type { ScheduleResult } from '../src/kinds/schedule/result.js';

export const name = 'engines-schedule';

const seeds = [1, 2, 3];
const default_evaluations = 10_000;
const limit_evaluations = 100;

interface Instance {
  readonly name: string;
  readonly rows: readonly (readonly number[])[];
  readonly optimum: number;
}

interface Timed {
  readonly result: ScheduleResult;
  readonly seconds: number;
}

export async function run(print: (line: string) => void): Promise<void> {
  const library = JSON.parse(fs.readFileSync('test/vectors/jobshop/instances.json', 'utf8')) as Instance[];
  const generated = taillardInstances.map((instance) => ({ ...instance, rows: taillardRows(instance) }));
  print('instance  optimum  best     mean     worst    worst gap  seconds (mean)');
  for (const instance of [...library, ...generated]) {
    const runs = seeds.map((seed) => solve(workOf(instance), seed, default_evaluations));
    const values = runs.map((one) => one.result.makespan);
    const worst = Math.max(...values);
    const gap = (100 * (worst - instance.optimum)) / instance.optimum;
    const cells = [instance.name, instance.optimum, Math.min(...values), mean(values).toFixed(1), worst, `${gap.toFixed(2)} %`];
    print(`${row(cells)}${mean(runs.map((one) => one.seconds)).toFixed(2)}`);
    await Promise.resolve();
  }
  print('');
  print('200 jobs × 20 operations on 20 machines, a hundredth of the default effort');
  for (const objective of ['makespan', 'weighted_tardiness'] as const) {
    const { result, seconds } = solve(largest(objective), 1, limit_evaluations);
    const value = objective === 'makespan' ? result.makespan : result.tardiness;
    print(`${objective}: ${value}, bound ${result.lower_bound}, ${result.iterations} iterations, ${seconds.toFixed(2)} s`);
  }
}

function solve(work: ScheduleWork, seed: number, evaluations: number): Timed {
  const effort = { max_evaluations: evaluations };
  const from = performance.now();
  const answer = unwrap(
    scheduleEngine.run({ goal: 'bench', work, seed, population: 20, generations: 12, effort, warm_start: null }, () => {}),
  );
  return { result: answer.result, seconds: (performance.now() - from) / 1000 };
}

function workOf(instance: Instance): ScheduleWork {
  const jobs = instance.rows.map((cells, j) => ({
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
const row = (cells: readonly (string | number)[]): string =>
  cells.map((cell, i) => String(cell).padEnd(i === 0 ? 10 : 9)).join('');

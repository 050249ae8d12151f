/**
 * Computes the mean forecast over many runs. A run's forecast follows from its signed request. The work is split into short pieces, so that it
 * does not block other requests.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { RefusalError } from '../../base/refusal.js';
import { insight_curves_max } from '../../base/limits.js';
import type { Insight, InsightCurve, InsightEntry } from '../../codec/api-simulation.js';
import { isRunId } from '../../codec/simulation.js';
import type { SimulationRun } from '../../domain/simulation.js';
import { listRuns, newestSucceeded, readRun } from '../../tables/simulations.js';
import type { Db } from '../../store/database.js';
import { capabilityOf } from '../../engines/simulation/engine.js';
import { storedRun } from './runs/stored.js';

/** Time to work on an insight before other requests are served. */
const insight_work_ms_max = 4;

/** Returns the run that succeeded last, or null. */
export const newestRun = (db: Db): SimulationRun | null => newestSucceeded(db);

/** Runs on a page: each is compared with its entries at first, which takes longer than reading its row. */
const page_runs = 50;

interface InsightOptions {
  readonly curves?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Returns the mean over the named runs, each counted once, or over all if `ids` is null or empty. Unknown runs and runs without results are
 * skipped. `curves` adds the forecasts of the first of these runs.
 * @throws RefusalError `not_found` if no run is left, and `interrupted` when the signal aborts
 */
export async function insightOf(
  db: Db,
  ids: readonly string[] | null,
  { curves = false, signal }: InsightOptions = {},
): Promise<Insight> {
  const sums: Sum[] = [];
  const single: InsightCurve[] = [];
  let began = performance.now();
  for (const run of ids === null || ids.length === 0 ? allSucceeded(db) : named(db, ids)) {
    const capability = capabilityOf(storedRun(db, run).request);
    add(sums, capability);
    if (curves && single.length < insight_curves_max) single.push({ id: run.id, capability });
    if (performance.now() - began < insight_work_ms_max) continue;
    await nextTurn();
    if (signal?.aborted === true) throw new RefusalError('interrupted', 'the client closed the connection before the response');
    began = performance.now();
  }
  if (sums.length > 0) return { forecast: sums.map((sum, i) => entryOf(i + 1, sum)), ...(curves ? { curves: single } : {}) };
  throw new RefusalError('not_found', 'none of these runs has results');
}

function* allSucceeded(db: Db): Generator<SimulationRun> {
  let before: number | undefined;
  for (;;) {
    const page = listRuns(db, { state: 'succeeded', before, limit: page_runs });
    yield* page;
    if (page.length < page_runs) return;
    before = page.at(-1)?.request_seq;
  }
}

function* named(db: Db, ids: readonly string[]): Generator<SimulationRun> {
  for (const id of new Set(ids)) {
    const run = isRunId(id) ? readRun(db, id) : null;
    if (run?.state === 'succeeded') yield run;
  }
}

interface Sum {
  runs: number;
  total: number;
  min: number;
  max: number;
}

function add(sums: Sum[], values: readonly number[]): void {
  for (const [i, value] of values.entries()) {
    const sum = (sums[i] ??= { runs: 0, total: 0, min: value, max: value });
    sum.runs++;
    sum.total += value;
    sum.min = Math.min(sum.min, value);
    sum.max = Math.max(sum.max, value);
  }
}

/** Returns the entry of a year, with the mean clamped to its extremes, which rounding could exceed. */
const entryOf = (year: number, { runs, total, min, max }: Sum): InsightEntry => ({
  year,
  capability: Math.min(max, Math.max(min, total / runs)),
  runs,
  min,
  max,
});

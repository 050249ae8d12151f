/**
 * Computes the mean forecast over many runs. Each run's forecast is read once from the journal, verified against its signed hash,
 * and cached as numbers. The work is split into short pieces, so that it does not block other requests.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Recent } from '../../base/recent.js';
import { RefusalError } from '../../base/refusal.js';
import { insight_curves_max, insight_forecasts_max } from '../../base/limits.js';
import type { Insight, InsightCurve, InsightEntry } from '../../codec/api-simulation.js';
import type { ForecastEntry } from '../../codec/simulation-results.js';
import { isRunId } from '../../codec/simulation.js';
import type { SimulationRun } from '../../domain/simulation.js';
import { listRuns, newestSucceeded, readRun } from '../../tables/simulations.js';
import type { Db } from '../../store/database.js';
import { storedForecast } from './runs/stored.js';

/** Time to work on an insight before other requests are served. */
const insight_work_ms_max = 4;

type Forecast = readonly ForecastEntry[];

/** Returns the run that succeeded last, or null. */
export const newestRun = (db: Db): SimulationRun | null => newestSucceeded(db);

/** Runs on a page: each is compared with its entries at first, which takes longer than reading its row. */
const page_runs = 50;

interface InsightOptions {
  readonly curves?: boolean;
  readonly signal?: AbortSignal;
}

export class Insights {
  /** The cached forecasts by run. */
  private readonly kept = new Recent<string, Float64Array>(insight_forecasts_max);

  /** @param forecastOfRun returns a run's recorded forecast; of a large run later, so that its outcome can be read elsewhere */
  constructor(
    private readonly db: Db,
    private readonly forecastOfRun: (run: SimulationRun) => Forecast | Promise<Forecast> = (run) => storedForecast(db, run),
  ) {}

  /**
   * Returns the mean over the named runs, each counted once, or over all if `ids` is null or empty. Unknown runs and runs without
   * results are skipped. `curves` adds the forecasts of the first of these runs.
   * @throws RefusalError `not_found` if no run is left, and `interrupted` when the signal aborts
   */
  async of(ids: readonly string[] | null, { curves = false, signal }: InsightOptions = {}): Promise<Insight> {
    const sums: Sum[] = [];
    const single: InsightCurve[] = [];
    let began = performance.now();
    for (const run of ids === null || ids.length === 0 ? this.all() : this.named(ids)) {
      const values = await this.capabilities(run);
      add(sums, values);
      if (curves && single.length < insight_curves_max) single.push({ id: run.id, capability: Array.from(values) });
      if (performance.now() - began < insight_work_ms_max) continue;
      await nextTurn();
      if (signal?.aborted === true) throw new RefusalError('interrupted', 'the client closed the connection before the response');
      began = performance.now();
    }
    if (sums.length > 0) return { forecast: sums.map((sum, i) => entryOf(i + 1, sum)), ...(curves ? { curves: single } : {}) };
    throw new RefusalError('not_found', 'none of these runs has results');
  }

  private *all(): Generator<SimulationRun> {
    let before: number | undefined;
    for (;;) {
      const page = listRuns(this.db, { state: 'succeeded', before, limit: page_runs });
      yield* page;
      if (page.length < page_runs) return;
      before = page.at(-1)?.request_seq;
    }
  }

  private *named(ids: readonly string[]): Generator<SimulationRun> {
    for (const id of new Set(ids)) {
      const run = isRunId(id) ? readRun(this.db, id) : null;
      if (run?.state === 'succeeded') yield run;
    }
  }

  private async capabilities(run: SimulationRun): Promise<Float64Array> {
    const key = `${run.id}:${run.outcome_hash ?? ''}`;
    const values = this.kept.get(key) ?? Float64Array.from(await this.forecastOfRun(run), ({ capability }) => capability);
    this.kept.set(key, values);
    return values;
  }
}

interface Sum {
  runs: number;
  total: number;
  min: number;
  max: number;
}

function add(sums: Sum[], values: Float64Array): void {
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

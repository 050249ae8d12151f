/**
 * Forecasts of what people bring most, beside the simplest methods in one run: short monthly series with a season, weeks of two years, days,
 * counts, demand with many zeros, a step at the end; and series of competitions and of public reports.
 */
import { effectFigures } from './forecast/effects.js';
import {
  type Drawn,
  type Group,
  groups,
  intermittent,
  promotedShapes,
  type PromotedShape,
  randomOf,
  stepped,
} from './forecast/generated.js';
import { given } from './forecast/given.js';
import { ours } from './forecast/ours.js';
import { at, mase, smape } from './forecast/scores.js';
import { exponentialSmoothing, sba, seasonalNaive, theta } from './forecast/simple.js';

export const name = 'engines-forecast-ordinary';
type Print = (line: string) => void;

const seeds = Number(process.env['BENCH_SEEDS'] ?? 200);

export async function run(print: Print): Promise<void> {
  for (const group of groups) {
    const series = Array.from({ length: seeds }, (_, seed) => ({ ...group, ...group.draw(randomOf(seed), group.horizon) }));
    besideSimple(group.name, group.against, series, print);
  }
  for (const { name: set, series, files = [] } of given()) {
    besideSimple(set, 'future', series, print);
    if (files.length === 0) byCompetition(series, print);
    for (const [i, file] of files.entries()) besideSimple(file, 'future', series.slice(i, i + 1), print);
  }
  demandInAll(print);
  for (const after of [1, 2, 3]) coverageAfterStep(after, print);
  for (const shape of promotedShapes) promotions(shape, print);
  await Promise.resolve();
}

const simplePaths = ({ observations, season, horizon }: Drawn): Readonly<Record<string, readonly number[]>> => ({
  'seasonal naive': seasonalNaive(observations, season, horizon),
  SES: exponentialSmoothing(observations, horizon),
  Theta: theta(observations, season, horizon),
  SBA: sba(observations, horizon),
});

/** Prints the errors of a competition's series by the competitions' own measures, in those of the best simple method. */
function byCompetition(series: readonly Drawn[], print: Print): void {
  const sums = { sMAPE: new Map<string, number>(), MASE: new Map<string, number>() };
  for (const drawn of series) {
    const { observations, future: test, season, dated, horizon, holdout } = drawn;
    const { forecast } = ours({ observations, horizon, holdout, season: 'auto', ...dated });
    for (const [method, path] of Object.entries({ ours: forecast, ...simplePaths(drawn) })) {
      sums.sMAPE.set(method, (sums.sMAPE.get(method) ?? 0) + smape(test, path));
      sums.MASE.set(method, (sums.MASE.get(method) ?? 0) + mase({ id: '', train: observations, test }, path, season));
    }
  }
  const ratios = Object.entries(sums).map(([measure, errors]) => {
    const simple = [...errors].filter(([method]) => method !== 'ours').map(([, error]) => error);
    return `${measure} ${((errors.get('ours') ?? Number.NaN) / Math.min(...simple)).toFixed(3)}`;
  });
  print(`  of the best simple method by the competition's measures: ${ratios.join(', ')}`);
}

/** Prints the mean error, in units of the mean size of the series, so that no series counts more for its scale. */
function besideSimple(title: string, against: Group['against'], series: readonly Drawn[], print: Print): void {
  const sums: Record<string, number> = {};
  let [covered, negative, ms] = [0, 0, 0];
  for (const drawn of series) {
    const { observations, future, dated, horizon, holdout } = drawn;
    const size = observations.reduce((sum, v) => sum + Math.abs(v), 0) / observations.length || 1;
    const began = process.cpuUsage().user;
    const band = ours({ observations, horizon, holdout, season: 'auto', ...dated });
    ms += (process.cpuUsage().user - began) / 1_000;
    const paths = { ours: band.forecast, ...simplePaths(drawn) };
    for (const [method, path] of Object.entries(paths)) {
      const error = drawn[against].reduce((sum, v, k) => sum + Math.abs(v - at(path, k)), 0) / horizon / size;
      sums[method] = (sums[method] ?? 0) + error;
    }
    covered += future.filter((v, k) => v >= at(band.lower, k) && v <= at(band.upper, k)).length / horizon;
    if (observations.every((v) => v >= 0) && band.lower.some((v) => v < 0)) negative++;
  }
  const mean = (method: string): number => (sums[method] ?? 0) / series.length;
  const [best = ''] = Object.keys(sums)
    .filter((method) => method !== 'ours')
    .sort((a, b) => mean(a) - mean(b));
  print(
    `${title}: error ${(100 * mean('ours')).toFixed(2)} % of the mean value, ${(mean('ours') / mean(best)).toFixed(3)} of ${best} (goal ≤ 0.97); ` +
      `covered ${(covered / series.length).toFixed(3)} (goal 0.92 to 0.98); ${negative} with a negative bound of what was never negative; ${(ms / series.length).toFixed(0)} ms a series`,
  );
  print(
    `  ${Object.keys(sums)
      .map((method) => `${method} ${(100 * mean(method)).toFixed(2)}`)
      .join(', ')}`,
  );
}

/** Prints the forecast of six steps of rare demand beside what the process expects. */
function demandInAll(print: Print): void {
  for (const p of [0.15, 0.3, 0.45, 0.6]) {
    let [forecast, expected] = [0, 0];
    for (let seed = 0; seed < seeds; seed++) {
      const drawn = intermittent(randomOf(seed), 6, p);
      if (drawn.observations.filter((v) => v > 0).length < 2) continue;
      forecast += ours({ observations: drawn.observations, horizon: 6, holdout: 6, season: 'auto' }).forecast.reduce(
        (s, v) => s + v,
        0,
      );
      expected += drawn.expected.reduce((s, v) => s + v, 0);
    }
    print(
      `demand with p = ${p}: six steps forecast at ${(forecast / expected).toFixed(3)} of their expectation (goal 0.90 to 1.10)`,
    );
  }
}

/** Prints how often the interval of a known effect holds it, and what a regressor without an effect does to the forecast. */
function promotions(shape: PromotedShape, print: Print): void {
  const [known, none] = [effectFigures(shape, seeds, 2), effectFigures(shape, seeds, 0)];
  print(
    `promotions, ${shape.name}: the 90 % interval holds the effect in ${known.covered.toFixed(3)} (goal 0.85 to 0.95), error ${known.ratio.toFixed(3)} of that without the regressor; ` +
      `without an effect ${none.covered.toFixed(3)}, error ${none.ratio.toFixed(4)} (goal ≤ 1.01)`,
  );
}

function coverageAfterStep(after: number, print: Print): void {
  let inside = 0;
  for (let seed = 0; seed < seeds; seed++) {
    const { observations, future } = stepped(randomOf(seed), 6, after);
    const band = ours({ observations, horizon: 6, holdout: 6, season: 'auto' });
    inside += future.filter((v, k) => v >= at(band.lower, k) && v <= at(band.upper, k)).length / 6;
  }
  print(`a step ${after} before the end: the 95 % band covers ${(inside / seeds).toFixed(3)} (goal ≥ 0.85)`);
}

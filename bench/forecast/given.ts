/** Series of ../shared: of the competitions, and those of public reports, the last values of which are held back. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DateUnit } from '../../src/kinds/forecast/calendar.js';
import type { ForecastWork } from '../../src/kinds/forecast/work.js';
import type { Dated, Drawn } from './generated.js';
import type { Series } from './scores.js';

const shared = join(process.cwd(), '../shared/data');
const holdout_share_max = 3;
/** A tenth of a report's series is held back, of at least this many values. */
const report_values_min = 30;

export interface Given {
  readonly name: string;
  readonly series: readonly Drawn[];
  /** The files of the series, where each is of interest by itself. */
  readonly files?: readonly string[];
}

const noDates: Dated = { start: null, step: null };
const datesOf = (unit: DateUnit): Dated => ({
  start: unit === 'hour' ? '2020-01-01T00:00:00Z' : '2020-01-01',
  step: { unit, count: 1 },
});

function drawn(observations: readonly number[], future: readonly number[], season: number, dated: Dated): Drawn {
  const horizon = future.length;
  const holdout = Math.min(horizon, Math.floor(observations.length / holdout_share_max));
  return { observations, future, expected: future, season, dated, horizon, holdout };
}

/** The length of the season that the simple methods are told, by the unit of a step. */
const seasonOf: Partial<Record<DateUnit, number>> = { hour: 24, day: 7, week: 52, month: 12, month_end: 12, quarter: 4 };

/** Returns the series of data/forecasting by their file and step, and those of data/reports; none where ../shared is absent. */
export function given(): Given[] {
  if (!existsSync(shared)) return [];
  const read = (file: string): unknown => JSON.parse(readFileSync(join(shared, file), 'utf8'));
  const competition = (name: string, unit: DateUnit, series: readonly Series[]): Given => ({
    name,
    series: series.map(({ train, test }) => drawn(train, test, seasonOf[unit] ?? 1, datesOf(unit))),
  });
  const { sets } = read('forecasting/m3-sample.json') as { sets: Record<'yearly' | 'quarterly' | 'monthly', Sample> };
  return [
    competition('M3, yearly', 'year', sets.yearly.series),
    competition('M3, quarterly', 'quarter', sets.quarterly.series),
    competition('M3, monthly', 'month', sets.monthly.series),
    competition('M4, weekly', 'week', (read('forecasting/m4-weekly-30.json') as Sample).series),
    competition('M4, hourly', 'hour', (read('forecasting/m4-hourly-30.json') as Sample).series),
    reports(read),
  ];
}

interface Sample {
  readonly series: readonly Series[];
}

/** The work of a request, whose defaults are not filled in. */
interface Requested extends Partial<Pick<ForecastWork, 'start' | 'observations'>> {
  readonly observations: readonly (number | null)[];
  readonly step?: { readonly unit: DateUnit; readonly count?: number } | null;
}

function reports(read: (file: string) => unknown): Given {
  const files = readdirSync(join(shared, 'reports')).filter((file) => /^\d+-forecast-.*\.json$/.test(file));
  const all = files.flatMap((file) => {
    const { work } = read(`reports/${file}`) as { work: Requested };
    const { observations, start = null, step = null } = work;
    const values = observations.filter((value) => value !== null);
    if (values.length < Math.max(observations.length, report_values_min)) return [];
    const held = Math.floor(values.length / 10);
    const season = step === null ? 1 : (seasonOf[step.unit] ?? 1);
    // As in a request, a step without a count is a step of one.
    const dated = start === null || step === null ? noDates : { start, step: { ...step, count: step.count ?? 1 } };
    return [{ file, one: drawn(values.slice(0, -held), values.slice(-held), season, dated) }];
  });
  return { name: 'public reports', series: all.map(({ one }) => one), files: all.map(({ file }) => file) };
}

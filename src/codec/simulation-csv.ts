/** A forecast as comma-separated values (RFC 4180, without a field that would need quotes). */
import type { ForecastEntry } from './simulation-results.js';

const quantileNames = ['p05', 'p25', 'p50', 'p75', 'p95'] as const;

/** Returns a header and one line per year, with quantiles when the run has any. */
export function csvLines(forecast: readonly ForecastEntry[]): string[] {
  const bands = quantileNames.filter((name) => forecast[0]?.[name] !== undefined);
  const cells = (entry: ForecastEntry): string =>
    [entry.year, entry.capability, entry.affected, ...bands.map((name) => entry[name] ?? '')].join(',');
  return [['year', 'capability', 'affected', ...bands].join(','), ...forecast.map(cells)];
}

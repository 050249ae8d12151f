/** Formats a sweep for people: a row with small pictures for each value, and the influence of the field on each measure. */
import type { SweepReport } from '../app/simulation/runs/sweep.js';
import type { Spread } from '../domain/sweep.js';
import { figure, percent } from '../pictures/figures.js';
import { paint } from './paint.js';
import { sparkline } from './pictures/simulation-spark.js';
import { screen } from './screen.js';

const spark_columns = 20;
const digits = 3;

const spreadText = ({ mean, min, max }: Spread): string =>
  min === max ? figure(mean, digits) : `${figure(mean, digits)} (${figure(min, digits)} to ${figure(max, digits)})`;

export function sweepLines({ field, seeds, points, sensitivity }: SweepReport): string[] {
  const head = [field, 'capability', 'affected sectors', 'at the end', 'best effectiveness', 'hypervolume'];
  const rows = points.map(({ value, forecast, affected, effectiveness, hypervolume }) => [
    figure(value),
    sparkline(
      forecast.map(({ capability }) => capability),
      spark_columns,
      screen(),
    ),
    sparkline(
      forecast.map((year) => year.affected),
      spark_columns,
      screen(),
    ),
    spreadText(affected),
    spreadText(effectiveness),
    spreadText(hypervolume),
  ]);
  const widths = head.map((name, i) => Math.max(name.length, ...rows.map((row) => (row[i] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  return [
    `${points.length} values of ${field}, each with ${seeds.length} ${seeds.length === 1 ? 'seed' : 'seeds'} from ${seeds[0] ?? ''}; means, with least and most`,
    '',
    paint.out('bold', line(head)),
    ...rows.map(line),
    '',
    paint.out('bold', `influence of ${field}`),
    ...sensitivity.map(({ measure, slope, explained }) => {
      const change = slope === null ? 'one value only' : `${figure(slope, digits)} for each unit of ${field}`;
      const share = explained === null ? 'nothing varies' : `explains ${percent(explained)} of the variance`;
      return `${measure.padEnd(13)}  ${change}; ${share}`;
    }),
  ];
}

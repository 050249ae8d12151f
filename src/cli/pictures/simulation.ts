/** Draws a run's results for people: the outcome, the forecast as a table with a sparkline, and which sectors are disrupted. */
import { pairs } from '../table.js';
import { printable, shorten, wrap } from '../../base/text.js';
import { count, figure } from '../../pictures/figures.js';
import type { Screen } from '../../pictures/screen.js';
import { evenly, sparkline } from './simulation-spark.js';
import type { Results } from '../../codec/api-simulation.js';

const years_shown = 20;
const spark_columns = 60;
const bar_columns = 24;
const sectors_shown = 12;
const name_columns = 24;

export const caveat = 'A conditional scenario: what follows from these inputs under this model. It is not a prediction.';

export function resultsPicture(results: Results, screen: Screen): string[] {
  const { request, warnings } = results;
  return [
    ...pairs([
      ['run', results.id],
      ...(results.name === undefined ? [] : [['name', printable(results.name)] as const]),
      [
        'asked',
        `${count(request.horizon, 'year')}, ${request.curve} curve, ${count(results.sectors.length, 'sector')}, seed ${results.seed}`,
      ],
      ['capability', capabilityText(results, screen)],
      ['disrupted', disruptedText(results)],
      ['search', searchText(results)],
      ['outcome', results.outcome_hash],
      ['journal', `entry ${results.journal.seq}`],
    ]),
    '',
    ...forecastTable(results, screen),
    '',
    ...warnings.flatMap((warning) =>
      wrap(printable(warning), screen.columns - 2).map((line, i) => `${i === 0 ? screen.paint('yellow', '!') : ' '} ${line}`),
    ),
    ...wrap(caveat, screen.columns),
    '',
    `next: agent-cli verify-run ${results.id}`,
  ];
}

function capabilityText({ forecast }: Pick<Results, 'forecast'>, screen: Screen): string {
  const values = forecast.map(({ capability }) => capability);
  return `${sparkline(values, spark_columns, screen)} ${figure(values[0] ?? 0, 3)} to ${figure(values.at(-1) ?? 0, 3)}`;
}

/** Lists the disrupted sectors by year. */
function disruptedText({ sectors }: Results): string {
  const byYear = new Map<number, string[]>();
  const hit = sectors.flatMap(({ name, disrupted_year: year }) => (year === null ? [] : [{ name, year }]));
  if (hit.length === 0) return `none of ${sectors.length}`;
  for (const { name, year } of hit.toSorted((a, b) => a.year - b.year).slice(0, sectors_shown))
    byYear.set(year, [...(byYear.get(year) ?? []), shorten(printable(name), name_columns)]);
  const named = Array.from(byYear, ([year, names]) => `year ${year} ${names.join(', ')}`).join('; ');
  return `${hit.length} of ${sectors.length}: ${named}${hit.length > sectors_shown ? `; ${hit.length - sectors_shown} more` : ''}`;
}

function searchText({ population, hypervolume }: Results): string {
  const front = population.filter(({ rank }) => rank === 0);
  const best = front.reduce((most, { effectiveness }) => Math.max(most, effectiveness), -Infinity);
  const least = front.reduce((low, { risk }) => Math.min(low, risk), Infinity);
  const volume = hypervolume === null ? 'no hypervolume' : `hypervolume ${figure(hypervolume, 4)}`;
  return `${front.length} of ${population.length} on the front: effectiveness up to ${figure(best, 4)}, risk down to ${figure(least, 4)}, ${volume}`;
}

function forecastTable({ forecast, sectors }: Results, screen: Screen): string[] {
  const hasBands = forecast[0]?.p50 !== undefined;
  const digits = String(sectors.length).length;
  const head = `year  capability  ${'affected'.padStart(digits)}${hasBands ? '    p05    p25    p50    p75    p95' : ''}`;
  const rows = evenly(forecast, years_shown).map((entry) => {
    const bands = [entry.p05, entry.p25, entry.p50, entry.p75, entry.p95].flatMap((p) => (p === undefined ? [] : [p.toFixed(4)]));
    const cells = [String(entry.year).padStart(4), entry.capability.toFixed(4).padStart(10), String(entry.affected).padStart(8)];
    const bar = hasBands ? bands.map((text) => ` ${text}`).join('') : `  ${bars(entry.capability, screen)}`;
    return `${cells.join('  ')}${bar}`.trimEnd();
  });
  const left = forecast.length - rows.length;
  const more = left > 0 ? [`${left} more years; --csv prints all`] : [];
  return [screen.paint('bold', head), ...rows, ...more];
}

const bars = (share: number, { glyphs }: Screen): string => {
  const full = Math.round(share * bar_columns);
  return glyphs.full.repeat(full) + glyphs.empty.repeat(bar_columns - full);
};

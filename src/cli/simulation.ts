/** Formats simulation runs and ledger entries for people and spreadsheets, and draws their results: a table with sparklines. */
import type { AgentsReport } from '../app/simulation/agents.js';
import type { RunRecord } from '../app/simulation/runs/stored.js';
import { invalid, RefusalError } from '../base/refusal.js';
import { replay_speed_max } from '../base/limits.js';
import { printable, shorten, wrap } from '../base/text.js';
import type { Results } from '../codec/api-simulation.js';
import type { LedgerEntry } from '../codec/simulation-ledger.js';
import type { SimulationRequest } from '../codec/simulation.js';
import { type Colour, count, figure, type Screen } from '../pictures/screen.js';
import { fit } from '../pictures/columns.js';
import { id_chars, listed, minute, pairs, screen, shortIds } from './table.js';
import { paint, width } from './text.js';

export const resultLines = (results: Results, name?: string): string[] => resultsPicture(results, screen(), name);

const spark_columns = 12;
/** A run's name and inputs get at least these columns. */
const text_columns_min = 20;

/** Formats one line of the ledger. */
export function entryLine({ seq, time, id, forecast, request }: LedgerEntry): string {
  const values = forecast.map(({ capability }) => capability);
  const last = forecast.at(-1);
  const curve = typeof request['curve'] === 'string' ? printable(request['curve']) : '';
  const line = sparkline(values, spark_columns, screen()).padEnd(spark_columns);
  const end = `${figure(last?.capability ?? 0, 3)}, ${last?.affected ?? 0} affected`;
  return `${String(seq).padStart(4)}  ${minute(time)}  ${id.slice(0, id_chars)}  ${curve.padEnd(11)} ${line} ${end}`;
}

const colours: Readonly<Record<RunRecord['state'], Colour>> = {
  queued: 'grey',
  running: 'blue',
  succeeded: 'green',
  failed: 'red',
  cancelled: 'grey',
};

const asked = ({ horizon, curve, pop_size, generations, sectors, num_sectors }: SimulationRequest): string =>
  `${count(horizon, 'year')} ${curve}, ${count(sectors?.length ?? num_sectors, 'sector')}, ${pop_size} × ${generations}`;

/** Returns the end of a run's forecast: capability, and the sectors disrupted by then; nothing for a run without results. */
const outcomeText = ({ outcome }: Pick<RunRecord, 'outcome'>): string =>
  outcome === null ? '' : `${figure(outcome.capability, 3)}, ${outcome.disrupted} of ${outcome.sectors}`;

/** Formats runs, one line each, cut to the width of the terminal. */
export function runTable(runs: readonly RunRecord[]): string[] {
  const short = shortIds(runs.map(({ id }) => id));
  const rows = runs.map(({ id, name, sweep, state, created_at, request, outcome }) => {
    const named = `${sweep === undefined ? '' : `sweep ${sweep.slice(0, id_chars)}, `}${name === undefined ? '' : `${printable(name)}: `}`;
    const cells = [short(id), paint.out(colours[state], state), minute(created_at), outcomeText({ outcome })] as const;
    return { cells, text: named + asked(request) };
  });
  const columns = {
    run: Math.max(id_chars, ...rows.map(({ cells: [id] }) => id.length)),
    state: 9,
    requested: 17,
    outcome: Math.max('outcome'.length, ...rows.map(({ cells }) => cells[3].length)),
  };
  const left = Object.values(columns).reduce((sum, each) => sum + each + 2, 0);
  const { more } = screen().glyphs;
  return [
    ...listed(
      { ...columns, 'name and inputs': 0 },
      rows.map(({ cells, text }) => [...cells, fit(text, Math.max(text_columns_min, width() - left), more)]),
    ),
    ...(runs.some(({ outcome }) => outcome !== null) ? ['', 'outcome: capability in the last year, disrupted sectors'] : []),
  ];
}

/** Formats a run, with its results if it has any. */
export function runLines({ results, ...run }: RunRecord & { readonly results: Results | null }): string[] {
  if (results !== null) return resultLines(results, run.name);
  return pairs([
    ['run', run.id],
    ['name', run.name === undefined ? null : printable(run.name)],
    ['state', paint.out(colours[run.state], run.state)],
    ['asked', `${asked(run.request)}, seed ${run.request.seed}`],
    ['requested', run.created_at],
    ['started', run.started_at],
    ['ended', run.finished_at],
    ['lease until', run.lease_expires_at],
    ['error', run.error === null ? null : `${run.error.code}: ${printable(run.error.message)}`],
  ]);
}

const agentColours = { running: 'green', silent: 'red', stopped: 'grey' } as const;
const agentStates = { running: 'running', silent: 'unresponsive', stopped: 'stopped' } as const;

export function agentLines({ url, running, agents }: AgentsReport): string[] {
  const rows = Object.entries(agents).map(([name, { state, last_beat, restarts }]) => {
    const beat = last_beat === null ? '-' : new Date(last_beat * 1_000).toISOString().slice(0, 19) + 'Z';
    return [name, paint.out(agentColours[state], agentStates[state]), beat, String(restarts ?? '-')];
  });
  const table = listed({ agent: 9, state: 12, heartbeat: 20, restarts: 0 }, rows);
  return [...(running ? [] : [`no simulation server responds at ${printable(url)}`]), ...table];
}

const years_shown = 20;
const wide_spark_columns = 60;
const bar_columns = 24;
const sectors_shown = 12;
const name_columns = 24;

export const caveat = 'A conditional scenario: what follows from these inputs under this model. It is not a prediction.';

export function resultsPicture(results: Results, screen: Screen, name?: string): string[] {
  const { request, warnings } = results;
  return [
    ...pairs([
      ['run', results.id],
      ['name', name === undefined ? null : printable(name)],
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
  return `${sparkline(values, wide_spark_columns, screen)} ${figure(values[0] ?? 0, 3)} to ${figure(values.at(-1) ?? 0, 3)}`;
}

/** Lists the disrupted sectors by year. */
function disruptedText({ sectors, forecast }: Results): string {
  const byYear = new Map<number, string[]>();
  const hit = sectors.flatMap(({ name, disrupted_year: year }) => (year === null ? [] : [{ name, year }]));
  const { affected_p05: low = 0, affected_p95: high = 0 } = forecast.at(-1) ?? {};
  const interval = ` (90 % interval: ${low === high ? low : `${low} to ${high}`})`;
  if (hit.length === 0) return `none of ${sectors.length}${interval}`;
  for (const { name, year } of hit.toSorted((a, b) => a.year - b.year).slice(0, sectors_shown))
    byYear.set(year, [...(byYear.get(year) ?? []), shorten(printable(name), name_columns)]);
  const named = Array.from(byYear, ([year, names]) => `year ${year} ${names.join(', ')}`).join('; ');
  return `${hit.length} of ${sectors.length}${interval}: ${named}${hit.length > sectors_shown ? `; ${hit.length - sectors_shown} more` : ''}`;
}

function searchText({ population, hypervolume }: Results): string {
  const front = population.filter(({ rank }) => rank === 0);
  const best = front.reduce((most, { effectiveness }) => Math.max(most, effectiveness), -Infinity);
  const least = front.reduce((low, { risk }) => Math.min(low, risk), Infinity);
  const volume = hypervolume === null ? 'no hypervolume' : `hypervolume ${figure(hypervolume, 4)}`;
  return `${front.length} of ${population.length} on the front: effectiveness up to ${figure(best, 4)}, risk down to ${figure(least, 4)}, ${volume}`;
}

function forecastTable({ id, forecast }: Results, screen: Screen): string[] {
  const hasBands = forecast[0]?.p50 !== undefined;
  const head = `year  capability  affected${hasBands ? '    p05    p25    p50    p75    p95' : ''}`;
  const rows = evenly(forecast, years_shown).map((entry) => {
    const bands = [entry.p05, entry.p25, entry.p50, entry.p75, entry.p95].flatMap((p) => (p === undefined ? [] : [p.toFixed(4)]));
    const cells = [String(entry.year).padStart(4), entry.capability.toFixed(4).padStart(10), String(entry.affected).padStart(8)];
    const bar = hasBands ? bands.map((text) => ` ${text}`).join('') : `  ${bars(entry.capability, screen)}`;
    return `${cells.join('  ')}${bar}`.trimEnd();
  });
  const left = forecast.length - rows.length;
  const more = left > 0 ? [`${left} more ${left === 1 ? 'year' : 'years'}; runs ${id} --json prints all`] : [];
  return [screen.paint('bold', head), ...rows, ...more];
}

const bars = (share: number, { glyphs }: Screen): string => {
  const full = Math.round(share * bar_columns);
  return glyphs.full.repeat(full) + glyphs.empty.repeat(bar_columns - full);
};

const unicode = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;
const ascii = ['_', '.', ',', '-', '~', '=', '*', '#'] as const;

/** Draws values from 0 to 1, one character each; at most `columns` of them, evenly spaced, the first and the last included. */
export function sparkline(values: readonly number[], columns: number, { glyphs }: Screen): string {
  const steps = glyphs.full === '█' ? unicode : ascii;
  return evenly(values, columns)
    .map((value) => steps[Math.round(Math.min(1, Math.max(0, value)) * (steps.length - 1))] ?? '')
    .join('');
}

/** Returns at most `most` items, evenly spaced, the first and the last included. */
export function evenly<A>(items: readonly A[], most: number): A[] {
  if (items.length <= most) return [...items];
  return Array.from({ length: most }, (_, i) => items[Math.round((i * (items.length - 1)) / (most - 1))] as A);
}

const day = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const moment = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?Z$/;

/**
 * Returns a day or a time in UTC as milliseconds since the epoch; undefined if absent.
 * @throws RefusalError for any other text
 */
export function replaySince(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = day.test(text) || moment.test(text) ? Date.parse(text) : Number.NaN;
  // A day that its month does not have would be read as one of the next month.
  if (!Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text.slice(0, 10))) return ms;
  throw new RefusalError(invalid('since', 'must be a day (2026-11-20) or a time in UTC (2026-11-20T05:00:00Z)'));
}

/** Returns the speed. @throws RefusalError unless it is a number above 0 and within the limit */
export function replaySpeed(text: string): number {
  const speed = /^[0-9]+(?:\.[0-9]+)?$/.test(text) ? Number(text) : 0;
  if (speed > 0 && speed <= replay_speed_max) return speed;
  throw new RefusalError(invalid('speed', `must be a number above 0, ${replay_speed_max} at most`));
}

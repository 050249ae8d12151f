/** The observations of a series: rows of one date joined, each date on its step, gaps where one is missing. */
import type { Json } from '../../base/canonical-json.js';
import { observations_max, observations_min } from '../../base/limits.js';
import type { CivilDate } from '../cells/dates.js';
import { grouped } from '../csv.js';
import type { IntakeOptions } from '../../codec/api-intake.js';
import { type DateStep, type Instant, instantAfter, stepsBetween } from '../../kinds/forecast/calendar.js';
import { columnFault, columnText, missingFault, rowsText, tableFault, type Place } from './faults.js';
import { instantOf, instantText, type Period, periodOf, periods, periodStart, stepOf } from './series.js';
import type { TableColumn } from './table.js';
import { failed, type WorkDraft } from './work.js';

export interface SeriesContext {
  readonly place: Place;
  readonly options: IntakeOptions;
}

/** What is needed to read the dates of a column. */
interface DatedContext extends SeriesContext {
  readonly column: TableColumn;
  /** Whether rows after the last value are steps ahead, for which regressors are known. */
  readonly isAhead: boolean;
}

export type Series =
  | {
      readonly outcome: 'series';
      readonly members: Readonly<Record<string, Json>>;
      /** The row of each observation; null for a gap and for several rows. */
      readonly rows: readonly (number | null)[];
      readonly notes: readonly string[];
      /** Returns when a step is, counted from 0, also after the series; undefined for rows without dates. */
      readonly at?: (step: number) => Instant;
    }
  | Exclude<WorkDraft, { readonly outcome: 'work' }>;

interface Observation {
  readonly value: number | null;
  readonly row: number | null;
  /** What a message calls it: its date, or its place. */
  readonly label: string;
}

/** Returns the series of rows without dates. */
export function undated(rows: readonly number[], values: Cells<number>, context: SeriesContext): Series {
  const observations = values.map((value, i) => ({ value, row: rows[i] ?? null, label: `row ${rows[i]}` }));
  return complete(observations, {}, ['The rows have no dates; they are equal steps in the order of the file.'], context);
}

/** Returns the members of a series, once it is said what its gaps mean. */
function complete(
  observations: readonly Observation[],
  dates: Readonly<Record<string, Json>>,
  notes: readonly string[],
  { place, options }: SeriesContext,
): Series {
  const gaps = observations.filter(({ value }) => value === null).map(({ label }) => label);
  const observed = observations.length - gaps.length;
  if (observed < observations_min) {
    return failed([tableFault(place, `the series has ${observed} values; a forecast needs at least ${observations_min}.`)]);
  }
  if (observations.length > observations_max) return tooMany(observations.length, place);
  const rows = observations.map(({ row }) => row);
  const members = { observations: observations.map(({ value }) => value), ...dates, ...holdoutOf(observations) };
  if (gaps.length === 0) return { outcome: 'series', members, rows, notes };
  const list = `${gaps.slice(0, 3).join(', ')}${gaps.length > 3 ? ` and ${gaps.length - 3} more` : ''}`;
  const missing = `${gaps.length === 1 ? '1 value of the series is' : `${gaps.length} values of the series are`} missing: ${list}.`;
  if (options.gaps === undefined) {
    const flag = '--gaps interpolate, --gaps zero or --gaps previous';
    return failed([], [{ about: 'gaps', message: `${missing} What do the gaps mean?`, flag, readings: gapReadings }]);
  }
  const note = `${missing} Gaps are filled: ${options.gaps}.`;
  return { outcome: 'series', members: { ...members, gaps: options.gaps }, rows, notes: [...notes, note] };
}

function tooMany(length: number, place: Place): Series {
  const message = `the series has ${grouped(length)} values; a forecast takes at most ${grouped(observations_max)}. Leave out the oldest rows, or gather them into longer steps.`;
  return failed([tableFault(place, message, '--every month --sum')]);
}

/** Returns the shortest holdout that has two observed values, where the usual one has fewer. */
function holdoutOf(observations: readonly Observation[]): { readonly holdout?: number } {
  const observed = observations.flatMap(({ value }, i) => (value === null ? [] : [i]));
  const holdout = observations.length - (observed.at(-2) ?? 0);
  return holdout > usual_holdout ? { holdout } : {};
}

const usual_holdout = 4;

const gapReadings = [
  { label: 'interpolate: a straight line between the values before and after', option: { gaps: 'interpolate' } },
  { label: 'zero: nothing happened then', option: { gaps: 'zero' } },
  { label: 'previous: the value before stays', option: { gaps: 'previous' } },
] as const;

interface Point {
  readonly row: number;
  readonly at: Instant;
  readonly value: number | null;
}

/** Returns the series of rows with dates. */
export function dated(rows: readonly number[], dates: Cells<CivilDate>, values: Cells<number>, context: DatedContext): Series {
  const { points, withoutDate, zones } = pointsOf(rows, dates, values, context);
  if (withoutDate.length > 0) return failed([columnFault(context.place, context.column, missingFault(withoutDate))]);
  const all = points.toSorted((a, b) => a.at - b.at);
  // Rows that wait for values, such as the months to come, are no gaps: the series ends before them.
  const sorted = all.slice(0, all.findLastIndex(({ value }) => value !== null) + 1);
  const later = all.slice(sorted.length).map(({ row }) => row);
  const gathered = gather(sorted, context);
  if ('outcome' in gathered) return gathered;
  const [zone = null] = zones.size === 1 ? zones : ['Z'];
  const notes = [...orderNotes(points, all), ...(context.isAhead ? [] : laterNotes(later)), ...gathered.notes];
  return onSteps({ ...gathered, notes }, zone, context);
}

type Cells<T> = readonly (T | null)[];

/** Hours under several offsets are told apart in UTC; days and longer periods are those of the clocks that wrote the dates. */
function pointsOf(rows: readonly number[], dates: Cells<CivilDate>, values: Cells<number>, { options }: SeriesContext) {
  const { every } = options;
  const zones = new Set(dates.flatMap((date) => (date === null ? [] : [date.zone])));
  const isHourly = every === undefined ? dates.some((date) => /[1-9]/.test(date?.time ?? '')) : periodOf(every) === 'hour';
  const points: Point[] = [];
  const withoutDate: number[] = [];
  dates.forEach((date, i) => {
    const [value, row] = [values[i] ?? null, rows[i] ?? 0];
    if (date !== null) points.push({ row, at: zones.size > 1 && isHourly ? utcOf(date) : instantOf(date), value });
    else if (value !== null) withoutDate.push(row);
  });
  return { points, withoutDate, zones };
}

/** Returns the values of another column by their dates, rows of one date or period joined as those of the series are. */
export function joinedByDate(
  rows: readonly number[],
  dates: Cells<CivilDate>,
  values: Cells<number>,
  context: SeriesContext,
): ObservedValues['values'] | Exclude<Series, { readonly outcome: 'series' }> {
  const points = pointsOf(rows, dates, values, context).points.filter(({ value }) => value !== null);
  const gathered = gather(
    points.toSorted((a, b) => a.at - b.at),
    context,
  );
  return 'outcome' in gathered ? gathered : gathered.values;
}

const laterNotes = (rows: readonly number[]): string[] =>
  rows.length === 0
    ? []
    : [
        `After the last value ${rows.length === 1 ? 'a date has' : `${rows.length} dates have`} no value (${rowsText(rows)}); they were left out.`,
      ];

function orderNotes(points: readonly Point[], sorted: readonly Point[]): string[] {
  if (sorted.every((point, i) => point === points[i])) return [];
  const isTurned = points.every((point, i) => i === 0 || point.at <= (points[i - 1]?.at ?? point.at));
  return [isTurned ? 'The file has the newest row first; the series was turned round.' : 'The rows were sorted by date.'];
}

/** Returns the moment of a date in UTC. One without zone is taken as UTC. */
function utcOf(date: CivilDate): Instant {
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d\d):(\d\d)$/.exec(date.zone ?? '') ?? [];
  return instantOf(date) - (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

interface ObservedValues {
  readonly values: ReadonlyMap<Instant, Pick<Observation, 'value' | 'row'>>;
  /** The step that was asked for; null where it follows from the dates. */
  readonly step: DateStep | null;
  readonly notes: readonly string[];
}

/** Joins the rows of one date or period. */
function gather(
  points: readonly Point[],
  { place, options }: SeriesContext,
): ObservedValues | Exclude<Series, { readonly outcome: 'series' }> {
  const period = options.every === undefined ? null : periodOf(options.every);
  if (options.every !== undefined && period === null) {
    return failed([tableFault(place, `"${options.every}" is no step; the steps are ${periods.join(', ')}.`)]);
  }
  const groups = new Map<Instant, Point[]>();
  for (const point of points) {
    const at = period === null ? point.at : periodStart(point.at, period);
    const group = groups.get(at);
    if (group === undefined) groups.set(at, [point]);
    else group.push(point);
  }
  const repeated = [...groups].filter(([, group]) => group.length > 1);
  if (repeated.length > 0 && options.sum !== true && options.mean !== true) return duplicates(repeated, period);
  const values = new Map([...groups].map(([at, group]) => [at, joined(group, options)] as const));
  const partial = period === null || options.keepPartial === true ? [] : partialPeriods(points, period);
  for (const at of partial) values.delete(at);
  const lacking = lackingNotes(
    [...groups].filter(([at]) => values.has(at)),
    period ?? 'date',
  );
  const word = options.sum === true ? 'sum' : 'mean';
  if (period === null) {
    const note = `${repeated.length} ${repeated.length === 1 ? 'date had' : 'dates had'} several rows; their ${word} is taken.`;
    return { values, step: null, notes: repeated.length > 0 ? [note, ...lacking] : [] };
  }
  const list = partial.map(instantText).join(' and the one from ');
  const left = partial.length === 0 ? [] : [`The incomplete ${period} from ${list} was left out.`];
  return {
    values,
    step: { unit: period, count: 1 },
    notes: [`Each value is the ${word} of ${period === 'hour' ? 'an' : 'a'} ${period}.`, ...left, ...lacking],
  };
}

/** Says where only some of the rows that are joined have a value: the others are not zero. */
function lackingNotes(groups: readonly (readonly [Instant, readonly Point[]])[], of: string): string[] {
  const without = groups.flatMap(([at, group]) => {
    const rows = group.flatMap(({ row, value }) => (value === null ? [row] : []));
    return rows.length === 0 || rows.length === group.length ? [] : [`${instantText(at)} (${rowsText(rows)})`];
  });
  const count = without.length === 1 ? `1 ${of} has` : `${without.length} ${of}s have`;
  return without.length === 0 ? [] : [`${count} rows without a value, such as ${without[0]}; only the others count.`];
}

function joined(group: readonly Point[], options: IntakeOptions): Pick<Observation, 'value' | 'row'> {
  const row = group.length === 1 ? (group[0]?.row ?? null) : null;
  const present = group.flatMap(({ value }) => (value === null ? [] : [value]));
  if (present.length === 0) return { value: null, row };
  const sum = present.reduce((total, value) => total + value, 0);
  // Decimals add up to decimals: 0.1 and 0.2 are 0.3.
  return { value: Number((options.sum === true ? sum : sum / present.length).toPrecision(15)), row };
}

function duplicates(
  repeated: readonly (readonly [Instant, readonly Point[]])[],
  period: Period | null,
): Exclude<Series, { readonly outcome: 'series' }> {
  const [at, group] = repeated[0] ?? [0, []];
  const example = `such as ${instantText(at)} (${rowsText(group.map(({ row }) => row))})`;
  const dates = `${repeated.length} ${repeated.length === 1 ? 'date has' : 'dates have'} several rows`;
  const message = `${period === null ? dates : `A ${period} has several rows`}, ${example}. What counts?`;
  const of = period === null ? 'date' : period;
  const readings = [
    { label: `sum: add the rows of a ${of}`, option: { sum: true } },
    { label: `mean: take the average of the rows of a ${of}`, option: { mean: true } },
  ];
  return failed([], [{ about: 'duplicates', message, flag: '--sum or --mean', readings }]);
}

/** Returns the first and the last period where the dates do not fill them, by the step that the dates have. */
function partialPeriods(points: readonly Point[], period: Period): Instant[] {
  const instants = [...new Set(points.map(({ at }) => at))];
  const [first, last] = [instants[0], instants.at(-1)];
  if (first === undefined || last === undefined) return [];
  const step = stepOf(instants) ?? { unit: 'day', count: 1 };
  const isCut = (at: Instant, steps: -1 | 1): boolean =>
    periodStart(instantAfter(at, step, steps), period) === periodStart(at, period);
  const cut = [...(isCut(first, -1) ? [first] : []), ...(isCut(last, 1) ? [last] : [])];
  return [...new Set(cut.map((at) => periodStart(at, period)))];
}

/** Puts each value on its step. Where there is no regular one, nothing is guessed. */
function onSteps({ values, step: given, notes }: ObservedValues, zone: string | null, context: DatedContext): Series {
  const { column, place } = context;
  const instants = [...values.keys()];
  const step = given ?? stepOf(instants);
  const [start, end] = [instants[0], instants.at(-1)];
  if (start === undefined || end === undefined) {
    const none = given === null ? 'no row has both a date and a value.' : `${columnText(column)} has no complete ${given.unit}.`;
    return failed([tableFault(place, none, given === null ? undefined : '--keep-partial')]);
  }
  if (step === null) {
    const message = `the dates of ${columnText(column)} are nearer than an hour, or there is only one. Gather them into longer steps.`;
    return failed([tableFault(place, message, '--every hour --mean')]);
  }
  const length = Math.round(stepsBetween(start, end, step)) + 1;
  if (given === null && length > instants.length * 2) {
    const range = `the ${grouped(instants.length)} dates of ${columnText(column)}, ${instantText(start)} to ${instantText(end)},`;
    return failed([tableFault(place, `${range} have no regular step. Gather them into longer steps.`, '--every month --sum')]);
  }
  if (length > observations_max) return tooMany(length, place);
  const observations: Observation[] = Array.from({ length }, (_, i) => {
    const at = instantAfter(start, step, i);
    return { value: values.get(at)?.value ?? null, row: values.get(at)?.row ?? null, label: instantText(at) };
  });
  const { unit, count } = step;
  const unzoned = unit === 'hour' && zone === null ? ['Times without a zone are taken as UTC.'] : [];
  const series = complete(
    observations,
    { start: startText(start, step, zone), step: count === 1 ? { unit } : { unit, count } },
    [...notes, ...unzoned],
    context,
  );
  return series.outcome === 'series' ? { ...series, at: (i) => instantAfter(start, step, i) } : series;
}

function startText(start: Instant, { unit }: DateStep, zone: string | null): string {
  const text = new Date(start).toISOString();
  return unit === 'hour' ? `${text.slice(0, 19)}${zone ?? 'Z'}` : text.slice(0, 10);
}

/** Durations of a column, as whole numbers of the mission's unit: `1:30`, `1h30`, `90 min`, `2 d`, and plain numbers in the unit of the header. */
import { FaultList, isMissing, textOf, type Column, type ColumnCell, type ColumnReading } from './column.js';
import { decimalOf, magnitude, markQuestion, type DecimalMark } from './numbers.js';
import { fold } from './fold.js';
import type { Cell } from '../types.js';

export const isDuration = (text: string): boolean => partsOf(text) !== null;

export type TimeUnit = 'minute' | 'hour' | 'day';

export const secondsOf: Readonly<Record<TimeUnit, number>> = { minute: 60, hour: 3_600, day: 86_400 };

/** Seconds of a unit by its folded names in English, French and German. */
const unitNames: readonly (readonly [seconds: number, names: string])[] = [
  [1, 's sec secs second seconds sek sekunde sekunden seconde secondes'],
  [60, 'm min mins minute minutes mn minuten'],
  [3_600, 'h hr hrs hour hours std stunde stunden heure heures'],
  [86_400, 'd day days j jour jours tag tage tagen'],
  [604_800, 'w wk week weeks woche wochen semaine semaines sem'],
];
const unitSeconds = new Map(unitNames.flatMap(([seconds, names]) => names.split(' ').map((name) => [name, seconds] as const)));

/** Returns the seconds of a unit of time by its name, or null. */
export const secondsOfUnit = (name: string): number | null => unitSeconds.get(fold(name)) ?? null;

/** Digits with marks, and the seconds of their unit; null for a plain number. */
interface Part {
  readonly core: string;
  readonly seconds: number | null;
}

interface Duration {
  readonly entry: ColumnCell;
  readonly at: number;
  readonly parts: readonly Part[];
  readonly form: 'clock' | 'units' | 'plain';
}

/** No duration is as long as a text that would cost time. */
const duration_chars_max = 100;
const clock = /^(?<hours>\d{1,5}):(?<minutes>[0-5]\d)(?::(?<seconds>[0-5]\d)(?:\.0+)?)?$/;
const timedelta = /^(?<days>\d+) days?,? (?<rest>[\d:.]+)$/i;
const token = /^(?<core>\d[\d.,']*)\s*(?<unit>[\p{L}]+)\.?[\s,]*/u;

/** Returns the parts of a duration, or null for another text. */
function partsOf(text: string): Pick<Duration, 'parts' | 'form'> | null {
  if (text.length > duration_chars_max) return null;
  const trimmed = text.trim().replace(/(?<=\d)\s(?=\d{3}(?!\d))/gu, '');
  const days = timedelta.exec(trimmed)?.groups;
  const time = clock.exec(days?.['rest'] ?? trimmed)?.groups;
  if (time !== undefined) {
    const parts = [
      { core: days?.['days'] ?? '0', seconds: 86_400 },
      { core: time['hours'] ?? '0', seconds: 3_600 },
      { core: time['minutes'] ?? '0', seconds: 60 },
      { core: time['seconds'] ?? '0', seconds: 1 },
    ];
    return { parts, form: 'clock' };
  }
  if (/^[\d.,']*\d$/.test(trimmed)) return { parts: [{ core: trimmed, seconds: null }], form: 'plain' };
  return unitParts(trimmed);
}

/** Reads `1 h 30 min` and `1h30`, where the last number is in minutes. */
function unitParts(text: string): Pick<Duration, 'parts' | 'form'> | null {
  const parts: Part[] = [];
  let rest = text;
  while (rest !== '') {
    const found = token.exec(rest);
    const [core, seconds] = [found?.groups?.['core'] ?? rest, secondsOfUnit(found?.groups?.['unit'] ?? '')];
    const before = parts.at(-1)?.seconds ?? null;
    if (found === null && before === 3_600 && /^[0-5]?\d$/.test(rest))
      return { parts: [...parts, { core, seconds: 60 }], form: 'units' };
    if (found === null || seconds === null || (before !== null && seconds >= before)) return null;
    parts.push({ core, seconds });
    rest = rest.slice(found[0].length);
  }
  return parts.length === 0 ? null : { parts, form: 'units' };
}

export interface DurationOptions {
  readonly decimal?: DecimalMark | undefined;
  readonly unit: TimeUnit;
  /** Seconds of the unit that plain numbers are in. */
  readonly plainSeconds: number;
  /** Hours of a day; null where they are asked for. */
  readonly dayHours: number | null;
  /** Hours that a day may have besides 24, for the question. */
  readonly openHours: number;
}

/** Reads a column of durations, each a whole number of the unit. */
export function readDurations(column: Column, options: DurationOptions): ColumnReading<number> {
  const list = new FaultList();
  const durations: Duration[] = [];
  column.cells.forEach((entry, at) => {
    if (isMissing(entry.cell) || list.addFaultCell(entry)) return;
    const parts = entry.cell.type === 'date' ? null : partsOf(shownText(entry.cell));
    if (parts !== null) durations.push({ entry, at, ...parts });
    else list.add(entry, /\d/.test(textOf(entry.cell)) ? letters : words, advice);
  });
  const cores = durations.flatMap(({ entry, parts }) => (entry.cell.type === 'number' ? [] : parts.map(({ core }) => core)));
  const decided = decimalOf(cores, options.decimal);
  if (decided.decision === 'none') {
    const misfitting = new Set(decided.misfits.map((index) => cores[index]));
    for (const { entry, parts } of durations)
      if (parts.some(({ core }) => misfitting.has(core))) list.add(entry, letters, advice);
  }
  if (list.faults.length > 0) return { outcome: 'faulty', faults: list.faults };
  const unclear = decided.decision === 'ambiguous' ? (cores[decided.index] ?? '') : null;
  const found = durations.find(({ parts }) => parts.some(({ core }) => core === unclear));
  if (unclear !== null && found !== undefined) return markQuestion(found.entry, unclear, (mark) => magnitude(unclear, mark));
  const decimal = decided.decision === 'mark' ? decided.decimal : '.';
  const inDays = durations.find((duration) => hasDays(duration, options.plainSeconds));
  if (inDays !== undefined && options.dayHours === null) return dayQuestion(inDays, options.openHours);
  return converted(column, durations, decimal, options);
}

/** Returns the text of a cell with the unit that its format shows. */
const shownText = (cell: Cell): string =>
  cell.type === 'number' && cell.unit !== undefined ? `${cell.text} ${cell.unit}` : textOf(cell);

const letters = 'letters or signs that are no duration';
const words = 'text, not a duration';
const advice = 'Write durations such as 90, 1:30 or 90 min.';

function converted(
  column: Column,
  durations: readonly Duration[],
  decimal: DecimalMark,
  options: DurationOptions,
): ColumnReading<number> {
  const { unit, plainSeconds } = options;
  const dayHours = options.dayHours ?? 24;
  const secondsIn = (seconds: number | null): number =>
    (seconds ?? plainSeconds) === 86_400 ? dayHours * 3_600 : (seconds ?? plainSeconds);
  const list = new FaultList();
  const values: (number | null)[] = column.cells.map(() => null);
  const notes = new Map<string, string>();
  for (const { entry, at, parts, form } of durations) {
    const mark = entry.cell.type === 'number' ? '.' : decimal;
    const total = parts.reduce((sum, { core, seconds }) => sum + magnitude(core, mark) * secondsIn(seconds), 0);
    const value = Math.round((total / secondsOf[unit]) * 1e6) / 1e6;
    if (!Number.isSafeInteger(value)) list.add(entry, `times that are not whole ${unit}s`, ...adviceFor(unit, total));
    values[at] = value;
    const text = textOf(entry.cell).trim();
    if (form === 'clock' && !notes.has('clock'))
      notes.set('clock', `"${text}" in column "${column.name}" is read as ${spoken(total)}.`);
    if (form !== 'clock' && hasDays({ parts }, plainSeconds)) {
      notes.set(
        'day',
        `A day in column "${column.name}" is read as ${dayHours} hours (${(dayHours * 3_600) / secondsOf[unit]} ${unit}${unit === 'day' ? '' : 's'}).`,
      );
    }
  }
  if (list.faults.length > 0) return { outcome: 'faulty', faults: list.faults };
  return { outcome: 'read', values, unit: null, notes: [...notes.values()] };
}

const smaller: Readonly<Record<TimeUnit, TimeUnit | null>> = { day: 'hour', hour: 'minute', minute: null };

function adviceFor(unit: TimeUnit, seconds: number): [advice: string, hint?: string] {
  for (let finer = smaller[unit]; finer !== null; finer = smaller[finer]) {
    if (Number.isInteger(seconds / secondsOf[finer])) return [`Plan in ${finer}s.`, `--unit ${finer}`];
  }
  return ['Round them to whole minutes, which is the finest unit.'];
}

const hasDays = ({ parts }: Pick<Duration, 'parts'>, plainSeconds: number): boolean =>
  parts.some(({ core, seconds }) => (seconds ?? plainSeconds) === 86_400 && core !== '0');

/** With a calendar, a day may mean 24 hours or a day of work. */
function dayQuestion({ entry }: Duration, openHours: number): ColumnReading<number> {
  const readings = [24, openHours].map((hours) => ({ label: `A day is ${hours} hours`, option: { scale: { d: hours } } }));
  return { outcome: 'choice', choice: { about: 'unit', cell: textOf(entry.cell).trim(), row: entry.row, readings } };
}

/** Returns seconds as hours and minutes in words. */
function spoken(total: number): string {
  const [hours, minutes, seconds] = [Math.floor(total / 3_600), Math.floor(total / 60) % 60, total % 60];
  const named = (count: number, unit: string): string[] => (count === 0 ? [] : [`${count} ${unit}${count === 1 ? '' : 's'}`]);
  return [...named(hours, 'hour'), ...named(minutes, 'minute'), ...named(seconds, 'second')].join(' ') || '0 minutes';
}

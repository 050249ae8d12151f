/** Dates in a cell: ISO 8601, day and month in words of three languages, dotted, with slashes, quarters and weeks. The order of day and month is decided by the whole column, or asked. */
import { FaultList, isMissing, textOf, type Column, type ColumnCell, type ColumnReading } from './column.js';

export interface CivilDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** `08:00:00`; null for a date without time. */
  readonly time: string | null;
  /** `Z` or an offset such as `+02:00`; null for civil time. */
  readonly zone: string | null;
}

/** A date, or the two dates that a cell such as `01/02/2024` may be; null for an order that gives no date. */
export interface DateForms {
  readonly dmy: CivilDate | null;
  readonly mdy: CivilDate | null;
}

type Day = Pick<CivilDate, 'year' | 'month' | 'day'>;

const monthNames: readonly string[] = [
  'jan january janv janvier januar janner jaenner',
  'feb february fevr fev fevrier februar',
  'mar march mars marz maerz mrz',
  'apr april avr avril',
  'may mai',
  'jun june juin juni',
  'jul july juil juillet juli',
  'aug august aout',
  'sep sept september septembre',
  'oct october octobre okt oktober',
  'nov november novembre',
  'dec december decembre dez dezember',
];
const monthOf = new Map(monthNames.flatMap((names, i) => names.split(' ').map((name) => [name, i + 1] as const)));
/** Returns the number of a month by its name in one of three languages, or null. */
export const monthNamed = (name: string): number | null =>
  monthOf.get(name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\.$/, '').trim()) ?? null;

const weekday =
  /^(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?|mo(?:ntag)?|di(?:enstag)?|mi(?:ttwoch)?|do(?:nnerstag)?|fr(?:eitag)?|sa(?:mstag)?|so(?:nntag)?|lun(?:di)?|mardi|mer(?:credi)?|jeu(?:di)?|ven(?:dredi)?|sam(?:edi)?|dim(?:anche)?|mar(?=\.?,? \d{1,2}(?:er)?(?: [a-z]|[/.-]\d)))[.,]*\s+(?=\d|[a-z]+ \d)/;
/** No date is as long as a text that would cost time. */
const date_chars_max = 100;
const timeOfDay =
  /(?:t|,?\s+(?:a |um |at )?)(?<hour>\d{1,2})[:h](?<minute>\d{2})(?::(?<second>\d{2})(?:[.,]\d+)?)?\s*(?<half>[ap]\.?m\.?)?\s*(?:uhr)?(?<zone>z|utc|gmt|[+-]\d{2}:?\d{2})?$/;

/** Returns the dates that a text may be, or null for a text that is none. A range such as `1.1.2024 - 7.1.2024` or `1.1.2024 08:00 - 09:00` is its beginning. */
export function readDate(text: string): DateForms | null {
  if (text.length > date_chars_max) return null;
  const folded = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/gu, ' ').trim();
  if (/^\d{10}(?:\d{3})?$/.test(folded)) return sinceEpoch(folded);
  const range = /^(?<from>.*\d.*?) (?:-|–|—|to|bis|au|a) (?<to>.*\d.*)$/.exec(folded)?.groups;
  const [first, to = ''] = [range === undefined ? null : readDate(range['from'] ?? ''), range?.['to']];
  const isHour = /^\d{1,2}[:h]\d{2}$/.test(to) && typeof (first?.dmy ?? first?.mdy)?.time === 'string';
  if (first !== null && (isHour || readDate(to) !== null)) return first;
  const clock = timeOfDay.exec(folded);
  const time = clock === null ? null : timeOf(clock.groups ?? {});
  if (clock !== null && time === null) return null;
  const forms = dayForms(clock === null ? folded : folded.slice(0, clock.index));
  if (forms === null) return null;
  const complete = (day: Day | null): CivilDate | null =>
    day === null ? null : { ...(time?.isNext ? nextDay(day) : day), time: time?.time ?? null, zone: time?.zone ?? null };
  const result = { dmy: complete(forms[0]), mdy: complete(forms[1]) };
  return result.dmy === null && result.mdy === null ? null : result;
}

/** Returns the moment of Unix time in seconds or milliseconds. */
function sinceEpoch(digits: string): DateForms {
  const text = new Date(Number(digits) * (digits.length === 10 ? 1_000 : 1)).toISOString();
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  const date = { year, month, day, time: text.slice(11, 19), zone: 'Z' };
  return { dmy: date, mdy: date };
}

function timeOf(groups: Readonly<Record<string, string | undefined>>) {
  const { hour: hourText = '', minute = '', second = '00', half, zone } = groups;
  let hour = Number(hourText);
  if (half !== undefined && (hour < 1 || hour > 12)) return null;
  if (half !== undefined) hour = (hour % 12) + (half.startsWith('p') ? 12 : 0);
  // 24:00 is the midnight at the end of a day (ISO 8601).
  const isNext = hour === 24 && Number(minute) + Number(second) === 0;
  if ((hour > 23 && !isNext) || Number(minute) > 59 || Number(second) > 59) return null;
  const time = `${isNext ? '00' : String(hour).padStart(2, '0')}:${minute}:${second}`;
  return { time, isNext, zone: zone === undefined ? null : zoneOf(zone) };
}

const zoneOf = (zone: string): string => (/^[+-]/.test(zone) ? zone.replace(/^(...):?(..)$/, '$1:$2') : 'Z');

type Forms = readonly [dmy: Day | null, mdy: Day | null];
type Reader = (...parts: string[]) => Forms | null;

const fixed = (day: Day | null): Forms | null => (day === null ? null : [day, day]);
const yearOf = (text: string): number => (text.length > 2 ? Number(text) : Number(text) + (Number(text) < 70 ? 2_000 : 1_900));

/** Returns a day of the calendar, or null where there is none such. */
function dayOf(year: number, month: number, day: number): Day | null {
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return year >= 1_000 && month >= 1 && month <= 12 && day >= 1 && day <= last ? { year, month, day } : null;
}

function nextDay({ year, month, day }: Day): Day {
  const next = new Date(Date.UTC(year, month - 1, day + 1));
  return { year: next.getUTCFullYear(), month: next.getUTCMonth() + 1, day: next.getUTCDate() };
}

const named = (year: string, month: string, day = '1'): Forms | null => {
  const number = monthOf.get(month.replace(/\.$/, ''));
  return number === undefined ? null : fixed(dayOf(yearOf(year), number, Number(day)));
};
const quarter = (year: string, number: string): Forms | null => fixed(dayOf(yearOf(year), Number(number) * 3 - 2, 1));

/** Returns the Monday of an ISO week. */
function week(year: string, number: string): Forms | null {
  // 4 January is always in week 1.
  const fourth = Date.UTC(yearOf(year), 0, 4);
  const weekdayOfFourth = (new Date(fourth).getUTCDay() + 6) % 7;
  const monday = new Date(fourth + (Number(number) * 7 - 7 - weekdayOfFourth) * 86_400_000);
  const thursday = new Date(monday.getTime() + 3 * 86_400_000);
  if (Number(number) < 1 || thursday.getUTCFullYear() !== yearOf(year)) return null;
  return fixed({ year: monday.getUTCFullYear(), month: monday.getUTCMonth() + 1, day: monday.getUTCDate() });
}

const ofDay = (year: string, month: string, day: string): Forms | null => fixed(dayOf(yearOf(year), Number(month), Number(day)));

/** The forms of a date without time. The first that gives a date counts. */
const readers: readonly (readonly [form: RegExp, read: Reader])[] = [
  [/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/, (y = '', m = '', d = '') => ofDay(y, m, d)],
  [/^(\d{4})(?:[-/]|-?m)(\d{1,2})$/, (y = '', m = '') => ofDay(y, m, '1')],
  [/^(1\d{3}|2[01]\d\d)(\d{2})(\d{2})$/, (y = '', m = '', d = '') => ofDay(y, m, d)],
  [/^(1\d{3}|2[01]\d\d)(\d{2})$/, (y = '', m = '') => ofDay(y, m, '1')],
  [/^(1\d{3}|2[01]\d\d)$/, (y = '') => ofDay(y, '1', '1')],
  [/^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4}|\d{2})$/, (d = '', m = '', y = '') => ofDay(y, m, d)],
  [/^(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d{2})$/, (a = '', _mark, b = '', y = '') => slashed(a, b, y)],
  [/^0?(\d{1,2})[/.-](\d{4})$/, (m = '', y = '') => ofDay(y, m, '1')],
  [/^([a-z]+\.?)[ /'-]*(\d{4}|\d{2})$/, (m = '', y = '') => named(y, m)],
  [/^(\d{4})[ /-]*([a-z]+\.?)$/, (y = '', m = '') => named(y, m)],
  [/^(\d{1,2})\.?(?:er)?[ /-]*([a-z]+\.?),?[ /-]*(\d{4}|\d{2})$/, (d = '', m = '', y = '') => named(y, m, d)],
  [/^([a-z]+\.?)[ -]*(\d{1,2})(?:st|nd|rd|th)?,[ -]*(\d{4})$/, (m = '', d = '', y = '') => named(y, m, d)],
  [/^([a-z]+\.?) (\d{1,2})(?:st|nd|rd|th)? (\d{4})$/, (m = '', d = '', y = '') => named(y, m, d)],
  [/^(\d{4})[- ]([a-z]+)[- ](\d{1,2})$/, (y = '', m = '', d = '') => named(y, m, d)],
  [/^[qt]([1-4])[ /'-]*(\d{4}|\d{2})$/, (q = '', y = '') => quarter(y, q)],
  [/^(\d{4})[ /:-]*[qt]([1-4])$/, (y = '', q = '') => quarter(y, q)],
  [/^([1-4])(?:\.|st|nd|rd|th|er|e)? ?(?:quartal|quarter|trimestre|q|trim\.?)[ /-]*(\d{4})$/, (q = '', y = '') => quarter(y, q)],
  [/^(\d{4})[ /-]*(?:w|kw|s)[ -]?(\d{1,2})$/, (y = '', w = '') => week(y, w)],
  [/^(?:w|kw|week|wk|s|sem\.?|semaine)[ .]*(\d{1,2})[ /,-]+(\d{4})$/, (w = '', y = '') => week(y, w)],
];

const slashed = (a: string, b: string, year: string): Forms => [
  dayOf(yearOf(year), Number(b), Number(a)),
  dayOf(yearOf(year), Number(a), Number(b)),
];

function dayForms(text: string): Forms | null {
  const rest = text.replace(weekday, '');
  for (const [form, read] of readers) {
    const found = form.exec(rest);
    const forms = found === null ? null : read(...found.slice(1));
    if (forms !== null) return forms;
  }
  return null;
}

/** Returns whether a text is a bare number that may also be a date: `2024`, `202401`, `20240131`, or seconds or milliseconds since 1970. */
export const isCompactDate = (text: string): boolean => /^\s*(?:\d{4}(?:\d{2}){0,2}|\d{10}|\d{13})\s*$/.test(text);

const two = (value: number): string => String(value).padStart(2, '0');

/** Returns the day as ISO 8601 writes it. */
export const dayText = ({ year, month, day }: Day): string => `${year}-${two(month)}-${two(day)}`;

/** Returns the civil date, with its time if it has one: `2026-12-01 16:00`. */
export const civilText = (date: CivilDate): string =>
  date.time === null ? dayText(date) : `${dayText(date)} ${date.time.replace(/:00$/, '')}`;

type Order = 'dmy' | 'mdy';

interface DateCell {
  readonly entry: ColumnCell;
  readonly at: number;
  readonly forms: DateForms;
}

const advice = 'Write dates such as 2024-01-31, 31.01.2024, Jan 2024 or 2024-W05, each with its year.';

function dateFault(text: string): readonly [cause: string, advice: string] {
  if (/^\s*[2-6]\d{4}(?:[.,]\d+)?\s*$/.test(text))
    return [
      'numbers in place of dates',
      'If a spreadsheet counts days so, format the cells as dates there and save the file again.',
    ];
  if (/\bFY ?'?\d\d/i.test(text))
    return [
      'fiscal periods',
      'They are no dates of the calendar. Leave the column out (--map "COLUMN=-"): the rows are then equal steps.',
    ];
  if (/ (?:2[5-9]:\d\d|\d\d? ?[A-D])$/i.test(text))
    return [
      'hours that no clock shows',
      'Where clocks go back, give the extra hour the number of the one before it: their sum or mean then counts.',
    ];
  return [/^\D*$/.test(text) ? 'text, not a date' : 'dates that cannot be read or do not exist', advice];
}

export function readDates(column: Column, { dateOrder }: { readonly dateOrder?: Order | undefined }): ColumnReading<CivilDate> {
  const list = new FaultList();
  const cells: DateCell[] = [];
  column.cells.forEach((entry, at) => {
    if (isMissing(entry.cell) || list.addFaultCell(entry)) return;
    const forms = readDate(textOf(entry.cell));
    if (forms !== null) cells.push({ entry, at, forms });
    else list.add(entry, ...dateFault(textOf(entry.cell)));
  });
  const order = orderOf(cells, dateOrder);
  if (order === null) {
    // Neither order fits: the cells that the more frequent one does not read are listed.
    const [dmy, mdy] = [cells.filter(({ forms }) => forms.dmy === null), cells.filter(({ forms }) => forms.mdy === null)];
    for (const { entry } of dmy.length <= mdy.length ? dmy : mdy)
      list.add(entry, 'dates with day and month in another order', advice);
  }
  if (typeof order === 'string' && mayBeDays(cells, order))
    for (const { entry } of cells) list.add(entry, 'two digits that may be a year or a day', 'Write years with four digits.');
  if (list.faults.length > 0) return { outcome: 'faulty', faults: list.faults };
  if (order !== null && typeof order !== 'string') return ambiguity(order);
  const values: (CivilDate | null)[] = column.cells.map(() => null);
  // Workbooks may hold days with a time. It counts only where some cell has another time than midnight.
  const isDays = cells.every(({ entry, forms }) => entry.cell.type === 'date' && /^(?:00:00:00)?$/.test(forms.dmy?.time ?? ''));
  for (const { at, forms } of cells) {
    const date = forms[order ?? 'dmy'];
    values[at] = date !== null && isDays ? { ...date, time: null } : date;
  }
  return { outcome: 'read', values, unit: null, notes: [] };
}

const two_digits = /^(?:(?<year>\d\d)[/-](?<month>\d\d)[/-]|(?<name>\p{L}+)\.? )(?<day>\d\d)$/u;
/** Fewer dates may be in an order by chance. */
const ordered_rows_min = 6;
const isAscending = (texts: readonly string[]): boolean => texts.every((text, i) => i === 0 || (texts[i - 1] ?? '') <= text);
const isSorted = (texts: readonly string[]): boolean => isAscending(texts) || isAscending(texts.toReversed());

/**
 * Returns whether two digits that are read as a year may be a day: a month has several, as in `Jan 30` and `Jan 31`, or the rows are in their order
 * with the year first, as in `24-01-31`, and otherwise are not, or only count years.
 */
function mayBeDays(cells: readonly DateCell[], order: Order): boolean {
  const parts = cells.map(({ entry }) => two_digits.exec(textOf(entry.cell).trim())?.groups ?? {});
  if (parts.some(({ day }) => day === undefined)) return false;
  const isNext = ({ name, day }: Readonly<Record<string, string>>, i: number): boolean =>
    name !== undefined && name === parts[i - 1]?.['name'] && day !== parts[i - 1]?.['day'];
  if (parts.some(isNext)) return true;
  if (parts.length < ordered_rows_min || parts.some(({ year }) => year === undefined)) return false;
  const read = cells.map(({ forms }) => dayText(forms[order] ?? { year: 0, month: 0, day: 0 }));
  const isYearly = new Set(read.map((text) => text.slice(4))).size === 1 && new Set(read).size > 1;
  return isSorted(parts.map(({ year = '', month = '', day = '' }) => year + month + day)) && (isYearly || !isSorted(read));
}

/** Returns the order that fits every cell, the first cell in which two that fit differ, or null where none fits. */
function orderOf(cells: readonly DateCell[], given: Order | undefined): Order | DateCell | null {
  const fits = (order: Order): boolean => cells.every(({ forms }) => forms[order] !== null);
  const [dmy, mdy] = [fits('dmy'), fits('mdy')];
  if (!dmy && !mdy) return null;
  if (!dmy || !mdy) return dmy ? 'dmy' : 'mdy';
  const differs = ({ forms }: DateCell): boolean =>
    forms.dmy !== null && forms.mdy !== null && civilText(forms.dmy) !== civilText(forms.mdy);
  return given ?? cells.find(differs) ?? 'dmy';
}

function ambiguity({ entry, forms }: DateCell): ColumnReading<CivilDate> {
  const text = textOf(entry.cell).trim();
  const reading = (dateOrder: Order, words: string) => {
    const date = forms[dateOrder];
    return { label: `Read ${text} as ${date === null ? '' : civilText(date)} (${words})`, option: { dateOrder } };
  };
  const readings = [reading('dmy', 'day first'), reading('mdy', 'month first')];
  return { outcome: 'choice', choice: { about: 'date', cell: text, row: entry.row, readings } };
}

/** Returns whether all values of a column are dates, or a share of them. Bare numbers such as 2024 count only where `compact` is true. */
export function isDateColumn(column: Column, compact: boolean, share = 1): boolean {
  const isDate = ({ cell }: ColumnCell): boolean =>
    cell.type === 'date' || (cell.type === 'text' && (compact || !isCompactDate(cell.text)) && readDate(cell.text) !== null);
  const first = column.cells.find(({ cell }) => !isMissing(cell));
  // A wide table has millions of cells: most of its columns are told by their first one.
  if (first === undefined || (share === 1 && !isDate(first))) return false;
  const present = column.cells.filter(({ cell }) => !isMissing(cell));
  return present.filter(isDate).length >= present.length * share;
}

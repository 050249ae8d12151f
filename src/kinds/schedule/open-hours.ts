/** Open hours as people write them, a line for some days of the week or for a date: `mon-fri 08:00-12:00 13:00-17:00`, `2026-12-25 closed`. */
import { type Calendar, week_days } from './clock.js';

const otherDays = ['lun mon', 'mar die', 'mer mit', 'jeu don', 'ven fre', 'sam', 'dim son'].map((names) => names.split(' '));
/** Days in English, French and German. Two letters are enough, but those of “di”, which is dimanche and Dienstag. */
const dayForms = week_days.map((day, i) => {
  const names = [day, ...(otherDays[i] ?? [])].flatMap((name) => [name, name.slice(0, 2)]);
  return new RegExp(`^(?:${names.filter((name) => name !== 'di').join('|')})[.:]?$`, 'i');
});
const closed = /^(?:closed|fermé|geschlossen)$/i;

const placeOf = (name: string): number => dayForms.findIndex((form) => form.test(name.slice(0, 3)));

/** Returns hours such as 8-17, 8h30-17h and 8.30-17.00 as the mission has them. What is no time stays. */
const hoursOf = (word: string): string =>
  word.replace(/(?<=^|-)(\d\d?)(?:[:h.](\d\d)?)?(?=-|$)/gi, (_, hour: string, min = '00') => `${hour.padStart(2, '0')}:${min}`);

/** Returns the days that a word such as mon-fri names. A name that is no day's stays, so that it is refused by its name. */
function daysOf(word: string): readonly string[] {
  const [first = -1, last = first] = word.split('-').map(placeOf);
  if (first < 0 || last < 0) return [word];
  return Array.from({ length: ((last - first + 7) % 7) + 1 }, (_, i) => week_days[(first + i) % 7] ?? '');
}

/** Returns the calendar of a text; undefined for a blank. What is no day or no time stays in its place, so that it is refused there. */
export function calendarOf(text: string) {
  if (text.trim() === '') return undefined;
  const weekly: Record<string, readonly string[]> = {};
  const holidays: string[] = [];
  const extra: { readonly date: string; readonly hours: readonly string[] }[] = [];
  for (const line of text.replaceAll(/[ \t]*[-–][ \t]*/g, '-').split(/[\n;]/)) {
    const [when, ...rest] = line.split(/[\s,]+/).filter((word) => word !== '');
    const isClosed = rest.some((word) => closed.test(word));
    const hours = rest.filter((word) => !/^uhr$/i.test(word)).map(hoursOf);
    if (when === undefined) continue;
    if (/^\d/.test(when)) {
      if (isClosed) holidays.push(when);
      else extra.push({ date: when, hours });
    } else if (!isClosed) for (const day of daysOf(when)) weekly[day] = [...(weekly[day] ?? []), ...hours];
  }
  return { weekly, ...(holidays.length > 0 ? { holidays } : {}), ...(extra.length > 0 ? { extra } : {}) };
}

/** Returns the text of a calendar, days with the same hours together. */
export function calendarText(value: unknown): string {
  if (value === undefined || value === null) return '';
  const { weekly, holidays = [], extra = [] } = value as Calendar;
  const days: { first: string; last: string; hours: string }[] = [];
  for (const day of week_days) {
    const hours = (weekly[day] ?? []).join(' ');
    const before = days.at(-1);
    if (before?.hours === hours) before.last = day;
    else days.push({ first: day, last: day, hours });
  }
  return [
    ...days.flatMap(({ first, last, hours }) =>
      hours === '' ? [] : [`${first === last ? first : `${first}-${last}`} ${hours}`],
    ),
    ...extra.map(({ date, hours }) => `${date} ${hours.join(' ')}`),
    ...holidays.map((date) => `${date} closed`),
  ].join('\n');
}

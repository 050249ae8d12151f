/** The open hours of a shop as lines of text: days of the week or dates, and their hours. */
import { week_days } from '../../../../kinds/schedule/clock.js';

const french = ['lun', 'mar', 'mer', 'jeu', 'ven', 'sam', 'dim'];
const closed = /^(?:closed|fermé)$/i;

const placeOf = (name: string): number => {
  const short = name.slice(0, 3).toLowerCase();
  return Math.max(
    week_days.findIndex((day) => day === short),
    french.indexOf(short),
  );
};

/** Returns the days that a word such as mon-fri names. A name that is no day's stays, so that it is refused by its name. */
function daysOf(word: string): readonly string[] {
  const [first = -1, last = first] = word.split('-').map(placeOf);
  if (first < 0 || last < 0) return [word];
  return Array.from({ length: ((last - first + 7) % 7) + 1 }, (_, i) => week_days[(first + i) % 7] ?? '');
}

/** Returns the calendar of a text; undefined for a blank. What is no day or no time stays in its place, so that it is refused there. */
export function calendarOf(text: string): unknown {
  if (text.trim() === '') return undefined;
  const weekly: Record<string, readonly string[]> = {};
  const holidays: string[] = [];
  const extra: { readonly date: string; readonly hours: readonly string[] }[] = [];
  for (const line of text.replaceAll(/[ \t]*[-–][ \t]*/g, '-').split(/[\n;]/)) {
    const [when, ...rest] = line.split(/[\s,]+/).filter((word) => word !== '');
    const isClosed = rest.some((word) => closed.test(word));
    const hours = rest.map((word) => word.replaceAll(/\b\d:/g, '0$&'));
    if (when === undefined) continue;
    if (/^\d/.test(when)) {
      if (isClosed) holidays.push(when);
      else extra.push({ date: when, hours });
    } else if (!isClosed) for (const day of daysOf(when)) weekly[day] = [...(weekly[day] ?? []), ...hours];
  }
  return { weekly, ...(holidays.length > 0 ? { holidays } : {}), ...(extra.length > 0 ? { extra } : {}) };
}

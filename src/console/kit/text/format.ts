/** Numbers and times in the reader's locale. */

export type Format = ReturnType<typeof formatFor>;

/** Smaller numbers fit beside an axis as they are. */
const short_max = 1e6;
const minute_ms = 60_000;
const hour_ms = 60 * minute_ms;
const day_ms = 24 * hour_ms;

export function formatFor(locale: string, timeZone?: string) {
  const zone = timeZone === undefined ? {} : { timeZone };
  const integer = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const exact = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 });
  const plain = new Intl.NumberFormat(locale, { maximumSignificantDigits: 6 });
  const precise = new Intl.NumberFormat(locale, { notation: 'scientific', maximumSignificantDigits: 6 });
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const tiny = new Intl.NumberFormat(locale, { style: 'percent', maximumSignificantDigits: 1 });
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', ...zone });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short', ...zone });
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'medium', ...zone });
  const utc = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options });
  const day = utc({ dateStyle: 'medium' });
  const dayTime = utc({ dateStyle: 'medium', timeStyle: 'short' });
  const parts = {
    year: utc({ year: 'numeric' }),
    month: utc({ year: 'numeric', month: 'short' }),
    day,
    weekday: utc({ weekday: 'short', day: 'numeric', month: 'short' }),
    hour: utc({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  };
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
  /** Integers in full as far as they are exact; others to six significant digits. */
  const number = (value: number): string => {
    if (Number.isSafeInteger(value)) return integer.format(value === 0 ? 0 : value);
    const size = Math.abs(value);
    if (size < 1e-4 || size >= 1e12) return precise.format(value);
    return size >= 1e6 ? integer.format(value) : plain.format(value);
  };
  return {
    number,
    /** A decimal text with all its digits: `1234.5`. */
    decimal: (text: string): string => exact.format(text as Intl.StringNumericLiteral),
    /** A number that is never too long for the label of an axis. */
    short: (value: number): string => (Math.abs(value) < short_max ? number(value) : precise.format(value)),
    /** Puts a plus sign before numbers above zero. */
    signed: (value: number): string => (value > 0 ? `+${number(value)}` : number(value)),
    /** A share of one. A small share never reads as none, nor nearly all as all. */
    percent: (value: number): string => {
      const size = Math.abs(value);
      if (size > 0 && size < 0.001) return tiny.format(value);
      if (size < 1 && size >= 0.9995) return share.format(Math.sign(value) * 0.999);
      return share.format(value);
    },
    dateTime: (iso: string): string => dateOr(iso, (date) => dateTime.format(date)),
    time: (iso: string): string => dateOr(iso, (date) => time.format(date)),
    /** Hours and minutes. */
    clock: (iso: string): string => dateOr(iso, (date) => clock.format(date)),
    /** A date of a calendar, with its time where it has one, a month or a year, as the clocks of its own offset show it. */
    date: (text: string): string =>
      onCalendar(text, (date) =>
        (/[T ]/i.test(text) ? dayTime : ({ 4: parts.year, 7: parts.month }[text.length] ?? day)).format(date),
      ),
    /** The part of such a date that tells apart steps of a unit: its year, its month, its day, its day of the week, or its day and time. */
    datePart: (text: string, unit: keyof typeof parts): string => onCalendar(text, (date) => parts[unit].format(date)),
    /** How long ago, for the last day; the date before that. */
    ago: (iso: string, now: number): string =>
      dateOr(iso, (date) => {
        const since = now - date.getTime();
        if (since < minute_ms) return relative.format(0, 'second');
        if (since < hour_ms) return relative.format(-Math.floor(since / minute_ms), 'minute');
        if (since < day_ms) return relative.format(-Math.floor(since / hour_ms), 'hour');
        return dateTime.format(date);
      }),
  };
}

/** Prints a time; returns the text unchanged when it is not a time. */
function dateOr(iso: string, print: (date: Date) => string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : print(date);
}

/** Prints a date as its own clocks show it, whatever its offset; returns the text unchanged when it is not a date. */
function onCalendar(text: string, print: (date: Date) => string): string {
  const [, year, month = '1', day = '1', hour = '0', minute = '0'] =
    /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2}).*)?)?)?$/i.exec(text) ?? [];
  if (year === undefined) return text;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute));
  return print(date);
}

/** The beginning of a hash or an id, for tables. */
export const brief = (hash: string, length = 12): string => (hash.length > length ? `${hash.slice(0, length)}…` : hash);

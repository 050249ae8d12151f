/**
 * Working time of a shop and the civil times at which it passes: local, without a zone. Working time counts the open time of the calendar from the
 * start of the schedule. Only whole minutes of the proleptic Gregorian calendar are used, so that every machine computes the same times.
 */
import type * as t from 'io-ts';
import type { calendar } from './civil.js';

export type Calendar = t.TypeOf<typeof calendar>;

/** The members of a schedule that say when its working time passes. */
export interface CivilFrame {
  readonly start?: string | undefined;
  readonly unit: string;
  readonly calendar?: Calendar | undefined;
}

/** An open time of a day, in minutes from midnight. */
type Hours = readonly (readonly [from: number, to: number])[];

/** A place in working time at which a day or another open time begins. */
export interface Opening {
  /** Working time, in the unit of the schedule. */
  readonly at: number;
  /** When work stopped before, such as 2026-12-04 17:00; null where it did not. */
  readonly closed: string | null;
  readonly open: string;
  /** Whether it is the first of its date. */
  readonly isDay: boolean;
}

const day_minutes = 1440;
export const week_days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
/** 1970-01-05, a Monday, in days from 1970-01-01. */
const monday = 4;
const all_hours: Hours = [[0, day_minutes]];
/** The end of the year 9999, in minutes from 1970. */
const end_minute = Date.parse('9999-12-31') / 60_000 + day_minutes;
const openings_days_max = 3_000;

const dayOf = (date: string): number => Date.parse(date.slice(0, 10)) / (day_minutes * 60_000);
const civilOf = (minute: number): string => new Date(minute * 60_000).toISOString().slice(0, 16).replace('T', ' ');

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return hours * 60 + minutes + seconds / 60;
}

const hoursOf = (spans: readonly string[] = []): Hours =>
  spans.map((span) => {
    const [from = '', to = ''] = span.split('-');
    return [minutesOf(from), minutesOf(to)];
  });

/** Returns the minute of a civil time. @param dateOnly the minute of the day that a date without a time of day stands for */
const minuteOf = (moment: string, dateOnly: number): number =>
  dayOf(moment) * day_minutes + (moment.length === 10 ? dateOnly : minutesOf(moment.slice(11)));

/** Returns the least number from `low` on, below `high`, for which a condition holds that holds for all after it; else `high`. */
function firstWhere(low: number, high: number, holds: (value: number) => boolean): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/**
 * Maps working time to civil time and back. A unit is a minute, an hour, or a day: of 24 hours without a calendar, with one an open day, however
 * long it is.
 */
export class Clock {
  readonly #start: number;
  readonly #weekly: readonly Hours[];
  /** Days with other hours than those of the week, in their order; `before` is how much the earlier ones change the open time. */
  readonly #exceptions: { readonly day: number; readonly hours: Hours; readonly before: number }[] = [];
  readonly #isDaily: boolean;
  /** The open time of a unit, in minutes or open days. */
  readonly #unit: number;
  /** The open time before the start. */
  readonly #zero: number;

  constructor(start: string, unit: string, calendar: Calendar | undefined) {
    const isDays = unit.startsWith('day');
    this.#isDaily = isDays && calendar !== undefined;
    this.#unit = this.#isDaily ? 1 : isDays ? day_minutes : unit.startsWith('hour') ? 60 : 1;
    this.#weekly = week_days.map((name) => (calendar === undefined ? all_hours : hoursOf(calendar.weekly[name])));
    const { holidays = [], extra = [] } = calendar ?? {};
    const days = [...holidays.map((date) => ({ date, hours: undefined })), ...extra];
    let before = 0;
    for (const { date, hours } of days.toSorted((a, b) => (a.date < b.date ? -1 : 1))) {
      const exception = { day: dayOf(date), hours: hoursOf(hours), before };
      before += this.#size(exception.hours) - this.#size(this.#weekdayHours(exception.day));
      this.#exceptions.push(exception);
    }
    this.#exceptions.push({ day: Infinity, hours: [], before });
    const minute = Math.ceil(minuteOf(start, 0));
    const midnight = Math.floor(minute / day_minutes) * day_minutes;
    // Work that would start in a pause starts at its end. Where a day is a unit, its pauses are a part of it.
    const [next] = this.#hoursOf(midnight / day_minutes).find(([, to]) => midnight + to > minute) ?? [0];
    this.#start = Math.max(minute, midnight + next);
    this.#zero = Math.floor(this.#openBefore(this.#start));
  }

  /** Returns when work that begins at a working time begins: at the next open minute. */
  startAt(time: number): string {
    const least = this.#zero + time * this.#unit;
    return civilOf(firstWhere(this.#start, end_minute, (minute) => this.#openBefore(minute + 1) > least));
  }

  /** Returns when work that ends at a working time ends: with the last open minute. */
  endAt(time: number): string {
    return civilOf(this.#endMinute(time));
  }

  /** Returns the working time of the first open minute from a release on, rounded up to whole units; a date begins at midnight. */
  release(moment: string): number {
    const minute = Math.ceil(minuteOf(moment, 0));
    return minute <= this.#start ? 0 : Math.ceil((this.#openBefore(minute) - this.#zero) / this.#unit);
  }

  /** Returns the working time of the last open minute until a due time, rounded down to whole units; a date ends at midnight. */
  due(moment: string): number {
    const minute = Math.floor(minuteOf(moment, day_minutes));
    return Math.max(0, Math.floor((this.#openBefore(minute) - this.#zero) / this.#unit));
  }

  /** Returns whether a working time passes before the end of the year 9999. */
  holds(time: number): boolean {
    return this.#openBefore(end_minute) >= this.#zero + time * this.#unit;
  }

  /** Returns where days and other open times begin, until a working time; none where these are more than 3000 days. */
  openings(until: number): readonly Opening[] {
    const [first, end] = [Math.floor(this.#start / day_minutes), this.#endMinute(until)];
    if (end / day_minutes - first > openings_days_max) return [];
    const openings: Opening[] = [];
    let closed: number | null = null;
    for (let day = first; day * day_minutes < end; day++) {
      let isDay = true;
      for (const [from, to] of this.#hoursOf(day)) {
        const open = Math.max(day * day_minutes + from, this.#start);
        if (day * day_minutes + to <= open || open >= end) continue;
        const pause = closed === null || closed === open ? null : civilOf(closed);
        if (isDay || !this.#isDaily) openings.push({ at: this.#timeOf(open), closed: pause, open: civilOf(open), isDay });
        closed = day * day_minutes + to;
        isDay = false;
      }
    }
    return openings;
  }

  #timeOf(minute: number): number {
    return (
      (this.#isDaily ? Math.floor(this.#openBefore(minute)) - this.#zero : this.#openBefore(minute) - this.#zero) / this.#unit
    );
  }

  #endMinute(time: number): number {
    const least = this.#zero + time * this.#unit;
    return firstWhere(this.#start, end_minute, (minute) => this.#openBefore(minute) >= least);
  }

  /** Returns the open time before a minute. Of an open day that counts as a whole, a half is over from its opening on. */
  #openBefore(minute: number): number {
    const day = Math.floor(minute / day_minutes);
    const time = minute - day * day_minutes;
    const hours = this.#hoursOf(day);
    const { before } = this.#exceptionFrom(day);
    const weeks = Math.floor((day - monday) / 7);
    const week = this.#weekly.reduce((sum, each) => sum + this.#size(each), 0);
    const days = this.#weekly.slice(0, day - monday - weeks * 7).reduce((sum, each) => sum + this.#size(each), 0);
    return before + weeks * week + days + (this.#isDaily ? shareOf(hours, time) : minutesUntil(hours, time));
  }

  #size(hours: Hours): number {
    return this.#isDaily ? Math.min(1, hours.length) : minutesUntil(hours, day_minutes);
  }

  #hoursOf(day: number): Hours {
    const exception = this.#exceptionFrom(day);
    return exception.day === day ? exception.hours : this.#weekdayHours(day);
  }

  #weekdayHours(day: number): Hours {
    return this.#weekly[(((day - monday) % 7) + 7) % 7] ?? [];
  }

  /** Returns the first exception that is not before a day. */
  #exceptionFrom(day: number): { readonly day: number; readonly hours: Hours; readonly before: number } {
    const at = firstWhere(0, this.#exceptions.length - 1, (i) => (this.#exceptions[i]?.day ?? 0) >= day);
    return this.#exceptions[at] ?? { day: Infinity, hours: [], before: 0 };
  }
}

const minutesUntil = (hours: Hours, time: number): number =>
  hours.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(time, to) - from), 0);

const shareOf = (hours: Hours, time: number): number =>
  time <= (hours[0]?.[0] ?? day_minutes) ? 0 : time >= (hours.at(-1)?.[1] ?? 0) ? 1 : 0.5;

/** Returns the clock of a schedule; null for one without a start. */
export const clockOf = ({ start, unit, calendar }: CivilFrame): Clock | null =>
  start === undefined ? null : new Clock(start, unit, calendar);

interface Operation {
  /** Position in the job, from 0. */
  readonly operation: number;
  readonly start: number;
  readonly end: number;
}

export interface CivilTimes {
  readonly start_at?: string;
  readonly end_at?: string;
}

/**
 * Returns operations, those of a job one after the other, with their civil times. One that takes no time is done as soon as the one before it ends.
 */
export function withCivilTimes<O extends Operation>(operations: readonly O[], clock: Clock | null): readonly (O & CivilTimes)[] {
  if (clock === null) return operations;
  let before = '';
  return operations.map((each) => {
    const { operation, start, end } = each;
    const start_at = end === start && operation > 0 ? before : clock.startAt(start);
    before = end === start ? start_at : clock.endAt(end);
    return { ...each, start_at, end_at: before };
  });
}

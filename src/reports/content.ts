/**
 * The content of a report, whatever file it becomes: the question, the answer with its figures, its picture and its tables, and what it does not say.
 * Everything here depends on the record alone, on every machine and in every browser: no clock, locale or zone, and of the tables of
 * Unicode, which grow with each version, nothing.
 */
import type { ExplainedTerm } from '../kinds/explained.js';
import { figure, percent } from '../pictures/screen.js';

/** `{ date }` is a civil date such as 2026-01-31, with a time such as 08:00 or without, or a month or a year; `exact` is the same with its zone, for other programs. */
export type Cell = string | number | null | { readonly date: string; readonly exact?: string };

export type Row = readonly Cell[];

export interface ReportTable {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly Row[];
  /** Whether it is what a CSV file holds, in place of the first one; on a terminal the drawing of the kind takes its place. */
  readonly isData?: boolean;
}

export interface Chart {
  readonly title: string;
  /** What it shows, for who does not see it. */
  readonly alt: string;
  /** The elements within the drawing, whose texts are escaped. */
  readonly svg: string;
  readonly height: number;
  /** The class of each sign, and what it stands for. */
  readonly legend: readonly (readonly [style: string, text: string])[];
}

/** An operation of a schedule on the wall clock: civil times without a zone, such as 2026-12-07 08:00. */
export interface CalendarEvent {
  /** The ids and names of its job and its machine. */
  readonly job: IdAndName;
  readonly machine: IdAndName;
  /** The place of the operation in its job, from 1. */
  readonly step: number;
  readonly start: string;
  readonly end: string;
}

interface IdAndName {
  readonly id: string;
  readonly name: string;
}

export type Fact = readonly [name: string, value: string, note?: string | undefined];

export interface Content {
  /** What was to be found out, in a sentence. */
  readonly question: string;
  readonly inputs: readonly Fact[];
  /** The answer in a sentence. */
  readonly answer: string;
  readonly figures: readonly Fact[];
  readonly chart: Chart | null;
  /** The first one is the answer. */
  readonly tables: readonly ReportTable[];
  /** A text that is read as it is, such as a program. */
  readonly listing?: string;
  /** For a schedule with a start. */
  readonly events?: readonly CalendarEvent[];
  readonly limits: readonly string[];
  readonly terms: readonly ExplainedTerm[];
}

/** Returns a number for people: the integer part in groups, others to six significant digits. */
export const numberText = (value: number): string => grouped(figure(value));

/** Returns a number as text with a comma before each three digits; one of four digits has none. */
export const grouped = (text: string): string => text.replace(/^-?\d{5,}/, (digits) => digits.replace(/\B(?=(?:\d{3})+$)/g, ','));

const lead_digits = 4;

/** Returns a number that people read first; tables have more digits. */
export const leadText = (value: number): string =>
  Number.isInteger(value) ? numberText(value) : numberText(Number(value.toPrecision(lead_digits)));

/** Returns a share of one in per cent, for a table: three digits, and none below a thousandth. */
export const perCent = (share: number): number => Number(Number((share * 100).toPrecision(3)).toFixed(3));

/** Returns how a result compares with its baseline. @param improvement what it is better by, as a share; negative for what is worse */
export const comparedText = (improvement: number): string =>
  improvement === 0 ? 'as good as this' : `this is ${percent(Math.abs(improvement))} ${improvement > 0 ? 'better' : 'worse'}`;

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Returns a civil time such as 2026-12-07 08:00 with its day of the week, which a month has not. */
export function momentText(moment: string): string {
  const day = new Date(`${moment.slice(0, 10)}T00:00:00Z`).getUTCDay();
  return moment.length < 'YYYY-MM-DD'.length ? moment : `${weekdays[day] ?? ''} ${moment}`.trim();
}

const months = 'January February March April May June July August September October November December'.split(' ');

/** Returns a moment of the journal, such as 2026-11-26T09:24:41.120000Z, as people write it. */
export function utcText(time: string): string {
  const [, year, month, day, clock] = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}:\d{2}:\d{2})/.exec(time) ?? [];
  return year === undefined ? time : `${Number(day)} ${months[Number(month) - 1]} ${year}, ${clock} UTC`;
}

export const textsOf = (limits: string | readonly string[]): readonly string[] =>
  typeof limits !== 'string' ? limits : limits === '' ? [] : [limits];

/** RFC 3339 times in UTC with six fractional digits: fixed width, so that text order is time order. */
import { Fault } from './refusal.js';

/** Returns milliseconds since 1970-01-01T00:00:00Z, an integer. Code that needs the time takes a clock as an argument. */
export type Clock = () => number;

export const timePattern = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z$/;

let known = { ms: 0, text: '1970-01-01T00:00:00.000000Z' };

/** Entries of one moment share its text, so the last one is kept. */
export function formatTime(ms: number): string {
  if (ms !== known.ms) known = { ms, text: new Date(ms).toISOString().replace('Z', '000Z') };
  return known.text;
}

/** Returns the text of a moment that is to be recorded. @throws Fault where it has no text of this width: a journal with another could not be read */
export function recordedTime(ms: number): string {
  const time = formatTime(ms);
  if (!timePattern.test(time)) throw new Fault(`the clock of this machine is at ${time}: set it`);
  return time;
}

export const parseTime = (time: string): number => Date.parse(time);

/** Returns the time for a decimal text of nanoseconds since 1970 (more digits than a double has), cut to microseconds; null for any other text. */
export function timeOfNanoseconds(digits: string | null): string | null {
  if (digits === null || !/^[0-9]{10,19}$/.test(digits)) return null;
  const micros = digits.slice(0, -3);
  return formatTime(Number(micros.slice(0, -3))).replace('000Z', `${micros.slice(-3)}Z`);
}

/** Returns what a time of fixed width is compared with, as text, to tell whether it is before a date or a time of fewer digits. */
export const boundOf = (moment: string): string => moment.replace(/Z$/, '');

/** How far work was at a moment. */
export interface Mark {
  /** Milliseconds on any clock that only advances. */
  readonly at: number;
  /** The share that was done, from 0 to 1. */
  readonly done: number;
}

/** Shorter observations say too little. */
const observed_ms_min = 5_000;
const observed_share_min = 0.02;

/** Returns the expected time in whole seconds, if the work continues as it did since `first`; null while too little was seen of it, and at its end. */
export function remainingSeconds(first: Mark, now: Mark): number | null {
  const [elapsed, share] = [now.at - first.at, now.done - first.done];
  if (elapsed < observed_ms_min || share < observed_share_min || now.done >= 1) return null;
  return Math.ceil(((elapsed / share) * (1 - now.done)) / 1_000);
}

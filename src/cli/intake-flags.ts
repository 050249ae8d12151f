/** The flags that say how a file is to be read, and what they ask for. */
import { Flags, type Interfaces } from '@oclif/core';
import type { Json } from '../base/canonical-json.js';
import { parseJson } from '../base/json.js';
import { invalid, isRefused, RefusalError } from '../base/refusal.js';
import type { Kind } from '../codec/kinds.js';
import type { IntakeOptions } from '../codec/api-intake.js';
import { calendarOf } from '../kinds/schedule/open-hours.js';

/** The kinds of missions that are made from files. */
export const readKinds = ['forecast', 'schedule', 'allocation', 'research'] as const satisfies readonly Kind[];
export type ReadKind = (typeof readKinds)[number];

const helpGroup = 'READING';
const named = { helpGroup, helpValue: 'NAME' };

export const intakeFlags = {
  goal: Flags.string({ description: 'what the mission is for, in a sentence', helpValue: 'TEXT', helpGroup }),
  set: Flags.string({
    description:
      'set a member that the file does not give, or change one with --from, such as budget=25000; the value is JSON, or else text',
    helpValue: 'MEMBER=VALUE',
    helpGroup,
    multiple: true,
    multipleNonGreedy: true,
  }),
  map: Flags.string({
    description: 'the member that a column becomes, such as "Benefit=value"',
    helpValue: 'COLUMN=MEMBER',
    helpGroup,
    multiple: true,
    multipleNonGreedy: true,
  }),
  where: Flags.string({
    description: 'read only the rows that have a text in a column, such as "Store=Bonn"',
    helpValue: 'COLUMN=TEXT',
    helpGroup,
    multiple: true,
    multipleNonGreedy: true,
  }),
  sheet: Flags.string({ description: 'the sheet of a workbook, by default the first visible one that has rows', ...named }),
  column: Flags.string({ description: 'the column of the values of a series', ...named }),
  'date-column': Flags.string({ description: 'the column of the dates of a series', ...named }),
  decimal: Flags.string({ description: 'the decimal mark of the numbers', options: ['.', ','], helpGroup }),
  'date-order': Flags.string({ description: 'what comes first in dates such as 01/02/2024', options: ['dmy', 'mdy'], helpGroup }),
  gaps: Flags.string({
    description: 'what dates without a value mean in a series',
    options: ['interpolate', 'zero', 'previous'],
    helpGroup,
  }),
  sum: Flags.boolean({ description: 'add up several rows of a date', exclusive: ['mean'], helpGroup }),
  mean: Flags.boolean({ description: 'take the mean of several rows of a date', helpGroup }),
  every: Flags.string({
    description: 'a coarser step of a series, such as month; needs --sum or --mean',
    helpValue: 'STEP',
    helpGroup,
  }),
  'keep-partial': Flags.boolean({ description: 'keep an incomplete first or last period of --every', helpGroup }),
  scale: Flags.string({
    description: 'numbers in place of words, such as "Low=1,Medium=2,High=3"',
    helpValue: 'WORD=NUMBER,…',
    helpGroup,
  }),
  unit: Flags.string({ description: 'the unit of time of a schedule', options: ['minute', 'hour', 'day'], helpGroup }),
  'no-names': Flags.boolean({ description: 'leave the names of the files out of the mission', helpGroup }),
};

export type IntakeFlags = Interfaces.InferredFlags<typeof intakeFlags>;

/** What a flag gives that is no option as it is typed. */
const readers: Readonly<Record<string, (given: never) => object>> = {
  map: (pairs: readonly string[]) => ({
    map: Object.fromEntries(pairs.map((pair) => pairOf('map', pair, pair.lastIndexOf('=')))),
  }),
  where: (pairs: readonly string[]) => ({
    where: Object.fromEntries(pairs.map((pair) => pairOf('where', pair, pair.indexOf('=')))),
  }),
  set: (pairs: readonly string[]) => ({ set: Object.fromEntries(pairs.map(memberOf)) }),
  scale: (text: string) => ({ scale: scaleOf(text) }),
  'no-names': () => ({ names: false }),
};

/** @throws RefusalError `invalid` for a pair without `=` and a number that is none */
export function intakeOptions(flags: IntakeFlags): IntakeOptions {
  const options = Object.keys(intakeFlags).map((flag): object => {
    const given = flags[flag as keyof IntakeFlags];
    if (given === undefined) return {};
    const name = flag.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return readers[flag]?.(given as never) ?? { [name]: given };
  });
  return Object.assign({}, ...options) as IntakeOptions;
}

function pairOf(flag: string, pair: string, at: number): readonly [string, string] {
  if (at <= 0) throw new RefusalError(invalid(`--${flag}`, `"${pair}" has no name and value with = between them`));
  return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
}

export function memberOf(pair: string): readonly [string, Json] {
  const [member, text] = pairOf('set', pair, pair.indexOf('='));
  const value = valueOf(text);
  // Open hours may be written as in the console.
  return [member, member === 'calendar' && typeof value === 'string' ? (calendarOf(value) ?? '') : value];
}

/** Returns what a text is as JSON, or the text itself. @throws RefusalError `invalid` for 25.000, which is 25000 in some countries */
export function valueOf(text: string): Json {
  const whole = text.replace('.', '');
  if (/^-?[1-9]\d{0,2}\.\d{3}$/.test(text))
    throw new RefusalError(invalid('--set', `${text} may be ${Number(text)} or ${whole}; write ${whole} or ${text}0`));
  const parsed = parseJson(text);
  return isRefused(parsed) ? text : parsed.right;
}

/** Reads words and their numbers, such as `Low=1,High=3`. @throws RefusalError `invalid` */
export const scaleOf = (text: string): Record<string, number> => Object.fromEntries(text.split(',').map(numberOf));

function numberOf(pair: string): readonly [string, number] {
  const [word, text] = pairOf('scale', pair, pair.lastIndexOf('='));
  const value = Number(text);
  if (text === '' || !Number.isFinite(value)) throw new RefusalError(invalid('--scale', `"${text}" is not a number`));
  return [word, value];
}

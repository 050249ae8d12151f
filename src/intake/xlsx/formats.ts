/**
 * What a number of a workbook means by the format of its cell (ECMA-376 part 1, 18.8.30 and 18.8.31): a date, a time, a percentage, an amount of a
 * currency or another unit, or a plain number.
 */
import { unitOf } from '../cells/units.js';
import type { Cell } from '../types.js';

export type NumberFormat =
  | { readonly type: 'number' | 'date' | 'moment' | 'time' | 'percent' }
  | { readonly type: 'amount'; readonly unit: string };

const plain: NumberFormat = { type: 'number' };

/** The formats that have a number in place of a text. 27 to 36 and 50 to 58 are dates of East Asia. */
const builtIn: readonly (readonly [from: number, to: number, type: 'date' | 'moment' | 'time' | 'percent'])[] = [
  [9, 10, 'percent'],
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'moment'],
  [27, 36, 'date'],
  [45, 47, 'time'],
  [50, 58, 'date'],
];

/** @param id `numFmtId` @param code `formatCode` where the workbook has one */
export function formatOf(id: number, code: string | undefined): NumberFormat {
  if (code !== undefined) return code.length > code_chars_max ? plain : formatOfCode(code);
  const type = builtIn.find(([from, to]) => id >= from && id <= to)?.[2];
  return type === undefined ? plain : { type };
}

/** Characters of a format: Excel writes no more, and the patterns below take long for a longer one. */
const code_chars_max = 255;
/** The parts of a format that stand for themselves: quoted and escaped text, spaces of a width, fillers, colours and conditions. */
const literal = /"[^"]*"|\\.|_.|\*.|\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi;
/** The text right behind the digits: a comma between them would divide the number by a thousand. */
const behind = /(?:[0#?]|General)(?<text>(?:"[^"]*"|\\.|_.|\*.| )+)$/;
const currencyUnit = /\[\$([^\]-]+)(?:-[^\]]*)?\]|"\s*([A-Z]{0,3}[€£$¥₹]|[A-Z]{3}|(?:Fr|Rs|kr)(?=\W))\.?\s*"|([€£$¥₹])/;

function formatOfCode(code: string): NumberFormat {
  const section = code.replace(/\[\$-[^\]]*\]/g, '').split(';', 1)[0] ?? '';
  const bare = section.replace(literal, '');
  if (/[yd]/i.test(bare)) return { type: /h/i.test(bare) ? 'moment' : 'date' };
  if (/[hs]|\[m/i.test(bare)) return { type: 'time' };
  if (/m/i.test(bare)) return { type: 'date' };
  if (bare.includes('%')) return { type: 'percent' };
  const found = currencyUnit.exec(section);
  const unit = unitBehind(section) ?? (found?.[1] ?? found?.[2] ?? found?.[3] ?? '').trim();
  return unit === '' ? plain : { type: 'amount', unit };
}

/** Returns the unit that a format writes behind a number, as in `0.0 "h"`; null for other words. */
function unitBehind(section: string): string | null {
  const text = behind.exec(section)?.groups?.['text'] ?? '';
  const shown = text.replace(/"([^"]*)"|\\(.)|[_*]./g, '$1$2').trim();
  return unitOf(shown)?.known === true ? shown : null;
}

/** @param text the digits of the file @param isMac whether days are counted from 1904 */
export function numberCell(text: string, format: NumberFormat, isMac: boolean): Cell {
  const value = Number(text);
  const isNumber = text.trim() !== '' && Number.isFinite(value);
  if (!isNumber) return { type: 'text', text };
  if (format.type === 'percent') return { type: 'number', text: timesHundred(value), unit: '%' };
  if (format.type === 'amount') return { type: 'number', text, unit: format.unit };
  if (format.type === 'number' || value < 0) return { type: 'number', text };
  if (format.type === 'time') return { type: 'text', text: durationOf(value) };
  const date = dateOf(value, isMac);
  if (date === null) return { type: 'number', text };
  return { type: 'date', text: format.type === 'moment' ? date : date.replace('T00:00:00', '') };
}

/** Moves the decimal point of the shortest text of a number, so that 0.07 becomes 7 and not 7.000000000000001. */
function timesHundred(value: number): string {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  return String(Number(`${mantissa}e${Number(exponent) + 2}`));
}

const [day_s, hour_s, minute_s] = [86_400, 3_600, 60];
const padded = (n: number): string => String(n).padStart(2, '0');

function durationOf(days: number): string {
  const seconds = Math.round(days * day_s);
  const [hours, minutes, rest] = [seconds / hour_s, (seconds % hour_s) / minute_s, seconds % minute_s].map(Math.floor) as [
    number,
    number,
    number,
  ];
  return `${hours}:${padded(minutes)}${rest === 0 ? '' : `:${padded(rest)}`}`;
}

/** Days from 1970-01-01 back to the day before 1900-01-01, and to 1904-01-01. */
const [epoch_1900, epoch_1904] = [25_568, 24_107];
/** The number of 29 February 1900, a day that did not exist and that workbooks count. */
const false_day = 60;
const last_second = 253_402_300_799;

/** Returns a civil date and time; null for a day that no calendar has. */
function dateOf(serial: number, isMac: boolean): string | null {
  const days = isMac ? serial - epoch_1904 : serial - epoch_1900 - (serial >= false_day ? 1 : 0);
  const seconds = Math.round(days * day_s);
  const isNoDay = !isMac && (serial < 1 || Math.floor(serial) === false_day);
  if (isNoDay || seconds > last_second) return null;
  return new Date(seconds * 1_000).toISOString().slice(0, 19);
}

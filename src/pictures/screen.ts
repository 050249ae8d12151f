/** The characters and colours with which a picture is drawn on a terminal, and numbers as short texts, the same on every machine. */
/** `paper` is black on white, whatever the terminal's own colours are. */
export type Colour = 'red' | 'green' | 'yellow' | 'blue' | 'grey' | 'bold' | 'paper';

export interface Glyphs {
  readonly more: string;
  readonly full: string;
  /** An empty part of a bar; an idle machine. */
  readonly empty: string;
  /** Ever fuller. */
  readonly shades: readonly string[];
  readonly across: string;
  readonly upright: string;
  /** Where a line turns: from below to the right, from the left down, from above to the right, from the left up. */
  readonly turns: readonly [string, string, string, string];
  readonly corner: string;
  readonly tick: string;
  readonly guess: string;
  readonly point: string;
  readonly chosen: string;
}

const unicode: Glyphs = {
  more: '…',
  full: '█',
  empty: '·',
  shades: ['░', '▒', '▓', '█'],
  across: '─',
  upright: '│',
  turns: ['╭', '╮', '╰', '╯'],
  corner: '└',
  tick: '┬',
  guess: '×',
  point: '•',
  chosen: '◆',
};

const ascii: Glyphs = {
  more: '...',
  full: '#',
  empty: '.',
  shades: [':', '=', '%', '#'],
  across: '-',
  upright: '|',
  turns: ['.', '.', "'", "'"],
  corner: '+',
  tick: '+',
  guess: 'x',
  point: 'o',
  chosen: '@',
};

export interface Screen {
  readonly glyphs: Glyphs;
  readonly paint: (colour: Colour, text: string) => string;
  /** The width of a line. */
  readonly columns: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** POSIX: the first of these three that is set and not empty decides. A Windows console takes UTF-8 from Node without them. */
function speaksUtf8(env: Environment, platform: string): boolean {
  if (env['TERM'] === 'dumb') return false;
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((value) => value !== undefined && value !== '');
  return locale === undefined ? platform === 'win32' : /utf-?8/i.test(locale);
}

export const glyphsFor = (env: Environment, platform: string): Glyphs => (speaksUtf8(env, platform) ? unicode : ascii);

/** Numbers from here on have an exponent. */
const plain_max = 1e12;

const short = (value: number, digits: number): string => {
  const rounded = Number(value.toPrecision(digits));
  const size = Math.abs(rounded);
  const plain = size === 0 || (size >= 1e-4 && size < plain_max);
  return (plain ? String(rounded) : rounded.toExponential()).replace('e+', 'e');
};

/** Integers below 10^12 in full; others with this many significant digits, and below 10^12 at least all before the point. */
export function figure(value: number, digits = 6): string {
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < plain_max) return String(value === 0 ? 0 : value);
  return short(value, size < plain_max ? Math.max(digits, String(Math.floor(size)).length) : digits);
}

/** A share of one. A small share never reads as none, nor nearly all as all. */
export function percent(share: number): string {
  const value = share * 100;
  const size = Math.abs(value);
  if (Number.isInteger(value)) return `${figure(value)} %`;
  if (size < 0.1) return `${short(value, 1)} %`;
  const text = value.toFixed(1);
  if (text === '100.0') return value < 100 ? '99.9 %' : '100 %';
  return size >= 1e5 ? `${short(value, 4)} %` : `${text.replace(/\.0$/, '')} %`;
}

export const signed = (value: number): string => (value > 0 ? `+${figure(value)}` : figure(value));

/** Marks of an axis, off by an eighth of the distance between two of them at most. */
export function marks(values: readonly number[], distance: number): string[] {
  const size = values.reduce((most, value) => Math.max(most, Math.abs(value)), distance);
  const least = Math.floor(Math.log10(distance / 4));
  const digits = Math.floor(Math.log10(size)) - least + 1;
  const point = Math.max(0, -least);
  const zero = distance / 1e6;
  return values.map((value) => {
    if (Math.abs(value) < zero) return '0';
    if (size < plain_max && point <= 6) return value.toFixed(point);
    return value.toExponential(Math.min(15, Math.max(1, digits))).replace('e+', 'e');
  });
}

/** Rows of figures to compare: integers as they are, others to about a thousandth of what they all range over. */
export function alike(rows: readonly (readonly number[])[]): string[][] {
  const all = rows.flat();
  const range = all.reduce((a, b) => Math.max(a, b), -Infinity) - all.reduce((a, b) => Math.min(a, b), Infinity);
  const whole = (values: readonly number[]): boolean =>
    values.every((value) => Number.isInteger(value) && Math.abs(value) < plain_max);
  return rows.map((values) =>
    !(range > 0) || whole(values) ? values.map((value) => figure(value)) : marks(values, range / 250),
  );
}

/** How many, in words that agree: `1 job`, `2 jobs`. */
export const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;

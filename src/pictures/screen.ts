/** The characters and colours with which a picture is drawn on a terminal. */
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

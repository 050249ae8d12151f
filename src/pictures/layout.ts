/** Parts that the pictures share: figures with names, bars, tables, and the words for what was left away. */
import { shownText } from '../base/shown.js';
import { clean, columnsOf, padEnd, wrapTo } from './columns.js';
import type { Screen } from './screen.js';

const name_columns = 17;
const indent = '  ';
/** Before names that others chose. */
const deeper = '    ';
const strip_name_columns = 10;

export const heading = (text: string, { paint }: Screen): string => indent + paint('bold', text);

export type Fact = readonly [name: string, value: string];

/** `name  value` lines; a long name or value goes on in the next lines. */
export function facts(entries: readonly Fact[], { paint, columns }: Screen): string[] {
  const value_columns = columns - indent.length - name_columns - 2;
  return entries.flatMap(([name, value]) => {
    const [names, values] = [wrapTo(name, name_columns), wrapTo(clean(value), value_columns)];
    return Array.from({ length: Math.max(names.length, values.length) }, (_, i) => {
      const part = names[i] ?? '';
      const said = values[i] === undefined ? '' : `${' '.repeat(name_columns - part.length + 2)}${values[i]}`;
      return `${indent}${part === '' ? '' : paint('bold', part)}${said}`;
    });
  });
}

/** The parts that have lines, with a blank line between them. */
export const apart = (parts: readonly (readonly string[])[]): string[] =>
  parts.filter((lines) => lines.length > 0).flatMap((lines, i) => (i === 0 ? lines : ['', ...lines]));

/** `part` of `whole` as a bar; more than the whole fills it. */
export function bar(part: number, whole: number, columns: number, { glyphs }: Screen): string {
  const share = whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0;
  const full = share > 0 ? Math.max(1, Math.floor(share * columns)) : 0;
  return glyphs.full.repeat(full) + glyphs.empty.repeat(columns - full);
}

export const more = (left: number, what: string, { glyphs }: Screen): string =>
  `${indent}${glyphs.more} ${left} more ${what} (--json has all)`;

/** Cells in as many columns as fit, read downwards. */
export function tiles(cells: readonly string[], { columns }: Screen): string[] {
  const width = Math.max(1, ...cells.map(columnsOf));
  const gap = 3;
  const across = Math.max(1, Math.min(3, Math.floor((columns - deeper.length + gap) / (width + gap))));
  const high = Math.ceil(cells.length / across);
  return Array.from({ length: high }, (_, y) => {
    const row = Array.from({ length: across }, (_, x) => cells[x * high + y] ?? '');
    return (deeper + row.map((cell) => padEnd(cell, width)).join(' '.repeat(gap))).trimEnd();
  });
}

/** Named rows of figures, one column a step, right-aligned; steps that do not fit follow below. */
export function strip(rows: readonly (readonly [string, readonly string[]])[], { columns }: Screen): string[] {
  const steps = rows.reduce((most, [, cells]) => Math.max(most, cells.length), 0);
  const widest = (cells: readonly string[]): number => cells.reduce((most, cell) => Math.max(most, cell.length), 1);
  const names = Math.max(strip_name_columns, ...rows.map(([name]) => name.length));
  const width = rows.reduce((most, [, cells]) => Math.max(most, widest(cells)), 1) + 1;
  const fits = Math.max(1, Math.floor((columns - indent.length - names - 1) / width));
  const parts = Array.from({ length: Math.ceil(steps / fits) }, (_, part) =>
    rows.map(([name, cells]) => {
      const from = part * fits;
      const row = Array.from({ length: Math.min(fits, steps - from) }, (__, i) => (cells[from + i] ?? '').padStart(width)).join(
        '',
      );
      return `${indent}${name.padEnd(names)} ${row}`.trimEnd();
    }),
  );
  return apart(parts);
}

const gap_columns = 2;
/** A word that is longer than that is broken where a table is wider than the screen. */
const word_columns_max = 22;
/** Words are broken into pieces of at least that many columns. */
const broken_word_columns_min = 8;
/** A longer table whose rows are short is set beside itself. */
const rows_beside_min = 12;

/**
 * A table with a head, whose texts go on below within their column where they do not fit. On a screen too narrow for that, each row's cells stand
 * below one another.
 * @param numeric the columns aligned to the right
 */
export function grid(rows: readonly (readonly string[])[], numeric: readonly boolean[], screen: Screen): string[] {
  const [head = '', ...lines] = gridLines(rows, numeric, screen);
  const isBeside = lines.length >= rows_beside_min && lines.length < rows.length && columnsOf(head) * 2 < screen.columns;
  return [
    screen.paint('bold', head),
    ...(isBeside
      ? tiles(
          lines.map((line) => line.slice(deeper.length)),
          screen,
        )
      : lines),
  ];
}

function gridLines(rows: readonly (readonly string[])[], numeric: readonly boolean[], { columns }: Screen): string[] {
  const widest = (x: number, of: (text: string) => number): number => Math.max(1, ...rows.map((row) => of(row[x] ?? '')));
  const wordsOf = (text: string): number => Math.max(...text.split(' ').map(columnsOf));
  const widths = numeric.map((_, x) => widest(x, columnsOf));
  const least = numeric.map((_, x) => Math.min(word_columns_max, widest(x, wordsOf)));
  const room = columns - deeper.length - gap_columns * (widths.length - 1);
  const narrowest = least.reduce((sum, each, x) => sum + (x === 0 ? each : Math.min(each, broken_word_columns_min)), 0);
  if (narrowest > room) return stackedLines(rows, columns);
  for (let left = widths.reduce((sum, each) => sum + each, 0) - room; left > 0; left--) {
    const spare = widths.map((width, x) => width - (least[x] ?? 0));
    const widestSpare = Math.max(...spare);
    // The first column names the row: its words are not broken.
    const at = widestSpare > 0 ? spare.indexOf(widestSpare) : widths.lastIndexOf(Math.max(...widths.slice(1), 1));
    widths[at] = Math.max(1, (widths[at] ?? 1) - 1);
  }
  return rows.flatMap((row) => {
    const cells = widths.map((width, x) => wrapTo(row[x] ?? '', width));
    return Array.from({ length: Math.max(...cells.map(({ length }) => length)) }, (_, part) => {
      const texts = cells.map((lines, x) => {
        const [text, width] = [lines[part] ?? '', widths[x] ?? 0];
        return numeric[x] === true ? ' '.repeat(Math.max(0, width - columnsOf(text))) + text : padEnd(text, width);
      });
      return (deeper + texts.join(' '.repeat(gap_columns))).trimEnd();
    });
  });
}

/** Lines for each row: its name, then `head: cell` a line. Empty cells are left out. */
function stackedLines([heads = [], ...rows]: readonly (readonly string[])[], columns: number): string[] {
  const cellLines = (cell: string, x: number): string[] => {
    if (x === 0) return wrapTo(cell, columns - deeper.length).map((line) => deeper + line);
    const lines = wrapTo(`${heads[x] ?? ''}: ${cell}`, columns - deeper.length - indent.length);
    return cell === '' ? [] : lines.map((line) => deeper + indent + line);
  };
  return [deeper + (heads[0] ?? ''), ...rows.flatMap((row) => row.flatMap(cellLines))];
}

/**
 * Returns the lines of a program with their numbers. What would move the cursor of a terminal, or is not seen, is shown as its code point. A line that
 * is wider than the screen goes on below, without a number.
 */
export function programLines(code: string, { paint, glyphs, columns }: Screen): string[] {
  const lines = code
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map(shownText);
  const digits = String(lines.length).length;
  return lines.flatMap((line, i) =>
    pieces(line, columns - digits - 5).map((piece, part) => {
      const number = part === 0 ? String(i + 1).padStart(digits) : ' '.repeat(digits);
      return `  ${paint('grey', `${number} ${glyphs.upright}`)} ${piece}`.trimEnd();
    }),
  );
}

/** Cuts a line into pieces that fit, every blank kept. */
function pieces(line: string, columns: number): string[] {
  const found = [''];
  for (const point of line.replaceAll('\t', '    ')) {
    const last = found.at(-1) ?? '';
    if (columnsOf(last + point) > columns) found.push(point);
    else found[found.length - 1] = last + point;
  }
  return found;
}

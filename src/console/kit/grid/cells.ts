/** Cells of a table that is edited: places and areas in it, and what typing, pasting and clearing make of it. */

/** Rows of texts; a row may be shorter than the table is wide, and what it holds beyond stays with it unseen. */
export type Cells = readonly (readonly string[])[];

export interface GridColumn {
  readonly name: string;
  readonly label: string;
  readonly numeric?: boolean;
}

export interface Place {
  readonly row: number;
  readonly col: number;
}

/** A rectangle, its ends included. */
export interface Area {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

export const areaOf = (a: Place, b: Place): Area => ({
  top: Math.min(a.row, b.row),
  left: Math.min(a.col, b.col),
  bottom: Math.max(a.row, b.row),
  right: Math.max(a.col, b.col),
});

export const isInside = ({ top, left, bottom, right }: Area, row: number, col: number): boolean =>
  row >= top && row <= bottom && col >= left && col <= right;

export const cellAt = (cells: Cells, { row, col }: Place): string => cells[row]?.[col] ?? '';

export const isBlankRow = (row: readonly string[]): boolean => row.every((text) => text.trim() === '');

/** Returns the rows up to the last one that is not blank. */
export const filledRows = (cells: Cells): Cells => cells.slice(0, cells.findLastIndex((row) => !isBlankRow(row)) + 1);

/** Puts a block of texts into a table of `width` columns: it grows at its end, and what is beyond its last column is left out. */
export function putBlock(cells: Cells, at: Place, block: Cells, width: number): Cells {
  const rows = [...cells];
  block.forEach((texts, i) => {
    const old = rows[at.row + i] ?? [];
    const row = [...Array.from({ length: width }, (_, col) => old[col] ?? ''), ...old.slice(width)];
    texts.slice(0, width - at.col).forEach((text, j) => (row[at.col + j] = text));
    for (let blank = rows.length; blank < at.row + i; blank++) rows.push([]);
    rows[at.row + i] = row;
  });
  return rows;
}

/** Puts the block into every part of the area when it is a single text, else at the area's beginning, as spreadsheets do. */
export function paste(cells: Cells, area: Area, block: Cells, width: number): Cells {
  const [only] = block;
  if (block.length !== 1 || only?.length !== 1) return putBlock(cells, { row: area.top, col: area.left }, block, width);
  const filled = Array.from({ length: area.bottom - area.top + 1 }, () =>
    Array.from({ length: area.right - area.left + 1 }, () => only[0] ?? ''),
  );
  return putBlock(cells, { row: area.top, col: area.left }, filled, width);
}

export const cleared = (cells: Cells, area: Area): Cells =>
  cells.map((row, i) => (i < area.top || i > area.bottom ? row : row.map((text, col) => (isInside(area, i, col) ? '' : text))));

const quoted = (text: string): string => (/[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Returns the texts of an area as spreadsheets put them on the clipboard: tabs between columns, line feeds between rows. */
export const copied = (cells: Cells, { top, left, bottom, right }: Area): string =>
  Array.from({ length: bottom - top + 1 }, (_, i) =>
    Array.from({ length: right - left + 1 }, (_, j) => quoted(cellAt(cells, { row: top + i, col: left + j }))).join('\t'),
  ).join('\n');

/** A cell with quotation marks around it, or any other one, whose quotation marks mean nothing; then what ends it. */
const clipboardCell = /(?:"((?:[^"]|"")*)"|([^\t\n]*))(\t|\n|$)/y;

/** Returns the block of cells that a text from the clipboard is. */
export function blockOf(text: string): Cells {
  const all = text.replaceAll(/\r\n?/g, '\n').replace(/\n$/, '');
  const rows: string[][] = [[]];
  clipboardCell.lastIndex = 0;
  for (;;) {
    const [, inner, plain = '', end] = clipboardCell.exec(all) ?? [];
    rows.at(-1)?.push((inner?.replaceAll('""', '"') ?? plain).trim());
    if (end === undefined || end === '') return rows;
    if (end === '\n') rows.push([]);
  }
}

export const withoutRows = (cells: Cells, { top, bottom }: Area): Cells => cells.toSpliced(top, bottom - top + 1);

export const withRow = (cells: Cells, at: number): Cells => cells.toSpliced(at, 0, []);

/** States of a table that can be taken back, and done again. */
export interface History {
  readonly past: readonly Cells[];
  readonly future: readonly Cells[];
}

export const no_history: History = { past: [], future: [] };
const steps_max = 200;

export const remembered = ({ past }: History, before: Cells): History => ({
  past: [...past.slice(-steps_max + 1), before],
  future: [],
});

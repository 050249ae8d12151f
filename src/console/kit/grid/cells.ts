/** Cells of a table that is edited, and what typing and pasting make of it. */

/** Rows of texts; a row may be shorter than the table is wide, and what it holds beyond stays with it unseen. */
export type Cells = readonly (readonly string[])[];

export type GridColumn = { readonly name: string; readonly label: string; readonly numeric?: boolean };

export type Place = { readonly row: number; readonly col: number };

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

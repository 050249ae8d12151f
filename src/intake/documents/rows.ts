/** The rows of a document's table, each with the header that names its cells. */

export interface TableCell {
  readonly text: string;
  readonly isHeader: boolean;
  /** How many columns and rows it covers, itself included. */
  readonly columns: number;
  readonly rows: number;
}

export interface TableRow {
  readonly cells: readonly TableCell[];
  /** Whether it is in the head of its table. */
  readonly inHead: boolean;
}

interface NamedRow {
  /** Empty for a row that no header names. */
  readonly header: readonly string[];
  readonly cells: readonly string[];
}

/** A cell that covers more is a mistake, and would be repeated as often. */
const columns_max = 200;

interface GridRow {
  readonly texts: readonly string[];
  readonly isHeader: boolean;
  /** Whether one cell covers the whole row, as a title between rows does. */
  readonly isWhole: boolean;
}

/** Returns the rows below the header, each with it. A table of header rows only has none. */
export function tableRows(rows: readonly TableRow[]): readonly NamedRow[] {
  const grid = gridOf(rows);
  const width = grid.reduce((most, { texts }) => Math.max(most, texts.length), 0);
  const isMarked = rows.some(({ cells, inHead }) => inHead || cells.some(({ isHeader }) => isHeader));
  const marked = Math.max(
    0,
    grid.findIndex(({ isHeader }) => !isHeader),
  );
  // A first row that nothing marks names the others, and is a row as well, because it may be one.
  const named = isMarked ? marked : grid.length > 1 && width > 1 && grid[0]?.isWhole === false ? 1 : 0;
  const header = Array.from({ length: named === 0 ? 0 : width }, (_, i) => headerAt(grid.slice(0, named), i));
  return grid.slice(isMarked ? marked : 0).map(({ texts, isWhole }, i) => {
    if (isWhole && width > 1) return { header: [], cells: texts.slice(0, 1) };
    return named === 0 || (!isMarked && i === 0)
      ? { header: [], cells: texts }
      : { header, cells: header.map((_, column) => texts[column] ?? '') };
  });
}

/** Joins the names of a column in several header rows; one that covers both is named once. */
const headerAt = (rows: readonly GridRow[], column: number): string =>
  [...new Set(rows.filter(({ isWhole }) => !isWhole || rows.length === 1).map(({ texts }) => texts[column] ?? ''))]
    .filter((text) => text !== '')
    .join(' ');

/** Repeats the text of each cell wherever it covers others. */
function gridOf(rows: readonly TableRow[]): readonly GridRow[] {
  /** What covers each column of the rows that follow, and how many of them. */
  let above: { readonly text: string; readonly rows: number }[] = [];
  return rows.map(({ cells, inHead }) => {
    const line: { text: string; rows: number }[] = [];
    const covered = (): void => {
      for (let up = above[line.length]; up !== undefined && up.rows > 0; up = above[line.length])
        line.push({ ...up, rows: up.rows - 1 });
    };
    covered();
    for (const { text, columns, rows: height } of cells) {
      for (let i = 0; i < columns && line.length < columns_max; i++) line.push({ text, rows: height - 1 });
      covered();
    }
    above = line;
    const isHeader = inHead || (cells.some((cell) => cell.isHeader) && cells.every((cell) => cell.isHeader || cell.text === ''));
    return {
      texts: line.map(({ text }) => text),
      isHeader,
      isWhole: cells.length === 1 && (cells[0]?.columns ?? 1) >= line.length,
    };
  });
}

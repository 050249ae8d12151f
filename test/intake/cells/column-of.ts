import type { Column } from '../../../src/intake/cells/column.js';
import type { Cell } from '../../../src/intake/types.js';

const cellOf = (cell: string | Cell): Cell => {
  if (typeof cell !== 'string') return cell;
  return cell.trim() === '' ? { type: 'blank' } : { type: 'text', text: cell };
};

/** Returns a column whose header is in row 1. A text is a cell of a text file. */
export const columnOf = (name: string, cells: readonly (string | Cell)[]): Column => ({
  name,
  cells: cells.map((cell, i) => ({ row: i + 2, cell: cellOf(cell) })),
});

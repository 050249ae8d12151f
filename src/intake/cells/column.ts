/** A column of a table, which is read as a whole: the reading that fits every cell wins, and where two fit nothing is guessed. */
import type { IntakeOptions } from '../../codec/api-intake.js';
import type { Cell } from '../types.js';

export interface ColumnCell {
  /** The row as a spreadsheet numbers it. */
  readonly row: number;
  readonly cell: Cell;
}

export interface Column {
  readonly name: string;
  readonly cells: readonly ColumnCell[];
}

/** Cells that cannot be read, for one cause. */
export interface CellFault {
  /** What the column has in these rows: `letters in a number`. */
  readonly cause: string;
  /** What to do about it, as a sentence. */
  readonly advice: string;
  /** The flag of the command line that helps. */
  readonly hint?: string;
  readonly rows: readonly number[];
  /** The first of the cells as the file has it; null where there is nothing to quote. */
  readonly cell: string | null;
}

/** A question that one column leaves open, with the first cell in which its readings differ. */
export interface ColumnChoice {
  readonly about: 'decimal' | 'date' | 'risk' | 'unit';
  readonly cell: string;
  readonly row: number;
  readonly readings: readonly { readonly label: string; readonly option: Partial<IntakeOptions> }[];
}

/** What came of a column: its values, null where one is missing; a question; or what is wrong. */
export type ColumnReading<T> =
  | {
      readonly outcome: 'read';
      readonly values: readonly (T | null)[];
      readonly unit: string | null;
      readonly notes: readonly string[];
    }
  | { readonly outcome: 'choice'; readonly choice: ColumnChoice }
  | { readonly outcome: 'faulty'; readonly faults: readonly CellFault[] };

export const textOf = (cell: Cell): string => (cell.type === 'blank' ? '' : cell.text);

const missingWords = new Set('|-|–|—|--|---|n/a|na|n.a.|n. a.|<na>|null|none|nil|nan|nat|k.a.|k. a.|n.d.|n/d|nd'.split('|'));

/** What a spreadsheet shows for an amount of nothing: `€ -`. */
const accountingDash = /^\s*(?:\p{Sc}\s*[-–—]|[-–—]\s*\p{Sc})\s*$/u;

/** Returns whether a cell has no value: it is blank, or says so. */
export const isMissing = (cell: Cell): boolean =>
  cell.type === 'blank' ||
  (cell.type === 'text' && (missingWords.has(cell.text.trim().toLowerCase()) || accountingDash.test(cell.text)));

const formulaAdvice = 'Open the file in a spreadsheet program, save it there and read it again.';

const valueAdvice = 'Correct them in the file, or leave the cells blank.';
/** Error values as spreadsheets write them in any language, such as `#REF!`, `#BEZUG!` and `#NV`. */
const errorValue = /^#(?:N\/A|N\/D|NV|[\p{Lu}/0]+[!?])$/u;

/** Collects the cells that cannot be read by their cause. */
export class FaultList {
  private readonly byCause = new Map<
    string,
    { readonly advice: string; readonly hint: string | undefined; readonly entries: ColumnCell[] }
  >();

  add(entry: ColumnCell, cause: string, advice: string, hint?: string): void {
    const fault = this.byCause.get(cause) ?? { advice, hint, entries: [] };
    fault.entries.push(entry);
    this.byCause.set(cause, fault);
  }

  /** Adds an error value, or a formula without a value. Returns whether the cell is one. */
  addFaultCell(entry: ColumnCell): boolean {
    const { cell } = entry;
    if (cell.type === 'fault' && cell.cause === 'no_value') this.add(entry, 'formulas without a stored value', formulaAdvice);
    else if (cell.type === 'fault' || (cell.type === 'text' && errorValue.test(cell.text.trim())))
      this.add(entry, 'error values', valueAdvice);
    else return false;
    return true;
  }

  get faults(): readonly CellFault[] {
    return [...this.byCause].map(([cause, { advice, hint, entries }]) => {
      const [first, ...others] = entries.toSorted((a, b) => a.row - b.row);
      const said = { cause, advice, ...(hint === undefined ? {} : { hint }) };
      if (first === undefined) return { ...said, rows: [], cell: null };
      const quotes = first.cell.type !== 'blank' && !(first.cell.type === 'fault' && first.cell.cause === 'no_value');
      return { ...said, rows: [first, ...others].map(({ row }) => row), cell: quotes ? textOf(first.cell) : null };
    });
  }
}

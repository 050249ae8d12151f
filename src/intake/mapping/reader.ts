/** Reads the columns of one table, and collects their faults and questions, so that all of them are told at once. */
import { FaultList, isMissing, textOf, type CellFault, type ColumnCell, type ColumnReading } from '../cells/column.js';
import { readNumbers } from '../cells/numbers.js';
import type { IntakeChoice, IntakeFault, IntakeOptions } from '../../codec/api-intake.js';
import { columnChoice, columnFault, missingFault, type Place } from './faults.js';
import type { TableColumn } from './table.js';

type Values<T> = readonly (T | null)[];

/** Risk and the like in words of three languages, from the smallest. */
const scaleWords: readonly string[] = [
  'none kein keine aucun aucune',
  'very low|sehr niedrig|sehr gering|très faible',
  'low niedrig gering faible bas basse minor small klein',
  'medium mittel moyen moyenne moderate normal',
  'high hoch élevé élevée haut haute fort forte major groß',
  'very high|sehr hoch|très élevé|critical|kritisch|critique',
];
const ranks = new Map(
  scaleWords.flatMap((words, rank) => words.split(words.includes('|') ? '|' : ' ').map((word) => [word, rank] as const)),
);

const yes = new Set(['x', 'yes', 'y', 'true', '1', '✓', '✔', 'oui', 'o', 'vrai', 'ja', 'j', 'wahr']);
const no = new Set(['no', 'n', 'false', '0', 'non', 'faux', 'nein', 'falsch']);

export class TableReader {
  readonly errors: IntakeFault[] = [];
  readonly choices: IntakeChoice[] = [];
  readonly notes: string[] = [];

  constructor(
    readonly place: Place,
    readonly options: IntakeOptions,
  ) {}

  get isClear(): boolean {
    return this.errors.length === 0 && this.choices.length === 0;
  }

  /** Refuses cells of a column for one cause, if there are any. @param hint the flag that helps */
  refuse(column: TableColumn, cells: readonly ColumnCell[], cause: string, advice: string, hint?: string): void {
    const list = new FaultList();
    for (const entry of cells) list.add(entry, cause, advice, hint);
    this.faults(column, list.faults);
  }

  private faults(column: TableColumn, faults: readonly CellFault[]): void {
    this.errors.push(...faults.map((fault) => columnFault(this.place, column, fault)));
  }

  /** Returns the values of a column, each missing where it could not be read. */
  values<T>(column: TableColumn, reading: ColumnReading<T>): Values<T> {
    if (reading.outcome === 'read') {
      this.notes.push(...reading.notes);
      return reading.values;
    }
    if (reading.outcome === 'choice') this.choices.push(columnChoice(column, reading.choice));
    else this.faults(column, reading.faults);
    return column.cells.map(() => null);
  }

  /** Returns the texts of a column, with single spaces. */
  texts(column: TableColumn): Values<string> {
    return column.cells.map(({ cell }) => (isMissing(cell) ? null : textOf(cell).replace(/\s+/gu, ' ').trim()));
  }

  /** Refuses the rows of a column that has to have a value in each. */
  require(column: TableColumn): void {
    const rows = column.cells.filter(({ cell }) => isMissing(cell)).map(({ row }) => row);
    if (rows.length > 0) this.faults(column, [missingFault(rows)]);
  }

  /** Returns whether each row is marked. */
  marks(column: TableColumn): boolean[] {
    const words = this.texts(column).map((text) => text?.toLowerCase() ?? 'no');
    const odd = column.cells.filter((_, i) => !yes.has(words[i] ?? '') && !no.has(words[i] ?? ''));
    this.refuse(column, odd, 'marks that are neither yes nor no', 'Write yes or no there, or leave the cells blank.');
    return words.map((word) => yes.has(word));
  }

  /** Returns the numbers of a column; 1 and 0 of one with marks, in which a blank cell is 0 where no other says no. */
  numbersOrMarks(column: TableColumn): Values<number> {
    const words = this.texts(column).flatMap((text) => (text === null ? [] : [text.toLowerCase()]));
    const isBlankNo = words.length === column.cells.length || words.every((word) => !no.has(word));
    return isBlankNo && words.every((word) => yes.has(word) || no.has(word))
      ? this.marks(column).map(Number)
      : this.values(column, readNumbers(column, this.options));
  }

  /** Returns the numbers of a column that may have words instead, once it is said what they count. */
  scaled(column: TableColumn): Values<number> {
    const words = column.cells.filter(({ cell }) => cell.type === 'text' && !isMissing(cell) && !/\d/.test(cell.text));
    const { scale } = this.options;
    if (words.length === 0) return this.values(column, readNumbers(column, this.options));
    const names = [...new Set(words.map(({ cell }) => textOf(cell).trim()))];
    const given = Object.entries(scale ?? {});
    const numberOf = (name: string): number | undefined =>
      (given.find(([word]) => word === name) ?? given.find(([word]) => word.toLowerCase() === name.toLowerCase()))?.[1];
    if (scale === undefined) {
      this.askScale(column, names);
      return column.cells.map(() => null);
    }
    const unknown = words.filter(({ cell }) => numberOf(textOf(cell).trim()) === undefined);
    const flag = '--scale "Low=1,Medium=2,High=3"';
    this.refuse(column, unknown, 'words that the scale does not have', 'Give each word a number.', flag);
    const cells = column.cells.map(({ row, cell }) => {
      const number = numberOf(textOf(cell).trim());
      return { row, cell: number === undefined ? cell : ({ type: 'number', text: String(number) } as const) };
    });
    return unknown.length > 0
      ? column.cells.map(() => null)
      : this.values(column, readNumbers({ ...column, cells }, this.options));
  }

  private askScale(column: TableColumn, names: readonly string[]): void {
    const isKnown = names.every((name) => ranks.has(name.toLowerCase()));
    const sorted = isKnown
      ? names.toSorted((a, b) => (ranks.get(a.toLowerCase()) ?? 0) - (ranks.get(b.toLowerCase()) ?? 0))
      : names;
    const first = column.cells.find(({ cell }) => textOf(cell).trim() === names[0]);
    const label = sorted.map((name, i) => `${name}=${i + 1}`).join(', ');
    const scale = Object.fromEntries(sorted.map((name, i) => [name, i + 1]));
    const choice = {
      about: 'risk',
      cell: names[0] ?? '',
      row: first?.row ?? 0,
      readings: [{ label, option: { scale } }],
    } as const;
    this.choices.push(columnChoice(column, choice));
  }
}

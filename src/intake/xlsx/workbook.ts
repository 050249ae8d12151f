/**
 * Reads an Excel workbook (ECMA-376, Office Open XML): each sheet with the values that the file stores. Formulas are not computed, links not followed
 * and macros not run.
 */
import * as path from 'node:path/posix';
import { office_limits, unpackWithin } from '../../archive/foreign.js';
import { ok, refuse, RefusalError, type Result } from '../../base/refusal.js';
import type { Cell, Sheet, Workbook } from '../types.js';
import { formatOf, numberCell, type NumberFormat } from './formats.js';
import { damaged, readXml, RunText } from './xml.js';
import { columnLetters } from '../../reports/xlsx.js';
import { table_columns_max, table_rows_max } from '../../base/limits.js';
import { blank, grouped } from '../csv.js';

const reader_version = 2;

type Parts = ReadonlyMap<string, Buffer>;

export async function readXlsx(bytes: Uint8Array): Promise<Result<Workbook>> {
  const names: string[] = [];
  const isWanted = (name: string): boolean =>
    names.push(name) > 0 && /\.(?:xml|rels)$/i.test(name) && !/\/(?:theme|drawings)\//.test(name);
  try {
    const parts = await unpackWithin(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      'the workbook',
      office_limits,
      isWanted,
    );
    const main = mainPart(parts, names);
    return ok({ type: 'table', reader: 'xlsx', version: reader_version, sheets: sheetsOf(parts, main), notes: [] });
  } catch (error) {
    if (error instanceof RefusalError) return refuse(error.refusal);
    throw error;
  }
}

/** Returns the name of the part that lists the sheets; names the format of an archive that is no workbook. */
function mainPart(parts: Parts, names: readonly string[]): string {
  const has = (pattern: RegExp): boolean => names.some((name) => pattern.test(name));
  if (has(/^xl\/workbook\.bin$/)) throw damaged('is a binary workbook (.xlsb); save it as .xlsx');
  if (has(/^word\//)) throw damaged('is a Word document (.docx), which has no sheets; give a workbook (.xlsx) or a CSV file');
  if (has(/^ppt\//)) throw damaged('is a presentation (.pptx), which has no sheets; give a workbook (.xlsx) or a CSV file');
  if (has(/^content\.xml$/)) throw damaged('is an OpenDocument file; save it as .xlsx or CSV');
  const main = [...relationsOf(parts, '').values()].find(({ type }) => type === 'officeDocument');
  if (main === undefined) throw damaged('is a ZIP archive and no workbook (.xlsx); unpack it and give the file inside');
  return main.target;
}

interface Relation {
  /** The last word of its type. */
  readonly type: string;
  /** The name of a part. */
  readonly target: string;
}

/** Returns the elements of a part by their tags, in their order, without their text; none where the workbook lacks the part. */
function elementsOf(parts: Parts, part: string): readonly Element[] {
  const elements: Element[] = [];
  const open = (tag: string, attributes: Element['attributes']): void => void elements.push({ tag, attributes });
  readXml(parts.get(part) ?? empty, part, { open, close: () => {} });
  return elements;
}

interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Returns the relations of a part by their ids; `''` is the package. */
function relationsOf(parts: Parts, part: string): ReadonlyMap<string, Relation> {
  const folder = path.dirname(part);
  const elements = elementsOf(parts, path.join(folder, '_rels', `${path.basename(part)}.rels`));
  const inside = elements.filter(({ tag, attributes }) => tag === 'Relationship' && attributes['TargetMode'] !== 'External');
  return new Map(
    inside.map(({ attributes: { Id = '', Type = '', Target = '' } }) => {
      const target = Target.startsWith('/') ? Target.slice(1) : path.join(folder, Target);
      return [Id, { type: path.basename(Type), target }];
    }),
  );
}

function sheetsOf(parts: Parts, main: string): readonly Sheet[] {
  const relations = relationsOf(parts, main);
  const partOf = (type: string): string => [...relations.values()].find((each) => each.type === type)?.target ?? '';
  partNamed(parts, main);
  const elements = elementsOf(parts, main);
  const has = (element: string, attribute: string): boolean =>
    elements.some(({ tag, attributes }) => tag === element && /^(?:1|true)$/.test(attributes[attribute] ?? ''));
  const strings = stringsOf(parts, partOf('sharedStrings'));
  const context: SheetContext = {
    strings,
    formats: formatsOf(parts, partOf('styles')),
    isMac: has('workbookPr', 'date1904'),
    isUncomputed: has('calcPr', 'fullCalcOnLoad'),
  };
  const listed = elements.filter(({ tag }) => tag === 'sheet');
  const sheets = listed.flatMap(({ attributes }) => {
    const { name = '', state = 'visible' } = attributes;
    const relation = relations.get(Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '');
    // A sheet may be a chart.
    if (relation !== undefined && relation.type !== 'worksheet') return [];
    const target = relation?.target ?? '';
    const sheet = readSheet(partNamed(parts, target), target, name, context);
    const hidden = state === 'visible' ? [] : [`The sheet ${name} is hidden.`];
    return [{ hidden, sheet: { ...sheet, notes: [...hidden, ...sheet.notes] } }];
  });
  // What people see is read before what is hidden.
  return sheets.toSorted((a, b) => a.hidden.length - b.hidden.length).map(({ sheet }) => sheet);
}

function partNamed(parts: Parts, name: string): Buffer {
  const bytes = parts.get(name);
  if (bytes === undefined) throw damaged(`the workbook is damaged: it lacks ${name === '' ? 'the part of a sheet' : name}`);
  return bytes;
}

/** Returns the texts that cells refer to by their number: the runs of each. */
function stringsOf(parts: Parts, part: string): readonly string[] {
  const strings: string[] = [];
  const runs = new RunText();
  readXml(parts.get(part) ?? empty, part, {
    open: (tag, attributes) => runs.open(tag, attributes),
    close: (tag, held) => {
      runs.close(tag, held);
      if (tag === 'si') strings.push(runs.text);
    },
  });
  return strings;
}

const empty = Buffer.from('<none/>');

/** Returns the formats of numbers that cells refer to by the number of their style. */
function formatsOf(parts: Parts, part: string): readonly NumberFormat[] {
  const elements = elementsOf(parts, part);
  const idOf = ({ attributes: { numFmtId = '0' } }: Element): number => Number(numFmtId);
  const codes = new Map(
    elements.filter(({ tag }) => tag === 'numFmt').map((each) => [idOf(each), each.attributes['formatCode']]),
  );
  // Those before belong to named styles.
  const ofCells = elements.slice(elements.findIndex(({ tag }) => tag === 'cellXfs') + 1);
  return ofCells.filter(({ tag }) => tag === 'xf').map((each) => formatOf(idOf(each), codes.get(idOf(each))));
}

// Reads one sheet of a workbook: its cells, what is merged and what is hidden (ECMA-376 part 1, 18.3.1).

export interface SheetContext {
  readonly strings: readonly string[];
  readonly formats: readonly NumberFormat[];
  readonly isMac: boolean;
  /** Whether the program that wrote the workbook left its formulas to the one that opens it, and put 0 in place of their values. */
  readonly isUncomputed: boolean;
}

interface Place {
  /** Both from 0. */
  readonly row: number;
  readonly column: number;
}

interface Range {
  /** As in `A2:A4`. */
  readonly text: string;
  readonly from: Place;
  readonly to: Place;
}

/** Returns a sheet; one with more rows or columns than are read has a fault in place of them, because another may be meant. @throws RefusalError `malformed` */
export function readSheet(bytes: Buffer, part: string, name: string, context: SheetContext): Sheet {
  const reading = new SheetReading(name, context);
  try {
    readXml(bytes, part, {
      open: (tag, attributes) => reading.open(tag, attributes),
      close: (tag, text) => reading.close(tag, text),
    });
  } catch (error) {
    if (error instanceof TooLargeSheet) return { name, rows: [], fault: error.message, notes: [] };
    throw error;
  }
  return reading.sheet();
}

class TooLargeSheet extends Error {}

class SheetReading {
  private readonly rows: Cell[][] = [];
  private readonly merged: Range[] = [];
  private readonly hidden = { rows: [] as string[], columns: [] as string[] };
  private formulas = 0;
  /** The place of the next cell, for one that does not name its place. */
  private next: Place = { row: -1, column: 0 };
  private readonly runs = new RunText();
  private cell: {
    place: Place;
    type: string;
    style: number;
    value: string | null;
    formula: string | null;
  } | null = null;

  constructor(
    private readonly name: string,
    private readonly context: SheetContext,
  ) {}

  open(tag: string, attributes: Readonly<Record<string, string>>): void {
    this.runs.open(tag, attributes);
    if (tag === 'row') {
      const row = attributes['r'] === undefined ? this.next.row + 1 : Number(attributes['r']) - 1;
      this.next = { row, column: 0 };
      if (isOn(attributes['hidden'])) this.hidden.rows.push(String(row + 1));
    } else if (tag === 'c') {
      const place = attributes['r'] === undefined ? this.next : placeOf(attributes['r']);
      this.next = { row: place.row, column: place.column + 1 };
      const { t: type = 'n', s: style = '0' } = attributes;
      this.cell = { place, type, style: Number(style), value: null, formula: null };
    } else if (tag === 'mergeCell') this.merged.push(rangeOf(attributes['ref'] ?? ''));
    else if (tag === 'col' && isOn(attributes['hidden'])) this.hideColumns(Number(attributes['min']), Number(attributes['max']));
  }

  close(tag: string, text: string): void {
    this.runs.close(tag, text);
    if (this.cell === null) return;
    if (tag === 'v') this.cell.value = text;
    else if (tag === 'f') this.cell.formula = text;
    else if (tag === 'c') {
      this.put(this.cell.place, this.valueOf(this.cell));
      this.cell = null;
    }
  }

  private hideColumns(first: number, last: number): void {
    for (let column = first; column <= Math.min(last, table_columns_max); column++)
      this.hidden.columns.push(columnLetters(column - 1));
  }

  private valueOf({ type, style, value, formula }: NonNullable<SheetReading['cell']>): Cell {
    if (formula !== null) this.formulas++;
    const isStored = (value ?? '') !== '' && !(this.context.isUncomputed && type === 'n' && Number(value) === 0);
    if (formula !== null && !isStored && type !== 'str') return { type: 'fault', text: `=${formula}`, cause: 'no_value' };
    if (type === 'e') return { type: 'fault', text: value ?? '', cause: 'error' };
    if (type === 's') return this.sharedText(value ?? '');
    if (type === 'inlineStr') return textCell(this.runs.text);
    if (type === 'str') return textCell(value ?? '');
    if ((value ?? '') === '') return blank;
    if (type === 'b') return textCell(value === '1' ? 'TRUE' : 'FALSE');
    // Times of a workbook have no zone; some writers put a Z after them.
    if (type === 'd') return { type: 'date', text: (value ?? '').replace(/(?:T00:00:00)?(?:\.0+)?Z?$/, '') };
    return numberCell(value ?? '', this.context.formats[style] ?? { type: 'number' }, this.context.isMac);
  }

  private sharedText(index: string): Cell {
    const text = index === '' ? '' : this.context.strings[Number(index)];
    if (text === undefined) throw damaged(`the workbook is damaged: the sheet ${this.name} refers to a text that is missing`);
    return textCell(text);
  }

  private put({ row, column }: Place, cell: Cell): void {
    if (cell.type === 'blank') return;
    const isPlace = Number.isSafeInteger(row) && row >= 0 && Number.isSafeInteger(column) && column >= 0;
    if (!isPlace) throw damaged(`the workbook is damaged: a cell of the sheet ${this.name} has no place`);
    if (row >= table_rows_max)
      throw new TooLargeSheet(`row ${row + 1} has a value; at most ${grouped(table_rows_max)} rows are read.`);
    if (column >= table_columns_max)
      throw new TooLargeSheet(`column ${columnLetters(column)} has a value; at most ${table_columns_max} columns are read.`);
    while (this.rows.length <= row) this.rows.push([]);
    const cells = this.rows[row] ?? [];
    while (cells.length < column) cells.push(blank);
    cells[column] = cell;
  }

  sheet(): Sheet {
    for (const range of this.merged) this.fill(range);
    const { rows, columns } = this.hidden;
    const shown = rows.filter((row) => Number(row) <= this.rows.length);
    const notes = [
      ...(this.formulas === 0 ? [] : [`Cells with formulas: ${this.formulas}. The values that the file stores were read.`]),
      ...(this.merged.length === 0
        ? []
        : [`Merged cells: ${listed(this.merged.map(({ text }) => text))}. Their value stands for each row.`]),
      ...(shown.length === 0 ? [] : [`Hidden rows were read too: ${listed(shown)}.`]),
      ...(columns.length === 0 ? [] : [`Hidden columns were read too: ${listed(columns)}.`]),
    ];
    return { name: this.name, rows: this.rows, notes };
  }

  /**
   * Gives each cell of a merged range its value, down and across. A range that is all that its row has is a title, which stays one cell.
   */
  private fill({ from, to }: Range): void {
    const value = this.rows[from.row]?.[from.column];
    if (value === undefined) return;
    const isAlone = (this.rows[from.row] ?? []).every((cell, column) => cell.type === 'blank' || column === from.column);
    const last_column = isAlone ? from.column : Math.min(to.column, table_columns_max - 1);
    const last_row = Math.min(to.row, this.rows.length - 1);
    for (let row = from.row; row <= last_row; row++)
      for (let column = from.column; column <= last_column; column++)
        if ((this.rows[row]?.[column] ?? blank).type === 'blank') this.put({ row, column }, value);
  }
}

const textCell = (text: string): Cell => {
  // Characters that XML does not have are written so (ECMA-376 part 1, 22.9.2.19).
  const plain = text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return plain.trim() === '' ? blank : { type: 'text', text: plain };
};

const isOn = (text = '0'): boolean => text === '1' || text === 'true';

const radix = 26;
const letter_a = 64;

/** Reads `C7`. */
function placeOf(text: string): Place {
  const [, letters = '', digits = ''] = /^([A-Z]{1,7})([0-9]{1,8})$/.exec(text) ?? [];
  const column = [...letters].reduce((sum, letter) => sum * radix + letter.charCodeAt(0) - letter_a, 0) - 1;
  return { row: Number(digits) - 1, column };
}

function rangeOf(text: string): Range {
  const [from = '', to = from] = text.split(':');
  return { text, from: placeOf(from), to: placeOf(to) };
}

const listed_max = 5;
const listed = (names: readonly string[]): string =>
  names.length <= listed_max
    ? names.join(', ')
    : `${names.slice(0, listed_max).join(', ')} and ${names.length - listed_max} more`;

/** From a table to the draft of a mission: a work in the shape of its kind, notes for people, and where it came from. */
import type { Json } from '../../base/canonical-json.js';
import { goal_chars_max, provenance_notes_max, provenance_text_chars_max } from '../../base/limits.js';
import { shorten } from '../../base/text.js';
import { fieldErrors } from '../../codec/faults.js';
import { missionRequest } from '../../kinds/request.js';
import { type ColumnCell, isMissing, textOf } from '../cells/column.js';
import { fold } from '../cells/fold.js';
import { setMembers } from '../members.js';
import type { IntakeFault, IntakeOptions, IntakePreview } from '../../codec/api-intake.js';
import type { Cell, Outcome, Sheet, Workbook } from '../types.js';
import { allocationFrom } from './allocation.js';
import { isLeftOut, membersOf, saidMember } from './columns.js';
import { cell_chars_max, columnFault, namesText, type Place, placeOf, rowsOf, tableFault } from './faults.js';
import { dayOf, forecastFrom, hours_from_one, hoursFromOne } from './forecast.js';
import { scheduleFrom } from './schedule.js';
import type { TableKind } from './synonyms.js';
import { type Table, type TableColumn, tableOf } from './table.js';
import { rowsWhere } from './where.js';
import type { Columns, WorkDraft } from './work.js';
import { monthNamed, readDate } from '../cells/dates.js';
import { numberParts } from '../cells/numbers.js';

/** A file as its draft records it. */
export interface SourceFile {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
}

const preview_rows = 20;
const drafts = { forecast: forecastFrom, schedule: scheduleFrom, allocation: allocationFrom } as const;

/**
 * Returns what the table of a workbook gives before it is a mission file, with the names of the sheets that have rows, or what is wrong
 * with its sheets.
 */
export function workFromTable(kind: TableKind, file: string, workbook: Workbook, options: IntakeOptions) {
  const full = workbook.sheets.filter(hasRows);
  const sheet = sheetOf(workbook, full, options, file);
  if ('message' in sheet) return sheet;
  const others = options.sheet === undefined ? full.filter((each) => each !== sheet).map(nameOf) : [];
  const rest = others.length === 0 ? null : `${namesText(others)} ${others.length === 1 ? 'has' : 'have'} rows too`;
  const place = { file, sheet: sheet.name, ...(rest === null ? {} : { hint: `${rest}: --sheet NAME` }) };
  const found = sheet.fault ?? tableOf(sheet, workbook.reader === 'csv');
  if (typeof found === 'string') return tableFault(place, found);
  if ('wide' in found) return { ...tableFault(place, found.message), ...rowsOf(found.wide) };
  const where = options.where ?? {};
  const wanted = rowsWhere(found, where, place);
  if ('message' in wanted) return wanted;
  const table = kind === 'forecast' ? upright(wanted) : wanted;
  const note = rest === null ? [] : [`Sheet ${namesText([nameOf(sheet)])} was read; ${rest}.`];
  const notes = [...workbook.notes, ...note, ...sheet.notes, ...table.notes];
  // A column that tells which rows count has no other meaning, whatever was said of it before.
  const map = Object.fromEntries(Object.entries(options.map ?? {}).filter(([name]) => !Object.hasOwn(where, name)));
  return { table, sheets: full.map(nameOf), drafted: drafts[kind](table, place, { ...options, map }), notes };
}

/** Returns the draft that a table gives, a question that it leaves open, or what is wrong with it. */
export function draftFromTable(kind: TableKind, file: SourceFile, workbook: Workbook, options: IntakeOptions): Outcome {
  const read = workFromTable(kind, file.name, workbook, options);
  if ('message' in read) {
    const sheets = workbook.sheets.filter(hasRows).map(nameOf);
    const preview = { sheet: read.sheet ?? null, sheets, columns: [], rows: [], total: 0 };
    return { outcome: 'invalid', errors: [read], notes: workbook.notes, ...(sheets.length > 1 ? { preview } : {}) };
  }
  const { table, sheets, drafted, notes } = read;
  const columns: Columns = drafted.columns ?? new Map();
  const refused = (errors: readonly IntakeFault[]): Outcome => ({
    outcome: 'invalid',
    errors,
    notes,
    preview: previewOf(kind, table, sheets, columns, errors),
  });
  if (drafted.outcome === 'invalid') return refused(drafted.errors);
  const preview = previewOf(kind, table, sheets, columns, []);
  if (drafted.outcome === 'choice_needed') return { outcome: 'choice_needed', choices: drafted.choices, notes, preview };
  const said = [...notes, ...leftOut(table, columns), ...drafted.notes];
  const mission = missionFrom(kind, file, workbook, table, drafted, options, said);
  const errors = draftFaults(mission.draft, placeOf(file.name, table), drafted);
  return errors.length > 0 ? refused(errors) : { outcome: 'draft', kind, rows: drafted.rows, notes: said, preview, ...mission };
}

const hasRows = ({ rows, fault }: Sheet): boolean =>
  fault !== undefined || rows.some((row) => row.some((cell) => cell.type !== 'blank'));
const nameOf = ({ name }: Sheet): string => name ?? '';

/** Returns the sheet that was asked for, or the first of those that have rows. */
function sheetOf(
  { sheets }: Workbook,
  full: readonly Sheet[],
  { sheet: wanted }: IntakeOptions,
  file: string,
): Sheet | IntakeFault {
  if (wanted === undefined) return full[0] ?? tableFault({ file, sheet: null }, 'the file is empty: it has no rows.');
  const found = sheets.find((sheet) => nameOf(sheet) === wanted) ?? sheets.find((sheet) => fold(nameOf(sheet)) === fold(wanted));
  if (found !== undefined) return found;
  const names = sheets.filter(({ name }) => name !== null).map(nameOf);
  const there = names.length === 0 ? 'The file has no sheets.' : `The sheets of the file are ${namesText(names)}.`;
  return tableFault({ file, sheet: null }, `there is no sheet ${namesText([wanted])}. ${there}`);
}

function leftOut(table: Table, columns: Columns): string[] {
  const used = new Set([...columns.values()].flatMap(({ letter, also = [] }) => [letter, ...also]));
  return leftOutNote(table.columns.filter(({ letter }) => !used.has(letter)));
}

function leftOutNote(columns: readonly TableColumn[]): string[] {
  const unused = columns.filter(({ cells }) => cells.some(({ cell }) => !isMissing(cell)));
  if (unused.length === 0) return [];
  const names = namesText(unused.map(({ name, letter }) => name || letter));
  return [`${unused.length === 1 ? 'Column' : 'Columns'} ${names} ${unused.length === 1 ? 'was' : 'were'} left out.`];
}

function previewOf(
  kind: TableKind,
  table: Table,
  sheets: readonly string[],
  columns: Columns,
  errors: readonly IntakeFault[],
): IntakePreview {
  const memberOf = new Map(
    [...columns].flatMap(([member, { letter, also = [] }]) =>
      [letter, ...also].map((each) => [each, saidMember(member)] as const),
    ),
  );
  const members = membersOf(kind, columns);
  const faulty = new Set(errors.flatMap(({ rows }) => rows));
  const shown = table.rows.flatMap((row, i) => (i < preview_rows || faulty.has(row) ? [{ row, i }] : []));
  return {
    sheet: table.sheet,
    ...(sheets.length > 1 ? { sheets } : {}),
    columns: table.columns.map((column) => ({
      name: column.name || column.letter,
      member: memberOf.get(column.letter) ?? null,
      members,
    })),
    rows: shown.map(({ row, i }) => ({
      row,
      cells: table.columns.map(({ cells }) => {
        const cell = cells[i]?.cell;
        return cell === undefined ? '' : shorten(textOf(cell), cell_chars_max);
      }),
    })),
    total: table.rows.length,
  };
}

function missionFrom(
  kind: TableKind,
  file: SourceFile,
  { reader, version }: Workbook,
  table: Table,
  { work, columns, rows, subject }: Extract<WorkDraft, { outcome: 'work' }>,
  options: IntakeOptions,
  notes: readonly string[],
): { readonly draft: { readonly [name: string]: Json }; readonly provenance: Json } {
  const { inside, outside } = setMembers(options);
  const source = options.names === false ? '' : ` from ${file.name}`;
  const goal = options.goal ?? shorten(`${verbs[kind]} ${subject}${source}`, goal_chars_max);
  // What settled how the table was read. What was given beside the file is not compared with it.
  const { goal: _goal, sheet: _sheet, map: _map, set: _set, names: _names, ...read } = options;
  const choices: Record<string, Json> = { ...read, ...(Object.keys(inside).length > 0 ? { set: Object.keys(inside) } : {}) };
  const provenance = {
    files: [
      {
        ...(options.names === false ? {} : { name: file.name }),
        sha256: file.sha256,
        bytes: file.bytes,
        reader,
        version,
        ...(table.sheet === null ? {} : { sheet: table.sheet }),
        mapping: mappingOf(columns, options),
        ...(Object.keys(choices).length === 0 ? {} : { choices }),
        rows,
        notes: notes.slice(0, provenance_notes_max).map((note) => shorten(note, provenance_text_chars_max)),
      },
    ],
  };
  return { draft: { goal, ...outside, work: { kind, ...work, ...inside }, provenance }, provenance };
}

/** Returns which column became what, and which the owner left out, so that the file can be read again in the same way. */
function mappingOf(columns: Columns, { map }: IntakeOptions): Record<string, Json> {
  const became = [...columns].flatMap(([member, { name, letter, also }]) =>
    also === undefined ? [[name || letter, saidMember(member)] as const] : [],
  );
  const unwanted = Object.entries(map ?? {}).flatMap(([name, member]) => (isLeftOut(member) ? [[name, '-'] as const] : []));
  return Object.fromEntries([...unwanted, ...became]);
}

const verbs: Readonly<Record<TableKind, string>> = { forecast: 'Forecast', schedule: 'Schedule', allocation: 'Choose among' };

/** Members that no file has: they may follow later. */
const later = new Set(['work.budget', 'work.start']);

/** Returns what the mission does not take of values that were read well, such as a negative cost: with column, row and cell. */
function draftFaults(
  draft: { readonly [name: string]: Json },
  place: Place,
  drafted: Extract<WorkDraft, { outcome: 'work' }>,
): IntakeFault[] {
  const decoded = missionRequest.decode(draft);
  if (decoded._tag === 'Right') return [];
  const errors = fieldErrors(decoded.left);
  const inFile = errors.filter(({ path }) => !later.has(path));
  const others: IntakeFault[] = [];
  const cells = new Map<string, { readonly column: TableColumn; readonly advice: string; readonly rows: number[] }>();
  for (const { path, message } of inFile) {
    const origin = drafted.originOf(path.replace(/^work\./, ''));
    const column = origin === null ? undefined : drafted.columns.get(origin.member);
    if (origin === null || column === undefined) {
      others.push(tableFault(place, `the mission's ${path.replace(/^work\./, '')}: ${message}.`));
      continue;
    }
    const advice = `A ${origin.member === 'job' ? 'job' : 'value'} ${message}.`;
    const key = `${column.letter} ${advice}`;
    const fault = cells.get(key) ?? { column, advice, rows: [] };
    fault.rows.push(origin.row);
    cells.set(key, fault);
  }
  const faults = [...cells.values()].map(({ column, advice, rows }) => {
    const first = column.cells.find(({ row }) => row === rows[0])?.cell ?? { type: 'blank' };
    return columnFault(place, column, {
      cause: 'values out of bounds',
      advice,
      rows,
      cell: textOf(first),
    });
  });
  return [...faults, ...others];
}

// Series that run across a table: dates in its first row, or a row for each year with a column for each month, or the other way round, or
// a row for each day with a column for each hour.

const dates_min = 3;
const values_min = 6;
const blank: Cell = { type: 'blank' };

/** Returns the table with a row for each date. */
export function upright(table: Table): Table {
  const turnedTable = fromFirstRow(table) ?? table;
  return across.map((each) => fromParts(turnedTable, each)).find((found) => found !== null) ?? turnedTable;
}

/** Turns a table whose first row has dates, or that is one row of numbers. */
function fromFirstRow(table: Table): Table | null {
  const [names, ...dated] = table.columns;
  if (table.hasHeader || names === undefined) return null;
  const first = ({ cells }: TableColumn): Cell => cells[0]?.cell ?? blank;
  const [, ...below] = names.cells.map(({ cell }) => monthNamed(textOf(cell)));
  const isMonths = below.filter((month) => month !== null).length === 12;
  const isDated = (isMonths || dated.length >= dates_min) && dated.every((column) => readDate(textOf(first(column))) !== null);
  const isRow =
    table.rows.length === 1 && table.columns.length >= values_min && table.columns.every((column) => isNumber(first(column)));
  if (!isDated && !isRow) return null;
  const nameOf = (i: number): string => (isRow ? 'Values' : i === 0 ? 'Date' : textOf(names.cells[i]?.cell ?? blank).trim());
  const columns = table.rows.map((row, i): TableColumn => {
    const cells = (isRow ? table.columns : dated).map((column) => ({ row, cell: column.cells[i]?.cell ?? blank }));
    return { name: nameOf(i), letter: `row ${row}`, cells };
  });
  return turned(table, columns, 'The series runs across the columns; the table was turned.');
}

const isNumber = (cell: Cell): boolean =>
  cell.type === 'number' || (cell.type === 'text' && typeof numberParts(cell.text) === 'object');

/** A table with a row for each period and a column for each of its parts. */
interface Across {
  /** Returns the part that a column's name says, or null. */
  readonly partOf: (name: string) => string | number | null;
  readonly count: number;
  readonly isPeriod: (text: string) => boolean;
  readonly join: (period: string, part: string) => string;
  readonly name: string;
  readonly note: string;
}

const across: readonly Across[] = [
  {
    partOf: monthNamed,
    count: 12,
    isPeriod: (text) => /^(?:19|20)\d\d$/.test(text),
    join: (year, month) => `${year}-${month}`,
    name: 'Month',
    note: 'The months of each year were put below each other.',
  },
  {
    partOf: (name) =>
      /^(?:h|hr|he|hour|hour ending|heure|stunde)? ?([01]?\d|2[0-4])(?: ?h|(?: 00){1,2})?$/.exec(fold(name))?.[1] ?? null,
    count: 24,
    isPeriod: (text) => readDate(text) !== null,
    join: (day, hour) => `${day} ${hour}:00`,
    name: 'Hour',
    note: 'The hours of each day were put below each other.',
  },
];

/** Puts the months of each year, or the hours of each day, below each other. */
function fromParts(table: Table, { partOf, count, isPeriod, join, name, note }: Across): Table | null {
  const [periods, ...others] = table.hasHeader ? table.columns : table.columns.map(headed);
  const parts = others.flatMap((column) => {
    const part = partOf(column.name);
    return part === null ? [] : [{ column, part: String(part) }];
  });
  const isWhole = parts.length === count && new Set(parts.map(({ part }) => part)).size === count;
  if (periods === undefined || !isWhole || !periods.cells.every(({ cell }) => isPeriod(textOf(cell).trim()))) return null;
  const fromOne = hoursFromOne(parts.map(({ part }) => part));
  const all = periods.cells.flatMap(({ row, cell }, i) =>
    parts.map(({ column, part }, k) => {
      const value = column.cells[i];
      return { row: value?.row ?? row, date: join(dayOf(cell), fromOne?.[k] ?? part), value: value?.cell ?? blank };
    }),
  );
  // The year that goes on has no values yet for its last months.
  while (isMissing(all.at(-1)?.value ?? { type: 'text', text: '0' })) all.pop();
  const dates = all.map(({ row, date }): ColumnCell => ({ row, cell: { type: 'text', text: date } }));
  const values = all.map(({ row, value }): ColumnCell => ({ row, cell: value }));
  const columns = [
    { name, letter: periods.letter, cells: dates },
    { name: 'Value', letter: 'B', cells: values },
  ];
  const rest = leftOutNote(others.filter((column) => !parts.some((part) => part.column === column)));
  return turned(table, columns, [note, ...(fromOne === null ? [] : [hours_from_one]), ...rest].join(' '));
}

/** Returns a column with its first cell as its name: hours alone are numbers, as no other header has. */
const headed = (column: TableColumn): TableColumn => ({
  ...column,
  name: textOf(column.cells[0]?.cell ?? blank),
  cells: column.cells.slice(1),
});

function turned(table: Table, columns: readonly TableColumn[], note: string): Table {
  const rows = (columns[0]?.cells ?? []).map((_, i) => i + 1);
  return {
    ...table,
    hasHeader: true,
    columns,
    rows,
    notes: [...table.notes.filter((text) => !text.includes('no header')), note],
  };
}

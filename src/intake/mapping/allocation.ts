/** The work of an allocation from a table: a row for each item. */
import { title_chars_max } from '../../base/limits.js';
import { idPattern } from '../../codec/scalars.js';
import { decimalOf } from '../../kinds/allocation/decimal-grid.js';
import { isMissing, textOf, type ColumnCell } from '../cells/column.js';
import { readNumbers } from '../cells/numbers.js';
import type { IntakeOptions } from '../../codec/api-intake.js';
import { assign, lacking } from './columns.js';
import { columnText, type Place } from './faults.js';
import { TableReader } from './reader.js';
import type { Table, TableColumn } from './table.js';
import { titleOf, Titles } from './titles.js';
import { isTotalName, withoutTotal } from './total.js';
import { failed, type Columns, type WorkDraft } from './work.js';

/** Returns the work of an allocation, questions, or what is wrong. The budget is not in the file: it comes from `set`. */
export function allocationFrom(table: Table, place: Place, options: IntakeOptions): WorkDraft {
  const assigned = assign('allocation', table, place, options);
  if ('message' in assigned) return failed([assigned]);
  const { columns, notes } = withoutTotal(assigned, 'cost', ['id', 'title'], (column) => readNumbers(column, options));
  const [cost, value, name] = [columns.get('cost'), columns.get('value'), columns.get('title') ?? columns.get('id')];
  const missing = ['title', 'cost', 'value'].filter(
    (member) => !columns.has(member) && (member !== 'title' || name === undefined),
  );
  if (cost === undefined || value === undefined || name === undefined)
    return { ...failed([lacking('allocation', missing, columns, table, place)]), columns };
  const reader = new TableReader(place, options);
  const ids = idsOf(columns, name, reader);
  const { items, unit } = itemsOf(columns, cost, value, ids, reader);
  if (!reader.isClear) return { ...failed(reader.errors, reader.choices), columns };
  const cut = ids.filter(({ isCut }) => isCut).length;
  const said = [
    ...notes,
    ...reader.notes,
    ...(cut === 0 ? [] : [`${cut === 1 ? 'A title was' : `${cut} titles were`} cut to ${title_chars_max} characters.`]),
  ];
  if (options.set?.['budget'] === undefined) said.push('The budget is not in the file.');
  return {
    outcome: 'work',
    work: { items, ...(unit === null ? {} : { unit }) },
    rows: ids.length,
    columns,
    notes: said,
    subject: ids.length === 1 ? '1 item' : `${ids.length} items`,
    originOf: (path) => {
      const [, at = '', member = ''] = /^items\[(\d+)\]\.(\w+)/.exec(path) ?? [];
      const row = cost.cells[Number(at)]?.row;
      return member === '' || row === undefined ? null : { member, row };
    },
  };
}

/** Returns the items, and the unit of their costs. */
function itemsOf(columns: Columns, cost: TableColumn, value: TableColumn, ids: readonly Item[], reader: TableReader) {
  for (const column of [cost, value]) reader.require(column);
  const costs = readNumbers(cost, reader.options);
  const costValues = decimals(cost, reader.values(cost, costs), reader);
  const values = decimals(value, reader.values(value, readNumbers(value, reader.options)), reader);
  const [risk, group] = [columns.get('risk'), columns.get('group')];
  const risks = risk === undefined ? [] : decimals(risk, reader.scaled(risk), reader);
  const groups = group === undefined ? [] : groupsOf(group, reader);
  const required = columns.get('required');
  const marks = required === undefined ? [] : reader.marks(required);
  const links = linksOf(columns, ids, reader);
  const hasTitles = columns.has('title') || ids.some(({ isOwn }) => !isOwn);
  const items = ids.map(({ id, title }, i) => {
    const all = {
      id,
      title: hasTitles ? title : null,
      cost: costValues[i] ?? null,
      value: values[i] ?? null,
      risk: risks[i] ?? null,
      group: groups[i] ?? null,
      required: marks[i] === true ? true : null,
    };
    return { ...Object.fromEntries(Object.entries(all).filter(([, each]) => each !== null)), ...links[i] };
  });
  return { items, unit: costs.outcome === 'read' ? costs.unit : null };
}

/** Returns numbers without the last digits that binary fractions leave, as a spreadsheet stores the sum of tenths. */
function decimals(column: TableColumn, values: readonly (number | null)[], reader: TableReader): (number | null)[] {
  const read = values.map((value) => (value === null ? null : (decimalOf(value) ?? value)));
  const changed = read.flatMap((value, i) => (value === values[i] ? [] : [`${values[i]} as ${value}`]));
  const numbers = changed.length === 1 ? '1 number' : `${changed.length} numbers`;
  if (changed.length > 0)
    reader.notes.push(`${numbers} of ${columnText(column)} read without the last digits of a binary fraction: ${changed[0]}.`);
  return read;
}

interface Item {
  readonly id: string;
  /** Whether the id is the reference that the file has. */
  readonly isOwn: boolean;
  readonly ref: string | null;
  readonly title: string | null;
  readonly isCut: boolean;
}

/** Returns ids and titles: a valid reference is the id, and a name is only a title. */
function idsOf(columns: Columns, name: TableColumn, reader: TableReader): Item[] {
  const [refs, titles] = [columns.get('id'), columns.get('title')];
  if (refs === undefined || titles === undefined) reader.require(name);
  const refTexts = refs === undefined ? [] : reader.texts(refs);
  const titleTexts = titles === undefined ? refTexts : reader.texts(titles);
  const own = new Set(refTexts.filter((ref) => ref !== null && idPattern.test(ref)).map(String));
  const made = new Titles('item', own);
  if (refs !== undefined) refuseRepeated(refs, refTexts, reader);
  for (const column of [refs ?? [], titles ?? []].flat()) {
    const found = column.cells.filter(({ cell }) => isTotalName(textOf(cell)));
    reader.refuse(column, found, 'totals among the items', 'Take these rows out, or name the item otherwise.');
  }
  return name.cells.map((_, i) => {
    const [ref, title] = [refTexts[i] ?? null, titleTexts[i] ?? refTexts[i] ?? null];
    const isOwn = ref !== null && own.has(ref);
    // Two items may have the same title: the row keeps them apart.
    const id = isOwn ? ref : made.entry(`${i}`).id;
    return { id, isOwn, ref, title: title === null ? null : titleOf(title), isCut: (title?.length ?? 0) > title_chars_max };
  });
}

function refuseRepeated(column: TableColumn, refs: readonly (string | null)[], reader: TableReader): void {
  const seen = new Set<string>();
  const repeated = column.cells.filter((_, i) => {
    const ref = refs[i] ?? null;
    const isKnown = ref !== null && seen.has(ref);
    if (ref !== null) seen.add(ref);
    return isKnown;
  });
  reader.refuse(column, repeated, 'references that are used twice', 'Give each row a reference of its own.');
}

/** Returns the group of each item: its text where that is an id, otherwise a neutral one. */
function groupsOf(column: TableColumn, reader: TableReader): (string | null)[] {
  const texts = reader.texts(column);
  const made = new Titles('group', new Set(texts.map(String)));
  return texts.map((text) => (text === null || idPattern.test(text) ? text : made.entry(text).id));
}

/** Returns what the items require and exclude, by the ids of the mission. */
function linksOf(columns: Columns, items: readonly Item[], reader: TableReader): Readonly<Record<string, readonly string[]>>[] {
  const byName = new Map<string, string>();
  // A title of several rows names none of them.
  for (const { id, title } of items) if (title !== null) byName.set(title, byName.has(title) ? '' : id);
  for (const { id, ref } of items.toReversed()) if (ref !== null) byName.set(ref, id);
  const links: Record<string, readonly string[]>[] = items.map(() => ({}));
  for (const member of ['requires', 'excludes'] as const) {
    const column = columns.get(member);
    if (column === undefined) continue;
    const [unknown, own, unclear]: [ColumnCell[], ColumnCell[], ColumnCell[]] = [[], [], []];
    column.cells.forEach((entry, i) => {
      const ids = isMissing(entry.cell) ? [] : refsOf(textOf(entry.cell), byName);
      if (ids === null) unknown.push(entry);
      else if (ids.includes('')) unclear.push(entry);
      else if (ids.includes(items[i]?.id ?? '')) own.push(entry);
      else if (ids.length > 0) links[i] = { ...links[i], [member]: ids };
    });
    const advice = 'Write references or titles of this file, separated by commas or semicolons.';
    reader.refuse(column, unknown, 'references that are not in the file', advice);
    reader.refuse(column, own, 'references to its own row', 'Take them out.');
    reader.refuse(column, unclear, 'titles of several rows', 'Give these rows a reference, and write it there.');
  }
  return links;
}

/** Returns the ids that a cell lists, or null where it names something else. A title may have a comma itself. */
function refsOf(text: string, byName: ReadonlyMap<string, string>): string[] | null {
  const whole = byName.get(text.replace(/\s+/gu, ' ').trim());
  if (whole !== undefined) return [whole];
  for (const separator of [/[;\n|]/, /[,;\n|]/, /[,;\n|/&]|\s(?:and|et|und)\s/]) {
    const parts = text
      .split(separator)
      .map((part) => part.replace(/\s+/gu, ' ').trim())
      .filter((part) => part !== '');
    const ids = parts.map((part) => byName.get(part));
    if (ids.every((id) => id !== undefined)) return [...new Set(ids)];
  }
  return null;
}

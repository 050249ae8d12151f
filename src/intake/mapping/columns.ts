/** Which column of a table becomes which member of the mission: by its name, or as the owner said. */
import { fold } from '../cells/fold.js';
import { withoutUnit } from '../cells/units.js';
import type { IntakeFault, IntakeOptions } from '../../codec/api-intake.js';
import { namesText, tableFault, type Place } from './faults.js';
import { columnMembers, memberOf, type TableKind } from './synonyms.js';
import type { Table, TableColumn } from './table.js';

/** Member → column. In the wide form of a schedule the members are machine1, duration1, machine2 and so on. */
export type Assignment = ReadonlyMap<string, TableColumn>;

/** A forecast has any number of regressors: each is a member of its own, by the name of its column. */
export const regressor_prefix = 'regressor:';

/** Returns the member that a column is said to be, without the name of a regressor. */
export const saidMember = (member: string): string => (member.startsWith(regressor_prefix) ? 'regressor' : member);

/** Returns whether the owner of a file says that a column is not to be used. */
export const isLeftOut = (member: string): boolean => member === '' || member === '-' || member === 'none';

/** Returns the column of a name, or with a letter such as `C`. */
export function columnNamed(table: Table, name: string): TableColumn | null {
  const same = (fits: (column: TableColumn) => boolean): TableColumn | null => table.columns.find(fits) ?? null;
  return (
    same((column) => column.name === name) ??
    same((column) => column.name !== '' && fold(column.name) === fold(name)) ??
    same((column) => column.letter === name.trim())
  );
}

export const columnsOfFile = (table: Table): string =>
  `The columns of the file are ${namesText(table.columns.map(({ name, letter }) => (name === '' ? letter : name)))}.`;

/** Returns the columns that become members, or what is wrong with what the owner said. */
export function assign(kind: TableKind, table: Table, place: Place, options: IntakeOptions): Assignment | IntakeFault {
  const assigned = new Map<string, TableColumn>();
  const taken = new Set<TableColumn>();
  const given = Object.entries(options.map ?? {});
  if (options.dateColumn !== undefined) given.push([options.dateColumn, 'date']);
  if (options.column !== undefined && kind === 'forecast') given.push([options.column, 'value']);
  for (const [name, member] of given) {
    const column = columnNamed(table, name);
    if (column === null) return tableFault(place, `there is no column ${namesText([name])}. ${columnsOfFile(table)}`);
    taken.add(column);
    if (isLeftOut(member)) continue;
    if (!isMember(kind, member))
      return tableFault(place, `no column becomes "${member}"; of ${articles[kind]} they become ${membersText(kind)}.`);
    const key = member === 'regressor' ? regressor_prefix + (column.name || column.letter) : member;
    if ((assigned.get(key) ?? column) !== column) return tableFault(place, `two columns were given for ${member}.`);
    assigned.set(key, column);
  }
  const ranks = new Map<string, number>();
  for (const column of table.columns) {
    const found = taken.has(column) ? null : memberOfHeader(kind, column.name);
    if (
      found === null ||
      found.member === 'regressor' ||
      (assigned.has(found.member) && found.rank >= (ranks.get(found.member) ?? -1))
    )
      continue;
    ranks.set(found.member, found.rank);
    assigned.set(found.member, column);
  }
  return assigned;
}

const membersText = (kind: TableKind): string => columnMembers[kind].map(({ name }) => name).join(', ');
const numbered = /^(?:(?:step|op|operation|schritt|etape) (?<before>\d{1,2}) (?<name>.+)|(?<other>.+?) ?(?<after>\d{1,2}))$/;

const isMember = (kind: TableKind, member: string): boolean =>
  columnMembers[kind].some(({ name }) => name === member) ||
  (kind === 'schedule' && /^(?:machine|duration)[1-9]\d?$/.test(member));

function memberOfHeader(kind: TableKind, header: string): { readonly member: string; readonly rank: number } | null {
  const [whole, bare] = [memberOf(kind, header), memberOf(kind, withoutUnit(header))];
  if (whole !== null || bare !== null) return whole ?? bare;
  const parts = kind === 'schedule' ? numbered.exec(fold(withoutUnit(header)))?.groups : undefined;
  const found = parts === undefined ? null : memberOf(kind, parts['name'] ?? parts['other'] ?? '');
  if (found === null || (found.member !== 'machine' && found.member !== 'duration')) return null;
  return { member: `${found.member}${Number(parts?.['before'] ?? parts?.['after'])}`, rank: found.rank };
}

/** Returns the members that a column may become, for a menu. */
export function membersOf(kind: TableKind, assigned: Assignment): readonly string[] {
  const wide = [...assigned.keys()].filter((member) => /\d$/.test(member));
  return [...columnMembers[kind].map(({ name }) => name), ...wide];
}

const articles: Readonly<Record<TableKind, string>> = {
  forecast: 'a forecast',
  schedule: 'a schedule',
  allocation: 'an allocation',
};

/** Returns the fault of a table in which columns were not found. @param missing the members that no column became */
export function lacking(kind: TableKind, missing: readonly string[], found: Assignment, table: Table, place: Place): IntakeFault {
  const there = [...found].map(([member, column]) => `${member} (${namesText([column.name || column.letter])})`).join(', ');
  const needs = `${articles[kind]} needs a column for ${missing.join(' and one for ')}.`;
  const have = there === '' ? 'No column was recognised.' : `Found: ${there}.`;
  const advice =
    kind === 'schedule' && missing.includes('machine') && missing.includes('duration')
      ? 'Say which they are; if each machine has a column of its own, write a row for each operation instead.'
      : 'Say which it is.';
  return tableFault(place, `${needs} ${have} ${columnsOfFile(table)} ${advice}`, `--map "Column=${missing[0]}"`);
}

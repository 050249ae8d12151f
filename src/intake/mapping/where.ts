/** Rows of a table that the owner asks for, by the text of a cell: those of one store where a file has several. */
import { isMissing, textOf } from '../cells/column.js';
import type { IntakeChoice, IntakeFault } from '../../codec/api-intake.js';
import { columnNamed, columnsOfFile } from './columns.js';
import { namesText, type Place, tableFault } from './faults.js';
import type { Table, TableColumn } from './table.js';

/** More names would be no question, but a list. */
const names_max = 12;

const textsOf = ({ cells }: TableColumn): string[] => cells.map(({ cell }) => textOf(cell).trim());

/** Returns the table with only the rows that were asked for, and without the columns that tell them, or why there are none. */
export const rowsWhere = (table: Table, where: Readonly<Record<string, string>>, place: Place): Table | IntakeFault =>
  Object.entries(where).reduce<Table | IntakeFault>(
    (left, [name, wanted]) => ('message' in left ? left : rowsWith(left, name, wanted, place)),
    table,
  );

function rowsWith(table: Table, name: string, wanted: string, place: Place): Table | IntakeFault {
  const column = columnNamed(table, name);
  if (column === null) return tableFault(place, `there is no column ${namesText([name])}. ${columnsOfFile(table)}`);
  const texts = textsOf(column);
  const isKept = texts.map((text) => text === wanted.trim());
  const kept = isKept.filter(Boolean).length;
  const at = `${namesText([wanted])} in column ${namesText([name])}`;
  if (kept === 0) return tableFault(place, `no row has ${at}; the rows have ${namesText([...new Set(texts)])}.`);
  const rest = table.columns.filter((each) => each !== column);
  return {
    ...table,
    columns: rest.map((each) => ({ ...each, cells: each.cells.filter((_, i) => isKept[i]) })),
    rows: table.rows.filter((_, i) => isKept[i]),
    notes: [...table.notes, `Only the ${kept} of ${texts.length} rows with ${at} were read.`],
  };
}

/** Returns the readings by which only the rows of one name count, such as those of one store. @param used columns that have another meaning */
export function namedReadings(table: Table, used: readonly (TableColumn | null)[]): IntakeChoice['readings'] {
  return table.columns
    .filter((column) => !used.includes(column))
    .flatMap((column) => {
      const present = column.cells.filter(({ cell }) => !isMissing(cell));
      const texts = [...new Set(textsOf({ ...column, cells: present }))];
      const isNames = texts.length > 1 && texts.length <= names_max && texts.length * 2 <= present.length;
      if (!isNames || present.some(({ cell }) => cell.type === 'date')) return [];
      const name = column.name || column.letter;
      return texts.map((text) => ({
        label: `only the rows with ${namesText([text])} in column ${namesText([name])}`,
        option: { where: { [name]: text } },
      }));
    });
}

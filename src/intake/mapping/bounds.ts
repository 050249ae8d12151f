/** What the mission does not take of values that were read well, such as a negative cost: told with column, row and cell. */
import type { Json } from '../../base/canonical-json.js';
import { fieldErrors } from '../../codec/faults.js';
import { missionRequest } from '../../kinds/request.js';
import { textOf } from '../cells/column.js';
import type { IntakeFault } from '../types.js';
import { columnFault, tableFault, type Place } from './faults.js';
import type { TableColumn } from './table.js';
import type { Drafted } from './work.js';

/** Members that no file has: they may follow later. */
const later = new Set(['work.budget', 'work.start']);

/** Returns the faults of a draft. */
export function draftFaults(
  draft: { readonly [name: string]: Json },
  place: Place,
  drafted: Extract<Drafted, { outcome: 'work' }>,
): IntakeFault[] {
  const decoded = missionRequest.decode(draft);
  if (decoded._tag === 'Right') return [];
  const errors = fieldErrors(decoded.left);
  const inFile = errors.filter(({ path }) => !later.has(path));
  const others: IntakeFault[] = [];
  const cells = new Map<string, { readonly column: TableColumn; readonly message: string; readonly rows: number[] }>();
  for (const { path, message } of inFile) {
    const origin = drafted.originOf(path.replace(/^work\./, ''));
    const column = origin === null ? undefined : drafted.columns.get(origin.member);
    if (origin === null || column === undefined) {
      others.push(tableFault(place, `the mission's ${path.replace(/^work\./, '')} ${message}.`));
      continue;
    }
    const key = `${column.letter} ${message}`;
    const fault = cells.get(key) ?? { column, message, rows: [] };
    fault.rows.push(origin.row);
    cells.set(key, fault);
  }
  const faults = [...cells.values()].map(({ column, message, rows }) => {
    const first = column.cells.find(({ row }) => row === rows[0])?.cell ?? { type: 'blank' };
    return columnFault(place, column, {
      cause: 'values out of bounds',
      advice: `A value ${message}.`,
      rows,
      cell: textOf(first),
    });
  });
  return [...faults, ...others];
}

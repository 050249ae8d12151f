/** The examples as tables, of the kinds that are made from one, as a person would keep them in a spreadsheet. */
import { utf8 } from '../../base/bytes.js';
import { unwrap } from '../../base/result.js';
import type { TemplateFormat, TemplateKind } from '../../codec/api-intake.js';
import { decode } from '../../codec/kit.js';
import { dateOfStep } from '../../kinds/forecast/calendar.js';
import { missionRequest } from '../../kinds/request.js';
import { missionKind } from '../../kinds/table.js';
import type { Works } from '../../kinds/works.js';
import type { Row } from '../../reports/content.js';
import { csvText } from '../../reports/csv.js';
import { xlsxBytes } from '../../reports/xlsx.js';

type Rows = readonly Row[];

/** A Monday, on which the series of the example begins. */
const first_day = '2026-01-05';
const daily = { unit: 'day', count: 1 } as const;

/** Returns an id as a person would write it: `screen_press` as `Screen press`. */
const named = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1).replaceAll('_', ' ');

const tables: { readonly [K in TemplateKind]: (work: Works[K]) => Rows } = {
  forecast: ({ observations }) => [
    ['Date', 'Visitors'],
    ...observations.map((value, i) => [{ date: dateOfStep(first_day, daily, i) ?? first_day }, value]),
  ],
  schedule: ({ jobs }) => [
    ['Job', 'Step', 'Machine', 'Minutes', 'Release', 'Due'],
    ...jobs.flatMap(({ id, operations, release, due = null }) =>
      operations.map(({ machine, duration }, i) => [named(id), i + 1, named(machine), duration, release, due]),
    ),
  ],
  allocation: ({ items }) => [
    ['Ref', 'Cost', 'Value', 'Risk', 'Group', 'Requires', 'Excludes'],
    ...items.map(({ id, cost, value, risk, group = null, requires = [], excludes = [] }) => [
      id,
      cost,
      value,
      risk,
      group,
      requires.join(', ') || null,
      excludes.join(', ') || null,
    ]),
  ],
};

/** Returns the example of a kind as a file. */
export function templateBytes<K extends TemplateKind>(kind: K, format: TemplateFormat): Uint8Array {
  const request = unwrap(decode(missionRequest, missionKind(kind).example));
  const rows = tables[kind](request.work as Works[K]);
  return format === 'csv' ? utf8(csvText(rows)) : xlsxBytes([{ name: kind, rows }]);
}

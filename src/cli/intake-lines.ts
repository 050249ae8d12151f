/** Says in words what was read from files: the mission, the table, and what a person should know of both. */
import { printable } from '../base/text.js';
import type { Preview } from '../intake/types.js';
import type { Work } from '../kinds/works.js';
import { clip, columnsOf, fit } from '../pictures/columns.js';
import { count, figure } from '../pictures/figures.js';
import { screen } from './screen.js';
import { paint } from './text.js';

const step_names: Readonly<Record<string, string>> = { business_day: 'business day', month_end: 'end of a month' };

/** Returns a mission as the rest of a sentence that begins with "This is". @param rows rows of the table or passages of the documents */
export function missionSentence(work: Work, rows: number): string {
  switch (work.kind) {
    case 'forecast': {
      const { observations, horizon, start, step, unit } = work;
      const name = step === null ? '' : (step_names[step.unit] ?? step.unit);
      const every =
        step === null ? '' : step.count === 1 ? `, one for each ${name}` : `, one for every ${count(step.count, name)}`;
      const from = start === null ? '' : ` from ${start}`;
      return `a forecast of the next ${count(horizon, 'value')} of a series of ${observations.length}${unit === 'units' ? '' : ` (${printable(unit)})`}${every}${from}`;
    }
    case 'schedule': {
      const operations = work.jobs.flatMap((job) => job.operations);
      const machines = new Set(operations.map(({ machine }) => machine)).size;
      return `a schedule of ${count(work.jobs.length, 'job')}: ${count(operations.length, 'operation')} on ${count(machines, 'machine')}, times in ${printable(work.unit)}`;
    }
    case 'allocation':
      return `a choice among ${count(work.items.length, 'item')} within a budget of ${figure(work.budget)} ${printable(work.unit)}`;
    case 'research':
      return `research in ${count(rows, 'passage')} of ${count(work.sources.length, 'source')}`;
    default:
      return `a mission of the kind ${work.kind}`;
  }
}

const preview_rows = 5;
const cell_columns_max = 24;

/** Returns the first rows of a table, below the names of its columns and the members that these became. */
export function previewLines({ columns, rows, total }: Preview): string[] {
  const { columns: width, glyphs } = screen();
  const shown = rows.slice(0, preview_rows);
  const cell = (text: string): string => fit(printable(text), cell_columns_max, glyphs.more);
  const lines = [
    ['', ...columns.map(({ name }) => cell(name))],
    ['', ...columns.map(({ member }) => (member === null ? 'left out' : member))],
    ...shown.map(({ row, cells }) => [String(row), ...columns.map((_, i) => cell(cells[i] ?? ''))]),
  ];
  const widths = (lines[0] ?? []).map((_, i) => Math.max(...lines.map((line) => columnsOf(line[i] ?? ''))));
  const text = lines.map((line) => line.map((each, i) => each + ' '.repeat((widths[i] ?? 0) - columnsOf(each))).join('  '));
  const more = total - shown.length;
  return [
    ...text.map((line, i) =>
      clip(i === 0 ? paint.out('bold', line) : i === 1 ? paint.out('grey', line) : line, width, glyphs.more).trimEnd(),
    ),
    ...(more > 0 ? [`and ${count(more, 'more row')}`] : []),
  ];
}

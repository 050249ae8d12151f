/** The content of a result on a terminal: the answer with its figures, what the kind draws, and the tables with all of their rows. */
import { clean, fit } from '../pictures/columns.js';
import { alike, type Screen } from '../pictures/screen.js';
import { apart, type Fact, facts, grid, heading, strip } from '../pictures/layout.js';
import { type Cell, type Content, grouped, leadText, type ReportTable } from './content.js';

/** @param chart what the kind draws, between the figures and the tables */
export function terminalLines(content: Content, chart: readonly string[], screen: Screen): string[] {
  const { answer, figures, inputs, tables, limits } = content;
  const named = [...figures, ...inputs].map(
    ([name, value, note]): Fact => [name, note === undefined ? value : `${value} (${note})`],
  );
  return apart([
    facts([['Answer', answer], ...named], screen),
    chart,
    ...tables.filter(({ rows, isData = false }) => rows.length > 0 && !isData).map((table) => tableLines(table, screen)),
    facts(limits.length === 0 ? [] : [['Limitations', limits.join(' ')]], screen),
  ]);
}

/** A longer text of a cell is cut. */
const cell_columns_max = 300;

function cellText(cell: Cell, { glyphs }: Screen): string {
  if (cell === null) return '-';
  if (typeof cell === 'number') return leadText(cell);
  return typeof cell === 'string' ? fit(clean(cell), cell_columns_max, glyphs.more) : cell.date;
}

/** A table of figures only has its columns as rows, which go on below where they are wider than the screen. */
function tableLines({ title, head, rows }: ReportTable, screen: Screen): string[] {
  const numeric = head.map((_, x) => rows.every((row) => typeof row[x] !== 'string'));
  const lines = numeric.includes(false)
    ? grid(
        [head, ...rows].map((row) => row.map((cell) => cellText(cell, screen))),
        numeric,
        screen,
      )
    : strip(stripRows(head, rows, screen), screen);
  return [heading(title, screen), ...lines];
}

/** Returns the columns by their names; figures that are measured have digits that can be compared. */
function stripRows(head: readonly string[], rows: ReportTable['rows'], screen: Screen): (readonly [string, readonly string[]])[] {
  const columns = head.map((name, x) => ({ name, cells: rows.map((row) => row[x] ?? null) }));
  const numbersOf = (cells: readonly Cell[]): number[] => cells.filter((cell) => typeof cell === 'number');
  const measured = columns.filter(({ cells }) => !numbersOf(cells).every(Number.isInteger));
  const texts = new Map(
    alike(measured.map(({ cells }) => numbersOf(cells))).map((each, i) => [measured[i]?.name, each.values()]),
  );
  return columns.map(({ name, cells }) => {
    const own = texts.get(name);
    return [name, cells.map((cell) => (typeof cell === 'number' && grouped(own?.next().value ?? '')) || cellText(cell, screen))];
  });
}

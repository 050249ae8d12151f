/** Draws operations on machines over time, as rows of characters. */
import type { ScheduleView } from './view.js';
import { axisLines, timeMarks } from '../../pictures/axis.js';
import { Canvas } from '../../pictures/canvas.js';
import { clean, columnsOf, fit, padEnd } from '../../pictures/columns.js';
import { percent } from '../../pictures/figures.js';
import { more } from '../../pictures/layout.js';
import type { Colour, Screen } from '../../pictures/screen.js';

const machines_max = 14;
const machine_columns = 18;

type Operation = ScheduleView['operations'][number];

/** The drawing of a job. Without a letter its operations are shown by the share of time that they keep the machine busy. */
export interface Key {
  readonly letter: string | null;
  readonly colour: Colour | null;
}

interface Machine {
  readonly id: string;
  readonly operations: Operation[];
  busy: number;
}

/**
 * Returns the machines in the order of their first operation in the result; only the busiest, busiest first, if there are too
 * many.
 */
function machinesOf(operations: readonly Operation[]): {
  readonly shown: readonly Machine[];
  readonly hidden: readonly Machine[];
} {
  const machines = new Map<string, Machine>();
  for (const operation of operations) {
    let machine = machines.get(operation.machine);
    if (machine === undefined) machines.set(operation.machine, (machine = { id: operation.machine, operations: [], busy: 0 }));
    machine.operations.push(operation);
    machine.busy += Math.max(0, operation.end - operation.start);
  }
  const all = [...machines.values()];
  if (all.length <= machines_max) return { shown: all, hidden: [] };
  all.sort((a, b) => b.busy - a.busy || (a.id < b.id ? -1 : 1));
  return { shown: all.slice(0, machines_max), hidden: all.slice(machines_max) };
}

interface Load {
  total: number;
  count: number;
  best: number;
  job: string;
}

/** Returns the content of each column of a machine's row: its busy share, and the job with the largest part of it. */
function loads(operations: readonly Operation[], from: number, span: number, columns: number): Load[] {
  const cells = Array.from({ length: columns }, (): Load => ({ total: 0, count: 0, best: 0, job: '' }));
  for (const { job, start, end } of operations) {
    const a = ((start - from) / span) * columns;
    const b = ((end - from) / span) * columns;
    for (let x = Math.floor(a); x < b && x < columns; x++) {
      const cell = cells[x];
      const part = Math.min(b, x + 1) - Math.max(a, x);
      if (cell === undefined || !(part > 1e-9)) continue;
      cell.total += part;
      cell.count++;
      if (part > cell.best) Object.assign(cell, { best: part, job });
    }
  }
  return cells;
}

const shade = (share: number, { glyphs }: Screen): string =>
  glyphs.shades[Math.max(0, Math.min(glyphs.shades.length, Math.ceil(share * glyphs.shades.length - 1e-9)) - 1)] ?? '';

/** Draws one row. Returns whether a column covers more operations than it can name. */
function drawRow(canvas: Canvas, y: number, cells: readonly Load[], keys: ReadonlyMap<string, Key>, screen: Screen): boolean {
  let shaded = false;
  cells.forEach(({ total, count, best, job }, x) => {
    const key = keys.get(job);
    const letter = key?.letter ?? null;
    const crowded = count > 2 && best < 0.5;
    if (count === 0) canvas.put(x, y, screen.glyphs.empty, 'grey');
    else if (letter !== null && !crowded) canvas.put(x, y, letter, key?.colour ?? null);
    else {
      canvas.put(x, y, shade(total, screen), 'blue');
      shaded = true;
    }
  });
  return shaded;
}

/** Draws the chart; `to` is its right end. */
export function gantt(operations: readonly Operation[], keys: ReadonlyMap<string, Key>, screen: Screen): string[] {
  const { paint, glyphs } = screen;
  const { shown, hidden } = machinesOf(operations);
  const from = operations.reduce((least, { start }) => Math.min(least, start), Infinity);
  const to = operations.reduce((latest, { end }) => Math.max(latest, end), -Infinity);
  const span = to - from;
  if (!(span > 0)) return [];
  const names = shown.map(({ id }) => fit(clean(id), machine_columns, glyphs.more));
  const name_columns = Math.max(...names.map(columnsOf));
  const columns = screen.columns - name_columns - '     ││ 99.9 %'.length;
  const canvas = new Canvas(columns, shown.length);
  let shaded = false;
  shown.forEach((machine, y) => {
    shaded = drawRow(canvas, y, loads(machine.operations, from, span, columns), keys, screen) || shaded;
  });
  const edge = paint('grey', glyphs.upright);
  const rows = shown.map(
    ({ busy }, y) =>
      `    ${padEnd(names[y] ?? '', name_columns)} ${edge}${canvas.row(y, screen)}${edge} ${percent(busy / span).padStart(6)}`,
  );
  const busiest = hidden.reduce((most, { busy }) => Math.max(most, busy), 0);
  const [dark = '', ...lighter] = glyphs.shades.toReversed();
  return [
    ...rows,
    ...axisLines(timeMarks(from, to, columns), columns, ' '.repeat(name_columns + 5), screen),
    ...(hidden.length === 0
      ? []
      : [
          more(hidden.length, `${hidden.length === 1 ? 'machine' : 'machines'}, at most ${percent(busiest / span)} busy`, screen),
        ]),
    ...(shaded ? [`    ${lighter.toReversed().join('')}${dark} how busy the machine is, where no letter can name the job`] : []),
  ];
}

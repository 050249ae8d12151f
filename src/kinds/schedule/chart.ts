/** Draws operations on machines over time, as rows of characters, and names the letters of the jobs. */
import {
  clockOfView,
  type JobView,
  jobsOf,
  machinesOf,
  type MachineView,
  type Operation,
  scheduleRequest,
  scheduleResult,
  type ScheduleInput,
  type ScheduleView,
} from './view.js';
import type { Clock } from './clock.js';
import { clean, columnsOf, fit, padEnd } from '../../pictures/columns.js';
import { type Colour, percent, type Screen } from '../../pictures/screen.js';
import { more, tiles } from '../../pictures/layout.js';
import { viewOf } from '../view-fields.js';
import type { Picture } from '../../pictures/picture.js';
import { axisLines, type Mark, timeMarks } from '../../pictures/axis.js';
import { Canvas } from '../../pictures/canvas.js';

const machines_max = 14;
const machine_columns = 18;

/** The drawing of a job. Without a letter its operations are shown by the share of time that they keep the machine busy. */
interface Key {
  readonly letter: string | null;
  readonly colour: Colour | null;
}

/** Returns the machines in the order of their first operation in the result; only the busiest, busiest first, if there are too many. */
function chosen(all: readonly MachineView[]) {
  if (all.length <= machines_max) return { shown: all, hidden: [] };
  const busiest = all.toSorted((a, b) => b.worked - a.worked || (a.id < b.id ? -1 : 1));
  return { shown: busiest.slice(0, machines_max), hidden: busiest.slice(machines_max) };
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

/** Returns marks of the days of a clock, or of the times of its one day; without a clock, of working time. */
function marksOf(clock: Clock | null, from: number, to: number, columns: number): Mark[] {
  if (clock === null) return timeMarks(from, to, columns);
  const days = clock.openings(to).filter(({ at, isDay }) => isDay && at >= from);
  if (days.length < 2) return timeMarks(from, to, columns, (time) => clock.startAt(time).slice('2026-12-01 '.length));
  return days.map(({ at, open }) => ({ column: Math.round(((at - from) / (to - from)) * columns), label: open.slice(5, 10) }));
}

function gantt(result: ScheduleView, input: ScheduleInput | null, keys: ReadonlyMap<string, Key>, screen: Screen): string[] {
  const { paint, glyphs } = screen;
  const { operations } = result;
  const { shown, hidden } = chosen(machinesOf(result, input));
  const from = operations.reduce((least, { start }) => Math.min(least, start), Infinity);
  const to = operations.reduce((latest, { end }) => Math.max(latest, end), -Infinity);
  const span = to - from;
  if (!(span > 0)) return [];
  const names = shown.map(({ name }) => fit(clean(name), machine_columns, glyphs.more));
  const name_columns = Math.max(...names.map(columnsOf));
  const columns = screen.columns - name_columns - '     ││ 99.9 %'.length;
  const canvas = new Canvas(columns, shown.length);
  let shaded = false;
  shown.forEach(({ id }, y) => {
    const own = operations.filter(({ machine }) => machine === id);
    shaded = drawRow(canvas, y, loads(own, from, span, columns), keys, screen) || shaded;
  });
  const edge = paint('grey', glyphs.upright);
  const rows = shown.map(
    ({ busy }, y) =>
      `    ${padEnd(names[y] ?? '', name_columns)} ${edge}${canvas.row(y, screen)}${edge} ${percent(busy).padStart(6)}`,
  );
  const busiest = hidden.reduce((most, { busy }) => Math.max(most, busy), 0);
  const [dark = '', ...lighter] = glyphs.shades.toReversed();
  return [
    ...rows,
    ...axisLines(marksOf(clockOfView(result, input), from, to, columns), columns, ' '.repeat(name_columns + 5), screen),
    ...(hidden.length === 0
      ? []
      : [more(hidden.length, `${hidden.length === 1 ? 'machine' : 'machines'}, at most ${percent(busiest)} busy`, screen)]),
    ...(shaded ? [`    ${lighter.toReversed().join('')}${dark} how busy the machine is, where no letter can name the job`] : []),
  ];
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const cycle: readonly (Colour | null)[] = ['blue', null, 'green', 'yellow'];
const job_columns = 22;

interface Job extends JobView {
  readonly key: Key;
}

const keyed = (jobs: readonly JobView[]): Job[] =>
  jobs.map((job, i) => {
    const letter = jobs.length <= letters.length ? letters.charAt(i) : null;
    return { ...job, key: { letter, colour: job.late > 0 ? 'red' : (cycle[i % cycle.length] ?? null) } };
  });

/** Returns the letter of each job. */
function legend(jobs: readonly Job[], screen: Screen): string[] {
  const cells = jobs.flatMap(({ name, key: { letter } }) =>
    letter === null ? [] : [`${letter} ${fit(clean(name), job_columns, screen.glyphs.more)}`],
  );
  return cells.length === 0 ? [] : ['', ...tiles(cells, screen)];
}

export const scheduleChart: Picture = ({ request, result }, screen) => {
  const view = viewOf(scheduleResult, result);
  if (view === null) return null;
  const input = viewOf(scheduleRequest, request)?.work ?? null;
  const jobs = keyed(jobsOf(view, input));
  const lines = gantt(view, input, new Map(jobs.map(({ id, key }) => [id, key])), screen);
  return lines.length === 0 ? [] : [...lines, ...legend(jobs, screen)];
};

/** Draws a schedule: its figures, a Gantt chart by machine, and the end of each job. */
import { delays, scheduleRequest, scheduleResult, type ScheduleInput, type ScheduleView } from './view.js';
import { clean, columnsOf, fit, padEnd } from '../../pictures/columns.js';
import { count, figure, percent } from '../../pictures/figures.js';
import { apart, facts, heading, limitsFact, more, proofFact, tiles, type Fact } from '../../pictures/layout.js';
import type { Colour, Screen } from '../../pictures/screen.js';
import { namesOf, viewOf } from '../view-fields.js';
import type { Picture } from '../../pictures/picture.js';
import { axisLines, timeMarks } from '../../pictures/axis.js';
import { Canvas } from '../../pictures/canvas.js';

// Draws operations on machines over time, as rows of characters.

const machines_max = 14;
const machine_columns = 18;

type Operation = ScheduleView['operations'][number];

/** The drawing of a job. Without a letter its operations are shown by the share of time that they keep the machine busy. */
interface Key {
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

/** Draws the chart. @param nameOf returns what a machine is called */
function gantt(
  operations: readonly Operation[],
  keys: ReadonlyMap<string, Key>,
  nameOf: (machine: string) => string,
  screen: Screen,
): string[] {
  const { paint, glyphs } = screen;
  const { shown, hidden } = machinesOf(operations);
  const from = operations.reduce((least, { start }) => Math.min(least, start), Infinity);
  const to = operations.reduce((latest, { end }) => Math.max(latest, end), -Infinity);
  const span = to - from;
  if (!(span > 0)) return [];
  const names = shown.map(({ id }) => fit(clean(nameOf(id)), machine_columns, glyphs.more));
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

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const cycle: readonly (Colour | null)[] = ['blue', null, 'green', 'yellow'];
const rows_max = 9;
const job_columns = 22;

interface Job {
  readonly id: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly due: number | null;
  /** The time from the due date to the end of the job; 0 if it is not late. */
  readonly late: number;
  readonly key: Key;
}

function jobsOf(result: ScheduleView, input: ScheduleInput | null): Job[] {
  const spans = new Map<string, { start: number; end: number }>();
  for (const { job, start, end } of result.operations) {
    const span = spans.get(job);
    if (span === undefined) spans.set(job, { start, end });
    else Object.assign(span, { start: Math.min(span.start, start), end: Math.max(span.end, end) });
  }
  const dues = new Map(input?.jobs.map(({ id, due }) => [id, typeof due === 'number' ? due : null]));
  const nameOf = namesOf(input?.jobs);
  const lettered = spans.size <= letters.length;
  return [...spans].map(([id, { start, end }], i) => {
    const due = dues.get(id) ?? null;
    const late = due === null ? 0 : Math.max(0, end - due);
    const colour = late > 0 ? 'red' : (cycle[i % cycle.length] ?? null);
    return { id, name: nameOf(id), start, end, due, late, key: { letter: lettered ? letters.charAt(i) : null, colour } };
  });
}

function factsOf(result: ScheduleView, input: ScheduleInput | null, jobs: readonly Job[]): Fact[] {
  const { makespan, tardiness, lower_bound, gap, optimality_proven, baseline, improvement, unit } = result;
  const dues = jobs.filter(({ due }) => due !== null).length;
  const late = jobs.filter((job) => job.late > 0).length;
  const tardy = input?.objective === 'weighted_tardiness';
  const lateText = dues === 0 ? '' : `; ${late} of ${count(dues, 'job')} with a due time ${late === 1 ? 'is' : 'are'} late`;
  const all: readonly (readonly [string, string, boolean])[] = [
    ['makespan', figure(makespan), true],
    ['tardiness', `${figure(tardiness)} weighted${lateText}`, tardy || dues > 0],
    [...proofFact(optimality_proven, 'lower bound', `${figure(lower_bound)}${tardy ? ' of the tardiness' : ''}`, gap), true],
    [
      'dispatching rule',
      `${figure(baseline)}${improvement === 0 ? ', as good' : `; this is ${percent(improvement)} better`}`,
      true,
    ],
    ['unit', unit, true],
  ];
  return all.flatMap(([name, value, shown]): Fact[] => (shown ? [[name, value]] : []));
}

/** Returns the cells of the jobs in as many columns as fit, and how many are left out. */
function jobTiles(jobs: readonly Job[], screen: Screen): ReturnType<typeof tiles> {
  const names = jobs.map(({ name }) => fit(clean(name), job_columns, screen.glyphs.more));
  const width = Math.max(...names.map(columnsOf));
  const times = Math.max(...jobs.map(({ end }) => figure(end).length));
  const starts = Math.max(...jobs.map(({ start }) => figure(start).length));
  const cells = jobs.map(({ start, end, due, late, key }, i) => {
    const when = `${figure(start).padStart(starts)} to ${figure(end).padStart(times)}`;
    const against = due === null ? '' : late > 0 ? `  ${figure(late)} late` : `  due ${figure(due)}`;
    return `${key.letter === null ? '' : `${key.letter} `}${padEnd(names[i] ?? '', width)} ${when}${against}`;
  });
  return tiles(cells, rows_max, screen);
}

/** Returns the lines of the jobs, latest first if not all can be shown. */
function jobLines(jobs: readonly Job[], screen: Screen): string[] {
  if (jobs.length === 0) return [];
  const whole = jobTiles(jobs, screen);
  if (whole.left === 0) return [heading('jobs', screen), ...whole.lines];
  const ordered = jobs.toSorted((a, b) => b.late - a.late || b.end - a.end || (a.id < b.id ? -1 : 1));
  const { lines, left } = jobTiles(ordered, screen);
  const lateLeft = ordered.slice(-left).filter(({ late }) => late > 0).length;
  const rest = `${left === 1 ? 'job' : 'jobs'}${lateLeft === 0 ? '' : `, ${lateLeft} of them late`}`;
  return [heading('jobs, the latest first', screen), ...lines, more(left, rest, screen)];
}

/** Returns the lines that say why jobs are late: what their critical paths wait for. */
function delayLines(result: ScheduleView, input: ScheduleInput | null, jobs: readonly Job[], screen: Screen): string[] {
  const [jobName, machineName] = [namesOf(input?.jobs), namesOf(input?.machines)];
  const all = delays(result, jobs);
  if (all.length === 0) return [];
  const lines = all.map(({ job, others }) => {
    const waits = others.map(
      (each) => `${jobName(each.job)} on ${machineName(each.machine)} (${figure(each.start)} to ${figure(each.end)})`,
    );
    const text = waits.length === 0 ? 'waits for no other job' : `waits for ${waits.join(', ')}`;
    return fit(`    ${clean(job.name)} ${clean(text)}`, screen.columns, screen.glyphs.more);
  });
  return [heading('why jobs are late, the latest first', screen), ...lines];
}

function drawSchedule(result: ScheduleView, input: ScheduleInput | null, screen: Screen): string[] {
  const jobs = jobsOf(result, input);
  const keys = new Map(jobs.map(({ id, key }) => [id, key]));
  return apart([
    facts(factsOf(result, input, jobs), screen),
    gantt(result.operations, keys, namesOf(input?.machines), screen),
    jobLines(jobs, screen),
    delayLines(result, input, jobs, screen),
    facts(limitsFact(result.limits), screen),
  ]);
}

export const schedulePicture: Picture = ({ request, result }, screen) => {
  const view = viewOf(scheduleResult, result);
  return view && drawSchedule(view, viewOf(scheduleRequest, request)?.work ?? null, screen);
};

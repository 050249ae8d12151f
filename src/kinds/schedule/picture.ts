/** Draws a schedule: its figures, a Gantt chart by machine, and the end of each job. */
import {
  clockOfView,
  delays,
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
import { clean, columnsOf, fit, padEnd, wrapTo } from '../../pictures/columns.js';
import { count, figure, percent } from '../../pictures/figures.js';
import { apart, facts, heading, limitsFact, more, proofFact, tiles, type Fact } from '../../pictures/layout.js';
import type { Colour, Screen } from '../../pictures/screen.js';
import { namesOf, viewOf } from '../view-fields.js';
import type { Picture } from '../../pictures/picture.js';
import { axisLines, type Mark, timeMarks } from '../../pictures/axis.js';
import { Canvas } from '../../pictures/canvas.js';

// Draws operations on machines over time, as rows of characters.

const machines_max = 14;
const machine_columns = 18;

/** The drawing of a job. Without a letter its operations are shown by the share of time that they keep the machine busy. */
interface Key {
  readonly letter: string | null;
  readonly colour: Colour | null;
}

/** Returns the machines in the order of their first operation in the result; only the busiest, busiest first, if there are too many. */
function chosen(all: readonly MachineView[]): {
  readonly shown: readonly MachineView[];
  readonly hidden: readonly MachineView[];
} {
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
    ({ worked }, y) =>
      `    ${padEnd(names[y] ?? '', name_columns)} ${edge}${canvas.row(y, screen)}${edge} ${percent(worked / span).padStart(6)}`,
  );
  const busiest = hidden.reduce((most, { worked }) => Math.max(most, worked), 0);
  const [dark = '', ...lighter] = glyphs.shades.toReversed();
  return [
    ...rows,
    ...axisLines(marksOf(clockOfView(result, input), from, to, columns), columns, ' '.repeat(name_columns + 5), screen),
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
const job_columns = 22;

interface Job extends JobView {
  readonly key: Key;
}

const keyed = (jobs: readonly JobView[]): Job[] =>
  jobs.map((job, i) => {
    const letter = jobs.length <= letters.length ? letters.charAt(i) : null;
    return { ...job, key: { letter, colour: job.late > 0 ? 'red' : (cycle[i % cycle.length] ?? null) } };
  });

/** Returns a time as its clock time where it has one. */
const timeText = (time: number, at: string | null | undefined): string => at ?? figure(time);

/** Returns from when until when the jobs run on the clock. */
function whenText(jobs: readonly Job[]): string {
  const [starts, ends] = [jobs.flatMap(({ start_at = [] }) => start_at), jobs.flatMap(({ end_at = [] }) => end_at)];
  return starts.length === 0 ? '' : ` (${starts.toSorted()[0] ?? ''} to ${ends.toSorted().at(-1) ?? ''})`;
}

function factsOf(result: ScheduleView, input: ScheduleInput | null, jobs: readonly Job[]): Fact[] {
  const { makespan, tardiness, lower_bound, gap, optimality_proven, baseline, improvement, unit } = result;
  const dues = jobs.filter(({ due }) => due !== null).length;
  const late = jobs.filter((job) => job.late > 0).length;
  const tardy = input?.objective === 'weighted_tardiness';
  const lateText = dues === 0 ? '' : `; ${late} of ${count(dues, 'job')} with a due time ${late === 1 ? 'is' : 'are'} late`;
  const all: readonly (readonly [string, string, boolean])[] = [
    ['makespan', `${figure(makespan)}${whenText(jobs)}`, true],
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

function jobLines(jobs: readonly Job[], screen: Screen): string[] {
  if (jobs.length === 0) return [];
  const names = jobs.map(({ name }) => fit(clean(name), job_columns, screen.glyphs.more));
  const width = Math.max(...names.map(columnsOf));
  const times = Math.max(...jobs.map(({ end, end_at }) => timeText(end, end_at).length));
  const starts = Math.max(...jobs.map(({ start, start_at }) => timeText(start, start_at).length));
  const cells = jobs.map(({ start, end, start_at, end_at, due, due_at, late, key }, i) => {
    const when = `${timeText(start, start_at).padStart(starts)} to ${timeText(end, end_at).padStart(times)}`;
    const against = due === null ? '' : late > 0 ? `  ${figure(late)} late` : `  due ${timeText(due, due_at)}`;
    return `${key.letter === null ? '' : `${key.letter} `}${padEnd(names[i] ?? '', width)} ${when}${against}`;
  });
  return [heading('jobs', screen), ...tiles(cells, screen)];
}

/** Operations that are named for each job that is late. */
const waits_max = 4;

/** Returns the lines that say why jobs are late: what their critical paths wait for. */
function delayLines(result: ScheduleView, input: ScheduleInput | null, jobs: readonly Job[], screen: Screen): string[] {
  const [jobName, machineName] = [namesOf(input?.jobs), namesOf(input?.machines)];
  const all = delays(result, jobs);
  if (all.length === 0) return [];
  const lines = all.flatMap(({ job, others }) => {
    const waits = others
      .slice(0, waits_max)
      .map(
        ({ job: other, machine, start, end, start_at, end_at }) =>
          `${jobName(other)} on ${machineName(machine)} (${timeText(start, start_at)} to ${timeText(end, end_at)})`,
      );
    const left = others.length > waits.length ? ` and ${others.length - waits.length} more` : '';
    const text = waits.length === 0 ? 'waits for no other job' : `waits for ${waits.join(', ')}${left}`;
    return wrapTo(`${clean(job.name)} ${clean(text)}`, screen.columns - 6).map(
      (line, i) => `${i === 0 ? '    ' : '      '}${line}`,
    );
  });
  return [heading('why jobs are late, the latest first', screen), ...lines];
}

function drawSchedule(result: ScheduleView, input: ScheduleInput | null, screen: Screen): string[] {
  const jobs = keyed(jobsOf(result, input));
  const keys = new Map(jobs.map(({ id, key }) => [id, key]));
  return apart([
    facts(factsOf(result, input, jobs), screen),
    gantt(result, input, keys, screen),
    jobLines(jobs, screen),
    delayLines(result, input, jobs, screen),
    facts(limitsFact(result.limits), screen),
  ]);
}

export const schedulePicture: Picture = ({ request, result }, screen) => {
  const view = viewOf(scheduleResult, result);
  return view && drawSchedule(view, viewOf(scheduleRequest, request)?.work ?? null, screen);
};

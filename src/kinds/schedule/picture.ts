/** Draws a schedule: its figures, a Gantt chart by machine, and the end of each job. */
import { scheduleRequest, scheduleResult, type ScheduleInput, type ScheduleView } from './view.js';
import { clean, columnsOf, fit, padEnd } from '../../pictures/columns.js';
import { count, figure, percent } from '../../pictures/figures.js';
import { gantt, type Key } from './gantt.js';
import { apart, facts, heading, limitsFact, more, proofFact, tiles, type Fact } from '../../pictures/layout.js';
import type { Colour, Screen } from '../../pictures/screen.js';
import { viewOf } from '../view-fields.js';
import type { Picture } from '../../pictures/picture.js';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const cycle: readonly (Colour | null)[] = ['blue', null, 'green', 'yellow'];
const rows_max = 9;
const job_columns = 22;

interface Job {
  readonly id: string;
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
  const dues = new Map(input?.jobs.map(({ id, due }) => [id, due ?? null]));
  const lettered = spans.size <= letters.length;
  return [...spans].map(([id, { start, end }], i) => {
    const due = dues.get(id) ?? null;
    const late = due === null ? 0 : Math.max(0, end - due);
    const colour = late > 0 ? 'red' : (cycle[i % cycle.length] ?? null);
    return { id, start, end, due, late, key: { letter: lettered ? letters.charAt(i) : null, colour } };
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
  const names = jobs.map(({ id }) => fit(clean(id), job_columns, screen.glyphs.more));
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

function drawSchedule(result: ScheduleView, input: ScheduleInput | null, screen: Screen): string[] {
  const jobs = jobsOf(result, input);
  const keys = new Map(jobs.map(({ id, key }) => [id, key]));
  return apart([
    facts(factsOf(result, input, jobs), screen),
    gantt(result.operations, keys, screen),
    jobLines(jobs, screen),
    facts(limitsFact(result.limits), screen),
  ]);
}

export const schedulePicture: Picture = ({ request, result }, screen) => {
  const view = viewOf(scheduleResult, result);
  return view && drawSchedule(view, viewOf(scheduleRequest, request)?.work ?? null, screen);
};

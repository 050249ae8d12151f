/** The report of a schedule: its figures, a Gantt chart by machine, and when each operation and job begins and ends. */
import type { Clock, Opening } from '../../kinds/schedule/clock.js';
import { calendarText } from '../../kinds/schedule/open-hours.js';
import {
  clockOfView,
  delays,
  jobsOf,
  type JobView,
  machinesOf,
  type MachineView,
  type Operation,
  scheduleRequest,
  scheduleResult,
  type ScheduleInput,
  type ScheduleView,
} from '../../kinds/schedule/view.js';
import { namesOf, viewOf } from '../../kinds/view-fields.js';
import { count } from '../../pictures/screen.js';
import {
  type CalendarEvent,
  type Cell,
  type Chart,
  comparedText,
  type Content,
  type Fact,
  momentText,
  numberText,
  type ReportTable,
  textsOf,
} from '../content.js';
import { field, label, linear, type Mark, shape, ticks, toneOf, width, xAxis } from '../drawing.js';
import { proofFact } from './shared.js';

type Shop = Readonly<ReturnType<typeof shopOf>>;

const shopOf = (result: ScheduleView, input: ScheduleInput | null) => ({
  result,
  input,
  jobs: jobsOf(result, input),
  machines: machinesOf(result, input),
  isTardy: input?.objective === 'weighted_tardiness',
});

/** Returns a time as a cell: on the clock where it has one. */
const timeOf = (time: number, at: string | null | undefined): Cell => (typeof at === 'string' ? { date: at } : time);
const timeText = (time: number, at: string | null | undefined): string =>
  typeof at === 'string' ? momentText(at) : numberText(time);

export function scheduleContent(request: unknown, given: unknown): Content | null {
  const result = viewOf(scheduleResult, given);
  if (result === null) return null;
  const shop = shopOf(result, viewOf(scheduleRequest, request)?.work ?? null);
  const { jobs, machines, isTardy } = shop;
  const operations = result.operations.length;
  const aim = isTardy ? 'the weighted delays after the due times are least' : 'the last operation ends as early as possible';
  return {
    question: `When does ${operations === 1 ? 'the operation' : `each of ${count(operations, 'operation')}`} of ${count(jobs.length, 'job')} run on ${count(machines.length, 'machine')}, so that ${aim}?`,
    inputs: [
      ['Unit of time', result.unit],
      ...(shop.input?.start === undefined ? [] : [['Start', momentText(shop.input.start.replace('T', ' '))] as const]),
      ...openHours(shop),
    ],
    answer: answerOf(shop),
    figures: figuresOf(shop),
    chart: gantt(shop),
    tables: [jobTable(shop), operationTable(shop), delayTable(shop)],
    ...eventsOf(shop),
    limits: textsOf(result.limits),
    terms: ['makespan', ...(hasDues(shop) ? (['tardiness'] as const) : []), 'lower bound', 'gap', 'baseline'],
  };
}

/** Lines of open hours that the report lists; the others are counted. */
const open_lines_max = 20;

function openHours({ input }: Shop): Fact[] {
  const lines = calendarText(input?.calendar).split('\n');
  const left = lines.length - open_lines_max;
  const rest = left > 0 ? `; ${count(left, 'more day')} in the request` : '';
  return lines[0] === '' ? [] : [['Open hours', `${lines.slice(0, open_lines_max).join('; ')}${rest}`]];
}

/** With more late jobs than that, the answer only counts them. */
const late_named_max = 3;

function answerOf({ result: { makespan, unit }, jobs }: Shop): string {
  const dues = jobs.filter(({ due }) => due !== null).length;
  const late = jobs.filter((job) => job.late > 0).map(({ name }) => name);
  const end = jobs
    .flatMap(({ end_at = [] }) => end_at)
    .toSorted()
    .at(-1);
  const after = `after ${numberText(makespan)} ${unit}`;
  const all = `Everything is done ${end === undefined ? after : `on ${momentText(end)}, ${after} of working time`}`;
  if (dues === 0) return `${all}.`;
  const names = late.length === 0 || late.length > late_named_max ? '' : `: ${late.join(', ')}`;
  if (dues === 1) return `${all}; the job with a due time is ${late.length === 0 ? 'not late' : `late${names}`}.`;
  const number = late.length === 0 ? 'none' : numberText(late.length);
  return `${all}; ${number} of ${count(dues, 'job')} with a due time ${late.length > 1 ? 'are' : 'is'} late${names}.`;
}

const hasDues = ({ jobs, isTardy }: Shop): boolean => isTardy || jobs.some(({ due }) => due !== null);

function figuresOf(shop: Shop): Fact[] {
  const { result, isTardy } = shop;
  const { makespan, tardiness, lower_bound, gap, optimality_proven, baseline, improvement, unit } = result;
  const weighted = `weighted ${unit}`;
  const aim = isTardy ? weighted : unit;
  return [
    ['Makespan', `${numberText(makespan)} ${unit}`],
    ...(hasDues(shop) ? [['Weighted tardiness', `${numberText(tardiness)} ${weighted}`] as const] : []),
    proofFact(optimality_proven, { name: 'Lower bound', value: lower_bound, unit: aim, gap }),
    ['Dispatching rule (baseline)', `${numberText(baseline)} ${aim}`, comparedText(improvement)],
  ];
}

function operationTable({ machines, jobs }: Shop): ReportTable {
  const names = new Map(jobs.map(({ id, name }) => [id, name]));
  return {
    title: 'Operations by machine',
    isData: true,
    head: ['Machine', 'Job', 'Start', 'End'],
    rows: machines.flatMap(({ name, operations }) =>
      operations.map(({ job, start, end, start_at, end_at }) => [
        name,
        names.get(job) ?? job,
        timeOf(start, start_at),
        timeOf(end, end_at),
      ]),
    ),
  };
}

function jobTable(shop: Shop): ReportTable {
  const { jobs, result, input } = shop;
  const isDue = hasDues(shop);
  const unit = input?.start === undefined ? result.unit : `${result.unit} of working time`;
  return {
    title: 'Jobs',
    head: ['Job', 'Start', 'End', ...(isDue ? ['Due', `Late by, ${unit}`] : [])],
    rows: jobs.map(({ name, start, end, start_at, end_at, due, due_at, late }) => [
      name,
      timeOf(start, start_at),
      timeOf(end, end_at),
      ...(isDue ? (due === null ? [null, null] : [timeOf(due, due_at), late]) : []),
    ]),
  };
}

/** The operations on the wall clock; nothing without a start. */
function eventsOf({ result: { operations }, input, jobs, machines }: Shop): Pick<Content, 'events'> {
  if (input?.start === undefined) return {};
  const [job, machine] = [
    new Map(jobs.map((each) => [each.id, each.name])),
    new Map(machines.map((each) => [each.id, each.name])),
  ];
  const steps = new Map<string, number>();
  const events = operations.flatMap((each): readonly CalendarEvent[] => {
    const step = (steps.get(each.job) ?? 0) + 1;
    steps.set(each.job, step);
    const { start_at: start, end_at: end } = each;
    if (start === undefined || end === undefined) return [];
    const named = (id: string, names: ReadonlyMap<string, string>) => ({ id, name: names.get(id) ?? id });
    return [{ job: named(each.job, job), machine: named(each.machine, machine), step, start, end }];
  });
  return { events };
}

function delayTable({ result, input, jobs }: Shop): ReportTable {
  const [jobName, machineName] = [namesOf(input?.jobs), namesOf(input?.machines)];
  const waits = (each: Operation): string =>
    `${jobName(each.job)} on ${machineName(each.machine)} (${timeText(each.start, each.start_at)} to ${timeText(each.end, each.end_at)})`;
  return {
    title: 'Why jobs are late',
    head: ['Job', 'Waits for'],
    rows: delays(result, jobs).map(({ job, others }) => [job.name, others.map(waits).join(', ') || 'no other job']),
  };
}

const lane = { name: 16, bar: 20, gap: 7 };
const lane_height = lane.name + lane.bar + lane.gap;
/** More machines than that would not fit on a page. */
const lanes_max = 14;
const char_units = 6.5;
const legend_max = 40;

function gantt({ result, input, jobs, machines }: Shop): Chart {
  const { makespan, unit } = result;
  const clock = clockOfView(result, input);
  const openings = clock?.openings(makespan) ?? [];
  const shown = machines.slice(0, lanes_max);
  const bottom = 6 + shown.length * lane_height;
  const x = linear([0, Math.max(1, makespan)], [4, field.right]);
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const left = machines.length - shown.length;
  const lanes = shown.map((machine, row) => laneOf(machine, 6 + row * lane_height, x, byId));
  const name = clock === null ? `Time, ${unit}` : 'Date and time; work pauses at the lines';
  return {
    title: left === 0 ? 'Operations over time' : `Operations over time; ${count(left, 'more machine')} in the table`,
    alt: `Gantt chart of ${count(machines.length, 'machine')} and ${count(jobs.length, 'job')} over ${numberText(makespan)} ${unit}.`,
    svg: lanes.join('') + seams(openings, x, bottom) + xAxis(x, marksOf(makespan, clock, openings), bottom, name, 4),
    height: bottom + 42,
    legend: jobs.slice(0, legend_max).map(({ index, name: job }) => [toneOf(index), `${index + 1} ${job}`] as const),
  };
}

const marks_max = 8;
/** Dates are longer than numbers. Within a unit no clock time is known. */
const date_marks_max = 5;

/** Returns the marks of the axis: numbers without a clock; else days, or clock times of a schedule of few days. */
function marksOf(makespan: number, clock: Clock | null, openings: readonly Opening[]): Mark[] {
  const times = ticks([0, makespan], clock === null ? marks_max : Math.min(date_marks_max, makespan));
  if (clock === null) return times.map((value) => [value, numberText(value)]);
  const days = openings.filter(({ isDay }) => isDay);
  if (days.length < times.length) return times.map((value) => [value, clock.startAt(value).slice(5)]);
  const marks: Mark[] = [];
  for (const { at, open } of days)
    if (at - (marks.at(-1)?.[0] ?? -makespan) >= makespan / marks_max) marks.push([at, momentText(open).slice(0, 14)]);
  return marks;
}

const seams_max = 60;

/** Draws where work pauses: at nights and closed days, and at breaks if there is room. */
function seams(openings: readonly Opening[], x: (time: number) => number, bottom: number): string {
  const all = openings.filter(({ closed }) => closed !== null);
  const days = all.filter(({ isDay }) => isDay);
  const shown = [all, days].find(({ length }) => length <= seams_max) ?? [];
  return shown
    .map(({ at, isDay }) => shape('line', { class: isDay ? 'seam day' : 'seam', x1: x(at), x2: x(at), y1: 6, y2: bottom }))
    .join('');
}

function laneOf(
  { name, operations }: MachineView,
  top: number,
  x: (time: number) => number,
  jobs: ReadonlyMap<string, JobView>,
): string {
  const bars = operations.map(({ job, start, end }) => {
    const { index = 0, name: whole = job } = jobs.get(job) ?? {};
    const [from, wide] = [x(start), Math.max(1, x(end) - x(start))];
    const text = [whole, String(index + 1)].find((each) => each.length * char_units + 6 <= wide);
    const bar = shape('rect', {
      class: toneOf(index),
      x: from,
      y: top + lane.name,
      width: Math.max(0.5, wide - 1),
      height: lane.bar,
      rx: 2,
    });
    const middle = { class: 'on', 'text-anchor': 'middle' };
    return text === undefined ? bar : bar + label(text, from + wide / 2, top + lane.name + lane.bar / 2 + 4, middle);
  });
  const room = { class: 'room', x: 4, y: top + lane.name, width: width - 16, height: lane.bar };
  return label(name, 4, top + 12, { class: 'name' }) + shape('rect', room) + bars.join('');
}

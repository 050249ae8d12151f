/** The report of a schedule: its figures, a Gantt chart by machine, and when each operation and job begins and ends. */
import { delays, scheduleRequest, scheduleResult, type ScheduleInput, type ScheduleView } from '../../kinds/schedule/view.js';
import { namesOf, viewOf } from '../../kinds/view-fields.js';
import { count, percent } from '../../pictures/figures.js';
import { type Chart, type Content, type Fact, numberText, type ReportTable, textsOf } from '../content.js';
import { field, label, linear, shape, ticks, toneOf, width, xAxis } from '../drawing.js';
import { proofFact } from './shared.js';

type Operation = ScheduleView['operations'][number];

interface Job {
  readonly id: string;
  readonly name: string;
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly due: number | null;
  readonly late: number;
}

interface Machine {
  readonly id: string;
  readonly name: string;
  readonly operations: readonly Operation[];
}

interface Shop {
  readonly result: ScheduleView;
  readonly input: ScheduleInput | null;
  readonly jobs: readonly Job[];
  readonly machines: readonly Machine[];
  readonly isTardy: boolean;
}

/** Returns the operations of each job, or of each machine, in the order of their first one. */
const grouped = (operations: readonly Operation[], by: 'job' | 'machine'): [id: string, own: readonly Operation[]][] => {
  const groups = new Map<string, Operation[]>();
  for (const each of operations) {
    const own = groups.get(each[by]);
    if (own === undefined) groups.set(each[by], [each]);
    else own.push(each);
  }
  return [...groups];
};

function shopOf(result: ScheduleView, input: ScheduleInput | null): Shop {
  const [jobName, machineName] = [namesOf(input?.jobs), namesOf(input?.machines)];
  const dues = new Map(input?.jobs.map(({ id, due }) => [id, typeof due === 'number' ? due : null]));
  const jobs = grouped(result.operations, 'job').map(([id, own], index): Job => {
    const start = own.reduce((least, each) => Math.min(least, each.start), Infinity);
    const end = own.reduce((most, each) => Math.max(most, each.end), 0);
    const due = dues.get(id) ?? null;
    return { id, name: jobName(id), index, start, end, due, late: due === null ? 0 : Math.max(0, end - due) };
  });
  const machines = grouped(result.operations, 'machine').map(([id, own]) => ({
    id,
    name: machineName(id),
    operations: own.toSorted((a, b) => a.start - b.start),
  }));
  return { result, input, jobs, machines, isTardy: input?.objective === 'weighted_tardiness' };
}

export function scheduleContent(request: unknown, given: unknown): Content | null {
  const result = viewOf(scheduleResult, given);
  if (result === null) return null;
  const shop = shopOf(result, viewOf(scheduleRequest, request)?.work ?? null);
  const { jobs, machines, isTardy } = shop;
  const aim = isTardy ? 'the weighted delays after the due times are least' : 'the last operation ends as early as possible';
  return {
    question: `When does each of ${count(result.operations.length, 'operation')} of ${count(jobs.length, 'job')} run on ${count(machines.length, 'machine')}, so that ${aim}?`,
    inputs: [['Unit of time', result.unit]],
    answer: answerOf(shop),
    figures: figuresOf(shop),
    chart: gantt(shop),
    tables: [jobTable(shop), operationTable(shop), delayTable(shop)],
    limits: textsOf(result.limits),
    terms: ['makespan', ...(isTardy ? (['tardiness'] as const) : []), 'lower bound', 'gap', 'baseline'],
  };
}

function answerOf({ result: { makespan, unit }, jobs }: Shop): string {
  const [dues, late] = [jobs.filter(({ due }) => due !== null).length, jobs.filter((job) => job.late > 0).length];
  const all = `Everything is done after ${numberText(makespan)} ${unit}`;
  if (dues === 0) return `${all}.`;
  return `${all}; ${late === 0 ? 'no job' : numberText(late)} of ${count(dues, 'job')} with a due time ${late > 1 ? 'are' : 'is'} late.`;
}

function figuresOf({ result, jobs, isTardy }: Shop): Fact[] {
  const { makespan, tardiness, lower_bound, gap, optimality_proven, baseline, improvement, unit } = result;
  return [
    ['Makespan', `${numberText(makespan)} ${unit}`],
    ...(isTardy || jobs.some(({ due }) => due !== null) ? [['Weighted tardiness', numberText(tardiness)] as const] : []),
    proofFact(optimality_proven, { name: 'Lower bound', value: lower_bound, gap }),
    [
      'Dispatching rule (baseline)',
      numberText(baseline),
      improvement > 0 ? `this is ${percent(improvement)} better` : 'as good as this',
    ],
  ];
}

function operationTable({ machines, jobs }: Shop): ReportTable {
  const names = new Map(jobs.map(({ id, name }) => [id, name]));
  return {
    title: 'Operations by machine',
    isData: true,
    head: ['Machine', 'Job', 'Start', 'End'],
    rows: machines.flatMap(({ name, operations }) =>
      operations.map(({ job, start, end }) => [name, names.get(job) ?? job, start, end]),
    ),
  };
}

const jobTable = ({ jobs }: Shop): ReportTable => ({
  title: 'Jobs',
  head: ['Job', 'Start', 'End', 'Due', 'Late by'],
  rows: jobs.map(({ name, start, end, due, late }) => [name, start, end, due, due === null ? null : late]),
});

function delayTable({ result, input, jobs }: Shop): ReportTable {
  const [jobName, machineName] = [namesOf(input?.jobs), namesOf(input?.machines)];
  const waits = (each: Operation): string =>
    `${jobName(each.job)} on ${machineName(each.machine)} (${numberText(each.start)} to ${numberText(each.end)})`;
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

function gantt({ result: { makespan, unit }, jobs, machines }: Shop): Chart {
  const shown = machines.slice(0, lanes_max);
  const bottom = 6 + shown.length * lane_height;
  const x = linear([0, Math.max(1, makespan)], [4, field.right]);
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const left = machines.length - shown.length;
  const marks = ticks([0, makespan], 8).map((value) => [value, numberText(value)] as const);
  return {
    title: left === 0 ? 'Operations over time' : `Operations over time; ${count(left, 'more machine')} in the table`,
    alt: `Gantt chart of ${count(machines.length, 'machine')} and ${count(jobs.length, 'job')} over ${numberText(makespan)} ${unit}.`,
    svg:
      shown.map((machine, row) => laneOf(machine, 6 + row * lane_height, x, byId)).join('') +
      xAxis(x, marks, bottom, `Time, ${unit}`, 4),
    height: bottom + 42,
    legend: jobs.slice(0, legend_max).map(({ index, name }) => [toneOf(index), `${index + 1} ${name}`] as const),
  };
}

function laneOf({ name, operations }: Machine, top: number, x: (time: number) => number, jobs: ReadonlyMap<string, Job>): string {
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

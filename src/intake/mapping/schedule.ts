/** The work of a schedule from a table: a row for each operation, or a row for each job with numbered machines and durations. */
import { type Column, isMissing, textOf } from '../cells/column.js';
import { blank } from '../csv.js';
import { isObject } from '../../codec/faults.js';
import { civilText, isDateColumn, readDates } from '../cells/dates.js';
import { isDuration, readDurations, secondsOf, secondsOfUnit, type TimeUnit } from '../cells/durations.js';
import { fold } from '../cells/fold.js';
import { readNumbers } from '../cells/numbers.js';
import { inParentheses, withoutLetter, withoutUnit } from '../cells/units.js';
import type { IntakeOptions } from '../../codec/api-intake.js';
import { assign, lacking } from './columns.js';
import { columnText, namesText, type Place } from './faults.js';
import { Titles } from './titles.js';
import { TableReader } from './reader.js';
import type { Table, TableColumn } from './table.js';
import { withoutTotal } from './total.js';
import { failed, type Columns, type WorkDraft, type Origin } from './work.js';

interface Operation {
  readonly job: string;
  readonly machine: string;
  readonly duration: number;
  readonly step: number | null;
  readonly row: number;
  /** The member of its duration: duration, or duration2 in the wide form. */
  readonly member: string;
}

/** What the rows of a job say about it. */
const jobMembers = ['release', 'due', 'weight'] as const;
type JobMember = (typeof jobMembers)[number];
type JobValues = Partial<Record<JobMember, string | number>>;

/** Returns the work of a schedule, questions, or what is wrong. */
export function scheduleFrom(table: Table, place: Place, options: IntakeOptions): WorkDraft {
  const assigned = assign('schedule', table, place, options);
  if ('message' in assigned) return failed([assigned]);
  const { pairs, columns: found, missing } = formOf(assigned);
  if (missing.length > 0) return { ...failed([lacking('schedule', missing, found, table, place)]), columns: found };
  const unit = unitOf(options);
  const { columns, notes } = withoutTotal(found, 'duration', ['job', 'machine'], durationReader(options, unit));
  const reader = new TableReader(place, options);
  const operations = pairs === null ? longOperations(columns, reader, unit) : wideOperations(columns, pairs, reader, unit);
  const used = new Map(columns);
  if (operations.every(({ step }) => step === null)) used.delete('step');
  const jobs = jobsOf(operations, columns, reader, unit);
  if (!reader.isClear) return { ...failed(reader.errors, reader.choices), columns: used };
  const made = workOf(operations, jobs, unit);
  return {
    outcome: 'work',
    work: made.work,
    rows: columns.get('job')?.cells.length ?? 0,
    columns: used,
    notes: [
      ...notes,
      ...reader.notes,
      ...unheededNotes(table, used),
      ...weightNotes(columns),
      ...made.notes,
      ...startNotes(jobs, options),
      ...objectiveNotes(jobs, options),
    ],
    subject: jobs.size === 1 ? '1 job' : `${jobs.size} jobs`,
    originOf: made.originOf,
  };
}

/**
 * Tells a row for each operation from a row for each job: `pairs` are the numbers of the machines that have a duration, null in the long
 * form. `missing` are the members that no column became.
 */
function formOf(assigned: Columns) {
  const isNumbered = (member: string): boolean => /\d$/.test(member);
  const numbers = [...assigned.keys()].flatMap((member) => (/^machine\d+$/.test(member) ? [Number(member.slice(7))] : []));
  const pairs = numbers.filter((n) => assigned.has(`duration${n}`)).sort((a, b) => a - b);
  const isLong = pairs.length === 0 || (assigned.has('machine') && assigned.has('duration'));
  const fits = (member: string): boolean => {
    if (isLong) return !isNumbered(member);
    return isNumbered(member)
      ? pairs.includes(Number(/\d+$/.exec(member)?.[0]))
      : !['machine', 'duration', 'step'].includes(member);
  };
  const columns = new Map([...assigned].filter(([member]) => fits(member)));
  const missing = (isLong ? ['job', 'machine', 'duration'] : ['job']).filter((member) => !columns.has(member));
  return { pairs: isLong ? null : pairs, columns, missing };
}

/** What columns that no schedule heeds would mean to a planner, by their usual names. */
const unheeded: readonly (readonly [names: string, text: string])[] = [
  [
    'predecessor, predecessors, depends on, dependency, dependencies, after, prédécesseur, dépend de, Vorgänger, hängt ab von',
    'is not heeded: a job waits for no other one. Give rows that follow each other the same job.',
  ],
  [
    'quantity, qty, pieces, pcs, quantité, Menge, Stück, Stückzahl',
    'is not heeded: a duration is that of the whole operation, whatever the quantity.',
  ],
  ['setup, set up, setup time, réglage, temps de réglage, Rüsten, Rüstzeit', 'is not heeded: no time is added to a duration.'],
];

const unheededNotes = (table: Table, used: Columns): string[] =>
  table.columns
    .filter((column) => ![...used.values()].includes(column) && column.cells.some(({ cell }) => !isMissing(cell)))
    .flatMap((column) => {
      const name = fold(withoutUnit(column.name));
      const [, text] = unheeded.find(([names]) => names.split(', ').some((each) => fold(each) === name)) ?? [];
      return text === undefined ? [] : [`Column ${namesText([column.name])} ${text}`];
    });

/** Says that dates need a start, which no file has. */
const startNotes = (jobs: ReadonlyMap<string, JobValues>, { set }: IntakeOptions): string[] =>
  set?.['start'] === undefined &&
  [...jobs.values()].some(({ due, release }) => typeof due === 'string' || typeof release === 'string')
    ? ['Dates are civil times; they need the start of the schedule.']
    : [];

/** Says which objective heeds due times. */
const objectiveNotes = (jobs: ReadonlyMap<string, JobValues>, { set }: IntakeOptions): string[] =>
  set?.['objective'] === undefined && [...jobs.values()].some(({ due }) => due !== undefined)
    ? [
        'The plan ends as early as possible, whatever is due (makespan). To have as little late as possible, set the objective to weighted_tardiness.',
      ]
    : [];

function unitOf({ unit, set }: IntakeOptions): TimeUnit {
  const named = typeof set?.['unit'] === 'string' ? set['unit'].replace(/s$/, '') : '';
  return unit ?? (named === 'hour' || named === 'day' || named === 'minute' ? named : 'minute');
}

/** Returns the seconds of the unit that plain numbers of a column are in: that of its header, else the one that was asked for, else minutes. */
function plainSeconds({ name }: Column, { unit }: IntakeOptions): number {
  const inside = secondsOfUnit(inParentheses(name) ?? '');
  const last = fold(withoutLetter(name)).split(' ').at(-1) ?? '';
  return inside ?? (last.length > 2 || last === 'h' ? secondsOfUnit(last) : null) ?? secondsOf[unit ?? 'minute'];
}

const durationReader = (options: IntakeOptions, unit: TimeUnit) => (column: Column) =>
  readDurations(column, {
    decimal: options.decimal,
    unit,
    plainSeconds: plainSeconds(column, options),
    ...daysOf(options, unit),
  });

const durationsOf = (column: TableColumn, reader: TableReader, unit: TimeUnit): readonly (number | null)[] =>
  reader.values(column, durationReader(reader.options, unit)(column));

/** Returns how long a day is: 24 hours, unless a calendar has days of work. */
function daysOf({ scale, set }: IntakeOptions, unit: TimeUnit): { readonly dayHours: number | null; readonly openHours: number } {
  const calendar = set?.['calendar'];
  if (unit === 'day' || !isObject(calendar)) return { dayHours: 24, openHours: 24 };
  const weekly = isObject(calendar['weekly']) ? Object.values(calendar['weekly']) : [];
  const open = weekly.map((ranges) =>
    Array.isArray(ranges) ? ranges.map(String).reduce((sum, range) => sum + hoursOf(range), 0) : 0,
  );
  return { dayHours: scale?.['d'] ?? null, openHours: Math.max(0, ...open) };
}

/** Returns the hours of a range such as `08:00-12:00`. */
function hoursOf(range: string): number {
  const [from = 0, fromMinutes = 0, to = 0, toMinutes = 0] = range.split(/[:-]/).map(Number);
  return to - from + (toMinutes - fromMinutes) / 60;
}

function longOperations(columns: Columns, reader: TableReader, unit: TimeUnit): Operation[] {
  const [job, machine, duration, step] = ['job', 'machine', 'duration', 'step'].map((member) => columns.get(member));
  if (job === undefined || machine === undefined || duration === undefined) return [];
  for (const column of [job, machine, duration]) reader.require(column);
  const [jobs, machines, durations] = [reader.texts(job), reader.texts(machine), durationsOf(duration, reader, unit)];
  const steps = step === undefined ? null : stepsOf(step, reader);
  return jobs.flatMap((name, i) => {
    const [on, time] = [machines[i] ?? null, durations[i] ?? null];
    if (name === null || on === null || time === null) return [];
    return [
      { job: name, machine: on, duration: time, step: steps?.[i] ?? null, row: job.cells[i]?.row ?? 0, member: 'duration' },
    ];
  });
}

/** Returns the numbers of the steps; null, with a note, where they are names. */
function stepsOf(column: TableColumn, reader: TableReader): readonly (number | null)[] | null {
  const reading = readNumbers(column, reader.options);
  if (reading.outcome === 'read') return reading.values;
  reader.notes.push(`The operations are in the order of the rows, because ${columnText(column)} has no numbers.`);
  return null;
}

function wideOperations(columns: Columns, pairs: readonly number[], reader: TableReader, unit: TimeUnit): Operation[] {
  const job = columns.get('job');
  if (job === undefined) return [];
  reader.require(job);
  const names = reader.texts(job);
  const cellsOf = [...columns].flatMap(([member, { cells }]) => (/\d$/.test(member) ? [cells] : []));
  const idle = job.cells.filter((_, i) => cellsOf.every((cells) => isMissing(cells[i]?.cell ?? blank)));
  reader.refuse(job, idle, 'rows without an operation', 'Fill in a machine and a duration, or take the rows out.');
  return pairs
    .flatMap((n) => {
      const [machine, duration] = [columns.get(`machine${n}`), columns.get(`duration${n}`)];
      if (machine === undefined || duration === undefined) return [];
      const [machines, durations] = [reader.texts(machine), durationsOf(duration, reader, unit)];
      requirePairs(machine, duration, reader);
      return names.flatMap((name, i) => {
        const [on, time] = [machines[i] ?? null, durations[i] ?? null];
        if (name === null || on === null || time === null) return [];
        return [{ job: name, machine: on, duration: time, step: n, row: job.cells[i]?.row ?? 0, member: `duration${n}` }];
      });
    })
    .toSorted((a, b) => a.row - b.row);
}

/** Refuses a machine without duration, and a duration without machine. */
function requirePairs(machine: TableColumn, duration: TableColumn, reader: TableReader): void {
  const without = (column: TableColumn, other: TableColumn): void => {
    const cells = column.cells.filter(({ cell }, i) => isMissing(cell) && !isMissing(other.cells[i]?.cell ?? blank));
    reader.refuse(column, cells, `no value beside ${columnText(other)}`, 'Fill in both cells, or none.');
  };
  without(machine, duration);
  without(duration, machine);
}

/** Returns what the rows of each job say about it, and refuses rows of one job that say different things. */
function jobsOf(
  operations: readonly Operation[],
  columns: Columns,
  reader: TableReader,
  unit: TimeUnit,
): ReadonlyMap<string, JobValues> {
  const jobs = new Map<string, JobValues>(operations.map(({ job }) => [job, {}]));
  const names = columns.get('job');
  const texts = names === undefined ? [] : reader.texts(names);
  for (const member of jobMembers) {
    const column = columns.get(member);
    if (column === undefined) continue;
    const values = member === 'weight' ? reader.scaled(column) : timesOf(column, reader, unit);
    const differing = column.cells.filter((_, i) => {
      const [value, job] = [values[i] ?? null, jobs.get(texts[i] ?? '')];
      if (value === null || job === undefined) return false;
      job[member] ??= value;
      return job[member] !== value;
    });
    const cause = `another ${member === 'due' ? 'due time' : member} than the first row of the same job`;
    reader.refuse(column, differing, cause, 'A job has one: write the same in all of its rows.');
  }
  return jobs;
}

/** Says which names may list machines, any of which could do the work. */
function choiceNotes({ entries }: Titles): string[] {
  const names = new Set(entries.map(({ title }) => title));
  const lists = [...names].filter((name) =>
    name.split(/[,;/|]|\b(?:or|ou|oder)\b/).some((part) => part !== name && names.has(part.trim())),
  );
  if (lists.length === 0) return [];
  const are = lists.length === 1 ? 'is' : 'are each';
  return [`${namesText(lists)} ${are} taken as a machine of its own, not as a choice among machines.`];
}

/** Returns times of jobs: civil times where half of the column are dates or none are durations, otherwise times since the start in the unit. */
function timesOf(column: TableColumn, reader: TableReader, unit: TimeUnit): readonly (string | number | null)[] {
  if (!isDateColumn(column, false, 0.5) && column.cells.some(({ cell }) => isDuration(textOf(cell))))
    return durationsOf(column, reader, unit);
  const dates = reader.values(column, readDates(column, reader.options));
  const zones = [...new Set(dates.flatMap((date) => date?.zone ?? []))].join(', ');
  const note = `The times of ${columnText(column)} are taken as they are written, without their zone: ${zones}.`;
  if (zones !== '') reader.notes.push(note);
  return dates.map((date) => (date === null ? null : civilText(date)));
}

function weightNotes(columns: Columns): string[] {
  const column = columns.get('weight');
  if (column === undefined || /weight|gewicht|poids/i.test(column.name)) return [];
  return [`${columnText(column).replace('c', 'C')} is taken as the weight: a higher number is more important.`];
}

function workOf(operations: readonly Operation[], jobs: ReadonlyMap<string, JobValues>, unit: TimeUnit) {
  const [machines, titles] = [new Titles('machine'), new Titles('job')];
  const rows: (readonly Operation[])[] = [];
  const byJob = new Map<string, Operation[]>([...jobs.keys()].map((job) => [job, []]));
  for (const operation of operations) byJob.get(operation.job)?.push(operation);
  const list = [...jobs].map(([title, values]) => {
    const own = (byJob.get(title) ?? []).toSorted((a, b) => compare(a.step, b.step));
    rows.push(own);
    const steps = own.map(({ machine, duration }) => ({ machine: machines.entry(machine).id, duration }));
    return { ...titles.entry(title), ...values, operations: steps };
  });
  const originOf = (path: string): Origin | null => {
    const [, job = '', operation = '0', member = ''] = /^jobs\[(\d+)\](?:\.operations\[(\d+)\])?\.(\w+)$/.exec(path) ?? [];
    const of = rows[Number(job)]?.[Number(operation)];
    if (member === '' || of === undefined) return null;
    const isOfJob = member === 'id' || member === 'title' || member === 'operations';
    return { member: member === 'duration' ? of.member : isOfJob ? 'job' : member, row: of.row };
  };
  return {
    work: { jobs: list, machines: machines.entries, unit: `${unit}s` },
    notes: [...machines.notes, ...choiceNotes(machines), ...titles.notes],
    originOf,
  };
}

/** Orders steps as numbers; those without a number come last, in the order of the rows. */
const compare = (a: number | null, b: number | null): number => (a === b ? 0 : (a ?? Infinity) - (b ?? Infinity));

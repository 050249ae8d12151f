/** The work of a schedule from a table: a row for each operation, or a row for each job with numbered machines and durations. */
import type { Json } from '../../base/canonical-json.js';
import { isMissing, textOf } from '../cells/column.js';
import { isDateColumn, readDates } from '../cells/date-column.js';
import { civilText } from '../cells/dates.js';
import { readDurations, secondsOf, secondsOfUnit, type TimeUnit } from '../cells/durations.js';
import { fold } from '../cells/fold.js';
import { readNumbers } from '../cells/numbers.js';
import { inParentheses } from '../cells/units.js';
import type { IntakeOptions } from '../types.js';
import { assign } from './columns.js';
import { columnText, type Place } from './faults.js';
import { Titles } from './titles.js';
import { lacking } from './lacking.js';
import { TableReader } from './reader.js';
import type { Table, TableColumn } from './table.js';
import { withoutTotal } from './total.js';
import { failed, type Columns, type Drafted, type Origin } from './work.js';

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
export function scheduleFrom(table: Table, place: Place, options: IntakeOptions): Drafted {
  const assigned = assign('schedule', table, place, options);
  if ('message' in assigned) return failed([assigned]);
  const pairs = assigned.has('machine') && assigned.has('duration') ? [] : pairsOf(assigned);
  const kept = [...assigned].filter(
    ([member]) =>
      pairs.length === 0 || pairs.some((n) => member === `machine${n}` || member === `duration${n}`) || isOfJob(member),
  );
  const all: Columns = new Map(pairs.length === 0 ? kept.filter(([member]) => !/\d$/.test(member)) : kept);
  const missing =
    pairs.length === 0
      ? ['job', 'machine', 'duration'].filter((member) => !all.has(member))
      : ['job'].filter((member) => !all.has(member));
  if (missing.length > 0) return { ...failed([lacking('schedule', missing, all, table, place)]), columns: all };
  const { columns, notes } = withoutTotal(all, 'duration', ['job', 'machine'], options);
  const reader = new TableReader(place, options);
  const unit = unitOf(options);
  const operations = pairs.length === 0 ? longOperations(columns, reader, unit) : wideOperations(columns, pairs, reader, unit);
  const used = new Map(columns);
  if (columns.has('step') && operations.every(({ step }) => step === null)) used.delete('step');
  const jobs = jobsOf(operations, columns, reader, unit);
  if (!reader.isClear) return { ...failed(reader.errors, reader.choices), columns: used };
  const said = [...notes, ...reader.notes, ...weightNote(columns)];
  return {
    outcome: 'work',
    ...workOf(operations, jobs, unit, said),
    rows: rowsOf(columns),
    columns: used,
    subject: `the jobs of column ${columns.get('job')?.name ?? ''}`,
  };
}

const isOfJob = (member: string): boolean => member === 'job' || jobMembers.some((each) => each === member);
const rowsOf = (columns: Columns): number => columns.get('job')?.cells.length ?? 0;

/** Returns the numbers of the machines that have a duration, in the wide form. */
const pairsOf = (assigned: Columns): number[] =>
  [...assigned.keys()]
    .flatMap((member) =>
      /^machine\d+$/.test(member) && assigned.has(member.replace('machine', 'duration')) ? [Number(member.slice(7))] : [],
    )
    .sort((a, b) => a - b);

function unitOf({ unit, set }: IntakeOptions): TimeUnit {
  const named = typeof set?.['unit'] === 'string' ? set['unit'].replace(/s$/, '') : '';
  return unit ?? (named === 'hour' || named === 'day' || named === 'minute' ? named : 'minute');
}

/** Returns the seconds of the unit that plain numbers of a column are in: that of its header, else the one that was asked for, else minutes. */
function plainSeconds({ name }: TableColumn, { unit }: IntakeOptions): number {
  const inside = secondsOfUnit(inParentheses(name) ?? '');
  const last = fold(name).split(' ').at(-1) ?? '';
  return inside ?? (last.length > 2 || last === 'h' ? secondsOfUnit(last) : null) ?? secondsOf[unit ?? 'minute'];
}

const durationsOf = (column: TableColumn, reader: TableReader, unit: TimeUnit, min: 0 | 1): readonly (number | null)[] =>
  reader.values(
    column,
    readDurations(column, { decimal: reader.options.decimal, unit, plainSeconds: plainSeconds(column, reader.options), min }),
  );

function longOperations(columns: Columns, reader: TableReader, unit: TimeUnit): Operation[] {
  const [job, machine, duration, step] = ['job', 'machine', 'duration', 'step'].map((member) => columns.get(member));
  if (job === undefined || machine === undefined || duration === undefined) return [];
  for (const column of [job, machine, duration]) reader.require(column);
  const [jobs, machines, durations] = [reader.texts(job), reader.texts(machine), durationsOf(duration, reader, unit, 1)];
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
  return pairs
    .flatMap((n) => {
      const [machine, duration] = [columns.get(`machine${n}`), columns.get(`duration${n}`)];
      if (machine === undefined || duration === undefined) return [];
      const [machines, durations] = [reader.texts(machine), durationsOf(duration, reader, unit, 1)];
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
  const without = (column: TableColumn, other: TableColumn): number[] =>
    column.cells.flatMap(({ row, cell }, i) =>
      isMissing(cell) && !isMissing(other.cells[i]?.cell ?? { type: 'blank' }) ? [row] : [],
    );
  for (const [column, other] of [
    [machine, duration],
    [duration, machine],
  ] as const) {
    const rows = without(column, other);
    if (rows.length > 0)
      reader.fault(column, {
        cause: `no value beside ${columnText(other)}`,
        advice: 'Fill in both cells, or none.',
        rows,
        cell: null,
      });
  }
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
  for (const member of jobMembers) {
    const column = columns.get(member);
    if (column === undefined || names === undefined) continue;
    const values = member === 'weight' ? reader.scaled(column) : timesOf(column, reader, unit);
    const differing: number[] = [];
    reader.texts(names).forEach((name, i) => {
      const [value, job] = [values[i] ?? null, jobs.get(name ?? '')];
      if (value === null || job === undefined) return;
      if ((job[member] ?? value) === value) job[member] = value;
      else differing.push(column.cells[i]?.row ?? 0);
    });
    if (differing.length === 0) continue;
    const first = column.cells.find(({ row }) => row === differing[0])?.cell ?? { type: 'blank' };
    const cause = `another ${member === 'due' ? 'due time' : member} than the first row of the same job`;
    reader.fault(column, {
      cause,
      advice: 'A job has one: write the same in all of its rows.',
      rows: differing,
      cell: textOf(first),
    });
  }
  return jobs;
}

/** Returns times of jobs: civil times where the column has dates, otherwise times since the start in the unit. */
function timesOf(column: TableColumn, reader: TableReader, unit: TimeUnit): readonly (string | number | null)[] {
  if (!isDateColumn(column, false)) return durationsOf(column, reader, unit, 0);
  const dates = reader.values(column, readDates(column, reader.options));
  return dates.map((date) => (date === null ? null : civilText(date)));
}

function weightNote(columns: Columns): string[] {
  const column = columns.get('weight');
  if (column === undefined || /weight|gewicht|poids/i.test(column.name)) return [];
  return [`${columnText(column).replace('c', 'C')} is taken as the weight: a higher number is more important.`];
}

function workOf(
  operations: readonly Operation[],
  jobs: ReadonlyMap<string, JobValues>,
  unit: TimeUnit,
  notes: readonly string[],
): {
  readonly work: Readonly<Record<string, Json>>;
  readonly notes: readonly string[];
  readonly originOf: (path: string) => Origin | null;
} {
  const machines = new Titles('machine');
  const titles = new Titles('job');
  const rows: { readonly row: number; readonly operations: readonly Operation[] }[] = [];
  const list = [...jobs].map(([title, values]) => {
    const own = operations
      .filter(({ job }) => job === title)
      .toSorted((a, b) => (a.step ?? Infinity) - (b.step ?? Infinity) || 0);
    rows.push({ row: own[0]?.row ?? 0, operations: own });
    return {
      ...titles.entry(title),
      ...values,
      operations: own.map(({ machine, duration }) => ({ machine: machines.entry(machine).id, duration })),
    };
  });
  const isCivil = list.some(({ due, release }) => typeof due === 'string' || typeof release === 'string');
  return {
    work: { jobs: list, machines: machines.entries, unit: `${unit}s` },
    notes: [...notes, ...machines.notes, ...titles.notes, ...(isCivil ? [startNote] : [])],
    originOf: (path) => {
      const [, job = '', operation, member = ''] = /^jobs\[(\d+)\](?:\.operations\[(\d+)\])?\.(\w+)$/.exec(path) ?? [];
      const of = rows[Number(job)];
      if (member === '' || of === undefined) return null;
      const at = operation === undefined ? null : of.operations[Number(operation)];
      return at === null || at === undefined
        ? { member: member === 'id' ? 'job' : member, row: of.row }
        : { member: member === 'duration' ? at.member : member, row: at.row };
    },
  };
}

const startNote = 'Dates are civil times; they need the start of the schedule: --set start="2026-12-07 08:00".';

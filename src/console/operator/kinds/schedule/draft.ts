/** The form of a schedule mission: a row of its table is an operation, those of a job in their order. */
import type { Fields } from '../../../../codec/field.js';
import { capital } from '../../../kit/forms/labels.js';
import { typedText } from '../../../kit/forms/values.js';
import type { Cells, Place } from '../../../kit/grid/cells.js';
import { Ids, isMade, nameOf, rowValues, type TableRow, tableRows } from '../shared/tables.js';
import { fieldsOf, formFor, innerFields, plainMembers, type WorkOf } from '../shared/draft.js';
import { calendarOf, calendarText } from '../../../../kinds/schedule/open-hours.js';
import { words } from './words.js';

const columnNames = ['id', 'title', 'machine', 'duration', 'release', 'due', 'weight'] as const;
/** The first column of numbers; all that follow hold numbers too. */
const first_number = columnNames.indexOf('duration');
/** Members of the job, which each of its rows may say. */
const whole = ['title', 'release', 'due', 'weight'] as const;
/** Cells of a row: those of its columns, then the ids of the job and the machine, each with the name that it was given to. */
const col = Object.fromEntries(
  [...columnNames, 'made_id', 'made_name', 'machine_id', 'machine_name'].map((name, i) => [name, i]),
) as Readonly<Record<(typeof columnNames)[number] | 'made_id' | 'made_name' | 'machine_id' | 'machine_name', number>>;

type Job = WorkOf<'schedule'>['jobs'][number];
type Machine = NonNullable<WorkOf<'schedule'>['machines']>[number];

function write(work: Readonly<Record<string, unknown>>): Cells {
  const machines = new Map(((work['machines'] ?? []) as readonly Machine[]).map((machine) => [machine.id, machine.title]));
  return ((work['jobs'] ?? []) as readonly Job[]).flatMap((job) => {
    const name = nameOf(job);
    const title = isMade(job) ? '' : (job.title ?? '');
    return job.operations.map(({ machine, duration }) => [
      name,
      title,
      machines.get(machine) ?? machine,
      typedText(duration),
      ...(['release', 'due', 'weight'] as const).map((member) => typedText(job[member])),
      job.id,
      name,
      machine,
      machines.get(machine) ?? machine,
    ]);
  });
}

/** The rows of each job, in the order of its first one. A row without a name of a job is of a job of its own, so that its fault is seen. */
function jobRows(cells: Cells): readonly (readonly TableRow[])[] {
  const jobs = new Map<string, TableRow[]>();
  for (const row of tableRows(cells)) {
    const name = row.texts[col.id] ?? '';
    const key = name === '' ? `\n${row.row}` : name;
    jobs.set(key, [...(jobs.get(key) ?? []), row]);
  }
  return [...jobs.values()];
}

/** Returns the ids of names, those that rows have for the names that they were given to among them. */
function idsOf(cells: Cells, prefix: string, id: number, name: number): Ids {
  const ids = new Ids(prefix);
  for (const { texts } of tableRows(cells)) ids.know(texts[name] ?? '', texts[id] ?? '');
  return ids;
}

const jobFields = fieldsOf('schedule', 'jobs');
const operationFields = (innerFields(jobFields.operations) ?? {}) as Readonly<Record<'machine' | 'duration', Fields[string]>>;

/** What rows of a job say of it: where they differ, all of it, which no codec takes. */
const saidOf = (rows: readonly TableRow[], member: (typeof whole)[number]): string =>
  [...new Set(rows.map(({ texts }) => texts[col[member]] ?? '').filter((text) => text !== ''))].join(' / ');

function readJobs(cells: Cells): unknown {
  const jobIds = idsOf(cells, 'job', col.made_id, col.made_name);
  const machineIds = idsOf(cells, 'machine', col.machine_id, col.machine_name);
  return jobRows(cells).map((rows) => {
    const name = rows[0]?.texts[col.id] ?? '';
    const id = jobIds.of(name);
    const values = rowValues(
      whole,
      jobFields,
      whole.map((member) => saidOf(rows, member)),
    );
    const operations = rows.map(({ texts }) => {
      const { duration } = rowValues(['duration'], operationFields, [texts[col.duration] ?? '']);
      return { machine: machineIds.of(texts[col.machine] ?? ''), duration };
    });
    return { ...values, ...(id === name ? {} : { title: name }), id, operations };
  });
}

/** Returns the names of machines that are no ids; undefined where there are none. */
function readMachines(cells: Cells): readonly Machine[] | undefined {
  const ids = idsOf(cells, 'machine', col.machine_id, col.machine_name);
  const names = [...new Set(tableRows(cells).map(({ texts }) => texts[col.machine] ?? ''))];
  const machines = names.map((title) => ({ id: ids.of(title), title })).filter(({ id, title }) => id !== title);
  return machines.length === 0 ? undefined : machines;
}

/** Returns the cell of a path of the mission file. */
const cellOf = (cells: Cells): ((path: string) => Place | null) => {
  const jobs = jobRows(cells);
  return (path) => {
    const [, job, operation, member] = /^work\.jobs\[(\d+)\](?:\.operations\[(\d+)\])?(?:\.(\w+))?/.exec(path) ?? [];
    if (job === undefined) return null;
    const rows = jobs[Number(job)] ?? [];
    const at = columnNames.findIndex((name) => name === member);
    const saying = rows.find(({ texts }) => at >= 0 && (texts[at] ?? '') !== '');
    const row = operation === undefined ? (saying ?? rows[0]) : rows[Number(operation)];
    return { row: row?.row ?? 0, col: Math.max(0, at) };
  };
};

export const form = formFor('schedule', {
  parts: [plainMembers('schedule', 'jobs'), 'jobs'],
  first: { objective: 'makespan' },
  editors: { calendar: { read: calendarOf, write: calendarText } },
  tables: {
    jobs: {
      read: readJobs,
      write,
      cellOf,
      columns: (language) => {
        const { one, members } = words[language].fields.jobs;
        const labels = { ...members, ...members.operations.members, id: { label: capital(one) } };
        return columnNames.map((name, i) => ({ name, label: labels[name].label, numeric: i >= first_number }));
      },
    },
  },
  lines: { calendar: 4 },
  finish: (values, draft) => ({ ...values, machines: readMachines(draft['jobs'] as Cells) }),
});

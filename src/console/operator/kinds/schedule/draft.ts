/** What the form of a schedule mission holds, and the work that it makes. */
import type { Fields } from '../../../../codec/field.js';
import { ListType, ObjectType } from '../../../../codec/kit.js';
import type { SheetColumn, SheetEntry, SheetFault } from '../../../kit/forms/sheet.js';
import { numberOf, words } from '../../../kit/forms/values.js';
import { draftFor, type DraftOf, rowFields, type RowOf, type WorkOf } from '../shared/work.js';

export const emptyJob: RowOf<WorkOf<'schedule'>['jobs'][number]> = {
  id: '',
  title: '',
  operations: '',
  release: '',
  due: '',
  weight: '',
};

/** `machine duration`, one operation a line. The machine may hold no blank, as ids do not. */
const operationsOf = (text: string): readonly unknown[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [machine, duration, ...more] = words(line);
      return { machine, duration: more.length > 0 ? words(line).slice(1).join(' ') : numberOf(duration ?? '') };
    });

/** Returns operations as lines of machine and duration. */
const operationsText = (value: unknown): string =>
  ((value ?? []) as readonly { readonly machine: unknown; readonly duration: unknown }[])
    .map(({ machine, duration }) => `${String(machine)} ${String(duration)}`)
    .join('\n');

export const draft = draftFor(
  'schedule',
  { objective: 'makespan', unit: '', start: '', jobs: [emptyJob, emptyJob] },
  { operations: { read: operationsOf, write: operationsText } },
);

/** Jobs from a table that has a row for each operation: the rows of one job are its operations, in their order. */
type JobDraft = DraftOf<'schedule'>['jobs'][number];

const whole = ['release', 'due', 'weight'] as const;

export interface JobLabels extends Readonly<Record<(typeof whole)[number], string>> {
  readonly job: string;
  readonly machine: string;
  readonly duration: string;
}

/** Returns the columns of the table. */
export function jobColumns(labels: JobLabels): SheetColumn[] {
  const fields = rowFields('schedule', 'jobs');
  const { machine, duration } = operationFields();
  return [
    { name: 'id', label: labels.job, field: fields.id },
    { name: 'machine', label: labels.machine, field: machine },
    { name: 'duration', label: labels.duration, field: duration },
    ...whole.map((name) => ({ name, label: labels[name], field: fields[name] })),
  ];
}

function operationFields(): Readonly<Record<'machine' | 'duration', Fields[string]>> {
  const { codec } = rowFields('schedule', 'jobs').operations;
  if (!(codec instanceof ListType) || !(codec.item instanceof ObjectType))
    throw new Error('operations are not a list of objects');
  return codec.item.fields as Readonly<Record<'machine' | 'duration', Fields[string]>>;
}

/** Returns the jobs; or a fault for each row that says another release, due time or weight than an earlier row of its job. */
export function jobsOf(
  entries: readonly SheetEntry[],
  labels: JobLabels,
  differs: string,
): { readonly jobs: readonly JobDraft[] } | { readonly faults: readonly SheetFault[] } {
  const jobs = new Map<string, { -readonly [M in keyof JobDraft]: string }>();
  const faults: SheetFault[] = [];
  for (const { number, texts } of entries) {
    const { id = '', machine = '', duration = '' } = texts;
    const job = jobs.get(id) ?? { ...emptyJob, id };
    job.operations += `${job.operations === '' ? '' : '\n'}${machine} ${duration}`;
    for (const name of whole) {
      const said = texts[name] ?? '';
      if (said === '') continue;
      if (job[name] !== '' && job[name] !== said) faults.push({ row: number, column: labels[name], message: differs });
      job[name] = said;
    }
    jobs.set(id, job);
  }
  return faults.length > 0 ? { faults } : { jobs: [...jobs.values()] };
}

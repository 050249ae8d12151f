/** What the form of a schedule mission holds, and the work that it makes. */
import { memberValues, numberOf, words } from '../../../kit/forms/values.js';
import { filled, rowFields, workFields, type DraftOf, type RowOf, type ValuesOf, type WorkOf } from '../shared/work.js';

type JobDraft = RowOf<WorkOf<'schedule'>['jobs'][number]>;

export const emptyJob: JobDraft = { id: '', operations: '', release: '', due: '', weight: '' };

export const empty: DraftOf<'schedule'> = { jobs: [emptyJob, emptyJob], objective: 'makespan', unit: '' };

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

export const valuesOf = ({ jobs, ...texts }: DraftOf<'schedule'>): ValuesOf<'schedule'> => ({
  ...memberValues(workFields('schedule'), texts),
  jobs: jobs.map(({ operations, ...rest }) => ({
    ...memberValues(rowFields('schedule', 'jobs'), rest),
    operations: operationsOf(operations),
  })),
});

export const fromWork = (work: Readonly<Record<string, unknown>>): DraftOf<'schedule'> =>
  filled<'schedule'>(empty, work, { operations: operationsText });

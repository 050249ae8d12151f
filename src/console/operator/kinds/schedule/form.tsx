/** Jobs, and the machines that they pass in order. */
import { Rows, Member, Members } from '../../../kit/forms/fields.js';
import { capital } from '../../../kit/forms/labels.js';
import { type FormProps, plainMembers, rowFields, workFields } from '../shared/work.js';
import { PasteSheet } from '../../../kit/forms/paste-sheet.js';
import { readSheet, type SheetFault, type SheetWords } from '../../../kit/forms/sheet.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { emptyJob } from './draft.js';
import { jobColumns, jobsOf, type JobLabels } from './sheet.js';
import { words } from './words.js';

const names = plainMembers('schedule', 'jobs');
const jobNames = ['id', 'release', 'due', 'weight'] as const;
const jobFields = rowFields('schedule', 'jobs');

export function ScheduleForm({ draft, set }: FormProps<'schedule'>) {
  const { fields, form } = useWordsOf(words).t;
  const { label, one, members } = fields.jobs;
  const labels: JobLabels = {
    job: capital(one),
    machine: form.machine,
    duration: form.duration,
    release: members.release.label,
    due: members.due.label,
    weight: members.weight.label,
  };
  const paste = (text: string, sheetWords: SheetWords): number | readonly SheetFault[] => {
    const reading = readSheet(text, jobColumns(labels), sheetWords);
    if ('faults' in reading) return reading.faults;
    const made = jobsOf(reading.entries, labels, form.differs);
    if ('faults' in made) return made.faults;
    set({ jobs: made.jobs });
    return reading.entries.length;
  };
  return (
    <>
      <Members names={names} fields={workFields('schedule')} within="work." words={fields} texts={draft} set={set} />
      <PasteSheet hint={form.sheetHint(Object.values(labels).join(', '))} take={paste} />
      <Rows path="work.jobs" title={label} what={one} rows={draft.jobs} set={(jobs) => set({ jobs })} empty={emptyJob}>
        {(row, change, path) => (
          <>
            <Members small names={jobNames} fields={jobFields} within={`${path}.`} words={members} texts={row} set={change} />
            <Member
              mono
              field={jobFields.operations}
              path={`${path}.operations`}
              words={members.operations}
              rows={4}
              value={row.operations}
              set={(operations) => change({ operations })}
            />
          </>
        )}
      </Rows>
    </>
  );
}

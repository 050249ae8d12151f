/** Schedule missions in the console. */
import { scheduleExample } from '../../../../kinds/schedule/example.js';
import { scheduleRequest, scheduleResult } from '../../../../kinds/schedule/view.js';
import { viewOf } from '../../../../kinds/view-fields.js';
import { Member, Members, Rows } from '../../../kit/forms/fields.js';
import { capital } from '../../../kit/forms/labels.js';
import { PasteSheet } from '../../../kit/forms/paste-sheet.js';
import { readSheet, type SheetFault, type SheetWords } from '../../../kit/forms/sheet.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { type FormProps, type KindView, plainMembers, rowFields, workFields } from '../shared/work.js';
import { draft, emptyJob, jobColumns, type JobLabels, jobsOf } from './draft.js';
import { ScheduleResult } from './result.js';
import { words } from './words.js';

export const schedule: KindView<'schedule'> = {
  example: scheduleExample,
  ...draft,
  search: ['seed', 'population'],
  Form: ScheduleForm,
  result: ({ request, result }) => {
    const view = viewOf(scheduleResult, result);
    return view === null ? null : <ScheduleResult result={view} input={viewOf(scheduleRequest, request)?.work ?? null} />;
  },
  input: () => null,
};

const names = plainMembers('schedule', 'jobs');
const jobNames = ['id', 'title', 'release', 'due', 'weight'] as const;
const jobFields = rowFields('schedule', 'jobs');

/** Jobs, and the machines that they pass in order. */
function ScheduleForm({ draft, set }: FormProps<'schedule'>) {
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

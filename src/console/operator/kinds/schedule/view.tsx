/** Schedule missions in the console. */
import { useMemo } from 'preact/hooks';
import { scheduleExample } from '../../../../kinds/schedule/example.js';
import { scheduleInputs, scheduleRequest, scheduleResult } from '../../../../kinds/schedule/view.js';
import { viewOf } from '../../../../kinds/view-fields.js';
import { Members } from '../../../kit/forms/fields.js';
import { capital } from '../../../kit/forms/labels.js';
import { TableField } from '../../../kit/grid/grid.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { type FormProps, type KindView, plainMembers, workFields } from '../shared/work.js';
import { cellOfJob, draft } from './draft.js';
import { ScheduleResult } from './result.js';
import { words } from './words.js';

export const schedule: KindView<'schedule'> = {
  example: scheduleExample,
  ...draft,
  search: ['effort', 'seed', 'population'],
  Form: ScheduleForm,
  result: ({ request, result }) => {
    const view = viewOf(scheduleResult, result);
    return view === null ? null : <ScheduleResult result={view} input={viewOf(scheduleRequest, request)?.work ?? null} />;
  },
  inputs: scheduleInputs,
};

const names = plainMembers('schedule', 'jobs');

/** Jobs, and the machines that they pass in order: a row for each operation. */
function ScheduleForm({ draft, set }: FormProps<'schedule'>) {
  const { fields, form } = useWordsOf(words).t;
  const { label, one, members } = fields.jobs;
  const columns = useMemo(
    () => [
      { name: 'id', label: capital(one) },
      { name: 'title', label: members.title.label },
      { name: 'machine', label: members.operations.members.machine.label },
      { name: 'duration', label: members.operations.members.duration.label, numeric: true },
      { name: 'release', label: members.release.label, numeric: true },
      { name: 'due', label: members.due.label, numeric: true },
      { name: 'weight', label: members.weight.label, numeric: true },
    ],
    [one, members],
  );
  const cellOf = useMemo(() => cellOfJob(draft.jobs), [draft.jobs]);
  return (
    <>
      <Members
        names={names}
        fields={workFields('schedule')}
        within="work."
        words={fields}
        texts={draft}
        set={set}
        more={(name) => (name === 'calendar' ? { rows: 4 } : {})}
      />
      <TableField
        title={label}
        path="work.jobs"
        columns={columns}
        rows={draft.jobs}
        set={(jobs) => set({ jobs })}
        cellOf={cellOf}
      />
      <p class="help">{form.rowsHint}</p>
    </>
  );
}

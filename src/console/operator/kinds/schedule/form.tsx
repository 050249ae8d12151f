/** Jobs, and the machines that they pass in order. */
import { Rows } from '../../../kit/forms/field.js';
import { Member, Members } from '../../../kit/forms/member.js';
import { useWordsOf } from '../../../kit/text/context.js';
import type { FormProps } from '../shared/view.js';
import { plainMembers, rowFields, workFields } from '../shared/work.js';
import { emptyJob } from './draft.js';
import { words } from './words.js';

const names = plainMembers('schedule', 'jobs');
const jobNames = ['id', 'release', 'due', 'weight'] as const;
const jobFields = rowFields('schedule', 'jobs');

export function ScheduleForm({ draft, set }: FormProps<'schedule'>) {
  const { fields } = useWordsOf(words).t;
  const { label, one, members } = fields.jobs;
  return (
    <>
      <Members names={names} fields={workFields('schedule')} within="work." words={fields} texts={draft} set={set} />
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

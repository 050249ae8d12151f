/** Jobs, and the machines that they pass in order. */
import { useWords } from '../../text/words.js';
import { Field, Rows } from '../../../kit/forms/field.js';
import { emptyJob, type FormProps, type JobDraft } from '../../create/model.js';

export function ScheduleForm({ draft, set }: FormProps<'schedule'>) {
  const { t } = useWords();
  const c = t.create;
  const objectives = Object.entries(c.objectives);
  return (
    <>
      <div class="cells">
        <Field
          path="work.objective"
          label={c.objective}
          options={objectives}
          value={draft.objective}
          set={(objective) => set({ objective })}
        />
        <Field path="work.unit" label={c.unit} placeholder="minutes" value={draft.unit} set={(unit) => set({ unit })} />
      </div>
      <Rows path="work.jobs" title={c.jobs} what={c.job} rows={draft.jobs} set={(jobs) => set({ jobs })} empty={emptyJob}>
        {(row, change, path) => <JobFields row={row} change={change} path={path} />}
      </Rows>
    </>
  );
}

interface JobProps {
  readonly row: JobDraft;
  readonly change: (part: Partial<JobDraft>) => void;
  readonly path: string;
}

function JobFields({ row, change, path }: JobProps) {
  const { k, t } = useWords();
  const c = t.create;
  return (
    <>
      <div class="cells cells-small">
        <Field path={`${path}.id`} label={c.id} value={row.id} set={(id) => change({ id })} />
        <Field
          numeric
          path={`${path}.release`}
          label={c.release}
          placeholder="0"
          value={row.release}
          set={(release) => change({ release })}
        />
        <Field
          numeric
          path={`${path}.due`}
          label={`${c.due} (${k.rows.optional})`}
          value={row.due}
          set={(due) => change({ due })}
        />
        <Field
          numeric
          path={`${path}.weight`}
          label={c.weight}
          placeholder="1"
          value={row.weight}
          set={(weight) => change({ weight })}
        />
      </div>
      <Field
        mono
        path={`${path}.operations`}
        label={c.operations}
        hint={c.operationsHint}
        rows={4}
        value={row.operations}
        set={(operations) => change({ operations })}
      />
    </>
  );
}

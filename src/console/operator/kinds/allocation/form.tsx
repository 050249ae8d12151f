/** Items to choose from, and what limits the choice. */
import { useWords } from '../../text/words.js';
import { Field, Rows } from '../../../kit/forms/field.js';
import { emptyItem, type FormProps } from '../../create/model.js';

export function AllocationForm({ draft, set }: FormProps<'allocation'>) {
  const { k, t } = useWords();
  const c = t.create;
  return (
    <>
      <div class="cells">
        <Field numeric path="work.budget" label={c.budget} value={draft.budget} set={(budget) => set({ budget })} />
        <Field
          numeric
          path="work.max_risk"
          label={`${c.maxRisk} (${k.rows.optional})`}
          value={draft.max_risk}
          set={(max_risk) => set({ max_risk })}
        />
        <Field path="work.unit" label={c.unit} placeholder="planning units" value={draft.unit} set={(unit) => set({ unit })} />
      </div>
      <Rows path="work.items" title={c.items} what={c.item} rows={draft.items} set={(items) => set({ items })} empty={emptyItem}>
        {(row, change, path) => (
          <div class="cells cells-small">
            <Field path={`${path}.id`} label={c.id} value={row.id} set={(id) => change({ id })} />
            <Field numeric path={`${path}.cost`} label={c.cost} value={row.cost} set={(cost) => change({ cost })} />
            <Field numeric path={`${path}.value`} label={c.value} value={row.value} set={(value) => change({ value })} />
            <Field
              numeric
              path={`${path}.risk`}
              label={c.risk}
              placeholder="0"
              value={row.risk}
              set={(risk) => change({ risk })}
            />
            <Field path={`${path}.group`} label={c.group} value={row.group} set={(group) => change({ group })} />
            <Field path={`${path}.requires`} label={c.requires} value={row.requires} set={(requires) => change({ requires })} />
            <Field path={`${path}.excludes`} label={c.excludes} value={row.excludes} set={(excludes) => change({ excludes })} />
          </div>
        )}
      </Rows>
      <p class="help">
        {c.idHint}. {c.requires}, {c.excludes}: {c.idsHint}. {c.groupHint}.
      </p>
    </>
  );
}

/** Allocation missions in the console. */
import { useMemo } from 'preact/hooks';
import { allocationExample } from '../../../../kinds/allocation/example.js';
import { allocationInputs, allocationRequest, allocationResult } from '../../../../kinds/allocation/view.js';
import { viewOf } from '../../../../kinds/view-fields.js';
import { Members } from '../../../kit/forms/fields.js';
import { isNumeric } from '../../../kit/forms/values.js';
import { TableField } from '../../../kit/grid/grid.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { type FormProps, type KindView, plainMembers, rowFields, workFields } from '../shared/work.js';
import { cellOfItem, draft, itemNames } from './draft.js';
import { AllocationResult } from './result.js';
import { words } from './words.js';

export const allocation: KindView<'allocation'> = {
  example: allocationExample,
  ...draft,
  search: ['effort'],
  Form: AllocationForm,
  result: ({ request, result }) => {
    const view = viewOf(allocationResult, result);
    return view === null ? null : <AllocationResult result={view} input={viewOf(allocationRequest, request)?.work ?? null} />;
  },
  inputs: allocationInputs,
};

const names = plainMembers('allocation', 'items');
const itemFields = rowFields('allocation', 'items');

/** Items to choose from, and what limits the choice. */
function AllocationForm({ draft, set }: FormProps<'allocation'>) {
  const { fields, form } = useWordsOf(words).t;
  const { label, members } = fields.items;
  const columns = useMemo(
    () => itemNames.map((name) => ({ name, label: members[name].label, numeric: isNumeric(itemFields[name]) })),
    [members],
  );
  const cellOf = useMemo(() => cellOfItem(draft.items), [draft.items]);
  return (
    <>
      <Members names={names} fields={workFields('allocation')} within="work." words={fields} texts={draft} set={set} />
      <TableField
        title={label}
        path="work.items"
        columns={columns}
        rows={draft.items}
        set={(items) => set({ items })}
        cellOf={cellOf}
      />
      <p class="help">{form.itemsHint}</p>
    </>
  );
}

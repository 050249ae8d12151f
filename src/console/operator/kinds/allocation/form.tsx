/** Items to choose from, and what limits the choice. */
import { Rows } from '../../../kit/forms/field.js';
import { Members } from '../../../kit/forms/member.js';
import { useWordsOf } from '../../../kit/text/context.js';
import type { FormProps } from '../shared/view.js';
import { plainMembers, rowFields, workFields } from '../shared/work.js';
import { emptyItem } from './draft.js';
import { words } from './words.js';

const names = plainMembers('allocation', 'items');
const itemNames = ['id', 'cost', 'value', 'risk', 'group', 'requires', 'excludes'] as const;

export function AllocationForm({ draft, set }: FormProps<'allocation'>) {
  const { fields, form } = useWordsOf(words).t;
  const { label, one, members } = fields.items;
  return (
    <>
      <Members names={names} fields={workFields('allocation')} within="work." words={fields} texts={draft} set={set} />
      <Rows path="work.items" title={label} what={one} rows={draft.items} set={(items) => set({ items })} empty={emptyItem}>
        {(row, change, path) => (
          <Members
            small
            names={itemNames}
            fields={rowFields('allocation', 'items')}
            within={`${path}.`}
            words={members}
            texts={row}
            set={change}
          />
        )}
      </Rows>
      <p class="help">
        {form.idHint}. {members.requires.label}, {members.excludes.label}: {form.idsHint}. {form.groupHint}.
      </p>
    </>
  );
}

/** Allocation missions in the console. */
import { allocationExample } from '../../../../kinds/allocation/example.js';
import { allocationRequest, allocationResult } from '../../../../kinds/allocation/view.js';
import { viewOf } from '../../../../kinds/view-fields.js';
import { Members, Rows } from '../../../kit/forms/fields.js';
import { PasteSheet } from '../../../kit/forms/paste-sheet.js';
import { columnsOf, readSheet, type SheetFault, type SheetWords } from '../../../kit/forms/sheet.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { type DraftOf, type FormProps, type KindView, plainMembers, rowFields, workFields } from '../shared/work.js';
import { draft, emptyItem } from './draft.js';
import { AllocationResult } from './result.js';
import { words } from './words.js';

export const allocation: KindView<'allocation'> = {
  example: allocationExample,
  ...draft,
  search: [],
  Form: AllocationForm,
  result: ({ request, result }) => {
    const view = viewOf(allocationResult, result);
    return view === null ? null : <AllocationResult result={view} input={viewOf(allocationRequest, request)?.work ?? null} />;
  },
  input: () => null,
};

const names = plainMembers('allocation', 'items');
const itemNames = ['id', 'title', 'cost', 'value', 'risk', 'group', 'requires', 'excludes', 'required'] as const;
const itemFields = rowFields('allocation', 'items');

type ItemDraft = DraftOf<'allocation'>['items'][number];

/** Items to choose from, and what limits the choice. */
function AllocationForm({ draft, set }: FormProps<'allocation'>) {
  const { fields, form } = useWordsOf(words).t;
  const { label, one, members } = fields.items;
  const paste = (text: string, sheetWords: SheetWords): number | readonly SheetFault[] => {
    const reading = readSheet(text, columnsOf(itemNames, itemFields, members), sheetWords);
    if ('faults' in reading) return reading.faults;
    set({ items: reading.entries.map(({ texts }): ItemDraft => ({ ...emptyItem, ...texts })) });
    return reading.entries.length;
  };
  return (
    <>
      <Members names={names} fields={workFields('allocation')} within="work." words={fields} texts={draft} set={set} />
      <PasteSheet hint={form.sheetHint(itemNames.map((name) => members[name].label).join(', '))} take={paste} />
      <Rows path="work.items" title={label} what={one} rows={draft.items} set={(items) => set({ items })} empty={emptyItem}>
        {(row, change, path) => (
          <Members small names={itemNames} fields={itemFields} within={`${path}.`} words={members} texts={row} set={change} />
        )}
      </Rows>
      <p class="help">
        {form.idHint}. {members.requires.label}, {members.excludes.label}: {form.idsHint}. {form.groupHint}.
      </p>
    </>
  );
}

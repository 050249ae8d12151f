/** What the form of an allocation mission holds, and the work that it makes. */
import { memberValues } from '../../../kit/forms/values.js';
import { filled, rowValues, workFields, type DraftOf, type RowOf, type ValuesOf, type WorkOf } from '../shared/work.js';

type ItemDraft = RowOf<WorkOf<'allocation'>['items'][number]>;

export const emptyItem: ItemDraft = { id: '', cost: '', value: '', risk: '', group: '', requires: '', excludes: '' };

export const empty: DraftOf<'allocation'> = { items: [emptyItem, emptyItem], budget: '', max_risk: '', unit: '' };

export const valuesOf = ({ items, ...texts }: DraftOf<'allocation'>): ValuesOf<'allocation'> => ({
  ...memberValues(workFields('allocation'), texts),
  items: rowValues('allocation', 'items', items),
});

export const fromWork = (work: Readonly<Record<string, unknown>>): DraftOf<'allocation'> => filled<'allocation'>(empty, work);

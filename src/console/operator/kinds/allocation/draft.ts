/** What the form of an allocation mission holds, and the work that it makes. */
import { draftFor, type RowOf, type WorkOf } from '../shared/work.js';

export const emptyItem: RowOf<WorkOf<'allocation'>['items'][number]> = {
  id: '',
  title: '',
  cost: '',
  value: '',
  risk: '',
  group: '',
  requires: '',
  excludes: '',
  required: '',
};

export const draft = draftFor('allocation', { budget: '', max_risk: '', unit: '', items: [emptyItem, emptyItem] });

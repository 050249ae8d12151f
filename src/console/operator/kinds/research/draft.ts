/** What the form of a research mission holds, and the work that it makes. */
import { draftFor, type RowOf, type WorkOf } from '../shared/work.js';

export const emptySource: RowOf<WorkOf<'research'>['sources'][number]> = { id: '', title: '', url: '', text: '' };

export const draft = draftFor('research', { sources: [{ ...emptySource, id: 's1' }] });

/** What the form of a research mission holds, and the work that it makes. */
import { filled, rowValues, type DraftOf, type RowOf, type ValuesOf, type WorkOf } from '../shared/work.js';

type SourceDraft = RowOf<WorkOf<'research'>['sources'][number]>;

export const emptySource: SourceDraft = { id: '', title: '', url: '', text: '' };

export const empty: DraftOf<'research'> = { sources: [{ ...emptySource, id: 's1' }] };

export const valuesOf = ({ sources }: DraftOf<'research'>): ValuesOf<'research'> => ({
  sources: rowValues('research', 'sources', sources),
});

export const fromWork = (work: Readonly<Record<string, unknown>>): DraftOf<'research'> => filled<'research'>(empty, work);

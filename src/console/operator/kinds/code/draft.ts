/** What the form of a code mission holds, and the work that it makes. */
import { memberValues } from '../../../kit/forms/member-value.js';
import { workFields, type DraftOf, type ValuesOf } from '../shared/work.js';

export const empty: DraftOf<'code'> = { language: 'python', candidate: '', examples: '', heldout: '' };

export const valuesOf = (draft: DraftOf<'code'>): ValuesOf<'code'> => memberValues(workFields('code'), draft);

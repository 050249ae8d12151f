/** The form of a research mission: the sources that it searches. */
import { fieldsOf, formFor, textsOf } from '../shared/draft.js';

export const form = formFor('research', {
  parts: ['sources'],
  first: { sources: [{ ...textsOf(fieldsOf('research', 'sources')), id: 's1' }] },
  lines: { text: 6 },
});

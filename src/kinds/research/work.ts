/** The work of a research mission: the sources from which passages are quoted. */
import type * as t from 'io-ts';
import * as limits from '../../base/limits.js';
import { choice, list, object, required, text, withDefault } from '../../codec/kit.js';
import { id } from '../../codec/scalars.js';
import { duplicates } from '../fields.js';

const source = object('Source', {
  id: required(id),
  title: required(text({ min: 1, max: limits.source_title_chars_max })),
  text: required(text({ min: 1, max: limits.source_text_chars_max })),
  url: withDefault(text({ max: limits.url_chars_max }), ''),
});

export const researchWork = object(
  'Research',
  { kind: required(choice('research')), sources: required(list(source, 1, limits.sources_max)) },
  (work) => duplicates('sources', work.sources),
);

export type ResearchWork = t.TypeOf<typeof researchWork>;

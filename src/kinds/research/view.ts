/**
 * The members of a research result that are drawn for people. A result of another version may carry more members, which are ignored;
 * one that lacks any of these is not drawn.
 */
import * as t from 'io-ts';
import { finite, texts } from '../view-fields.js';

export const researchResult = t.type({
  findings: t.array(
    t.type({ source_id: t.string, quote: t.string, start: finite, end: finite, score: finite, terms: t.array(t.string) }),
  ),
  sources: t.array(t.type({ id: t.string, title: t.string, url: t.string })),
  coverage: t.type({ terms: t.array(t.string), uncovered: t.array(t.string) }),
  limits: texts,
});

export type ResearchView = t.TypeOf<typeof researchResult>;

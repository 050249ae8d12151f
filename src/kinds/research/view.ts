/**
 * The members of a research result that are drawn for people. A result of another version may carry more members, which are ignored;
 * one that lacks any of these is not drawn.
 */
import * as t from 'io-ts';
import { inference } from '../../codec/chat-completion.js';
import { tolerant } from '../../codec/tolerant.js';
import { inputsFor, listed } from '../inputs.js';
import { finite, texts } from '../view-fields.js';
import { researchWork } from './work.js';

const finding = t.intersection([
  t.type({
    source_id: t.string,
    quote: t.string,
    start: finite,
    end: finite,
    /** Null for a finding that a language model proposed, which nothing ranks. */
    score: t.union([finite, t.null]),
    terms: t.array(t.string),
  }),
  t.partial({ claim: t.string, copies: finite, also_in: t.array(t.string), header: t.string, page: finite }),
]);

const drawn = t.type({
  findings: t.array(finding),
  sources: t.array(t.type({ id: t.string, title: t.string, url: t.string })),
  coverage: t.type({ terms: t.array(t.string), uncovered: t.array(t.string) }),
  limits: texts,
});

/** A result with the record of a language model's call says who wrote the claims. */
export const researchResult = t.intersection([drawn, t.partial({ inference: tolerant(inference) })]);

export const researchInputs = inputsFor(researchWork, ({ sources }) => ({
  facts: [],
  tables: [
    listed('sources', sources, {
      id: ({ id }) => id,
      title: ({ title }) => title,
      url: ({ url }) => url,
      text: ({ text }) => text,
    }),
  ],
  names: { url: 'address' },
}));

export type ResearchView = t.TypeOf<typeof researchResult>;

type Findings = ResearchView['findings'];

/** Returns the findings by falling score, those of equal or no score in the order of the result. */
export const byRank = (findings: Findings): Findings => findings.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0));

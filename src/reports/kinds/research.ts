/** The report of a research mission: quotes of its sources by rank, each with its place, and the words of the goal that none covers. */
import * as t from 'io-ts';
import { askedCoverage, wordsFor } from '../../kinds/research/terms.js';
import { byRank, researchResult, type ResearchView } from '../../kinds/research/view.js';
import { viewOf } from '../../kinds/view-fields.js';
import { count } from '../../pictures/screen.js';
import { type Content, type Fact, numberText, type ReportTable, textsOf } from '../content.js';

export function researchContent(request: unknown, given: unknown): Content | null {
  const result = viewOf(researchResult, given);
  if (result === null) return null;
  const { findings, sources } = result;
  const cited = new Set(findings.map(({ source_id }) => source_id)).size;
  return {
    question: `What ${sources.length === 1 ? 'does' : 'do'} ${count(sources.length, 'source')} say about the goal, word for word?`,
    inputs: [],
    answer:
      findings.length === 0
        ? `No passage of ${count(sources.length, 'source')} is relevant.`
        : `${count(findings.length, 'quote')} from ${numberText(cited)} of ${count(sources.length, 'source')}.`,
    figures: figuresOf(result, viewOf(goalOf, request)?.goal ?? ''),
    chart: null,
    tables: [findingTable(result), sourceTable(result)],
    limits: textsOf(result.limits),
    terms: ['finding'],
  };
}

/** A request, as far as its goal goes. */
const goalOf = t.type({ goal: t.string });

function figuresOf({ coverage, inference }: ResearchView, goal: string): Fact[] {
  const { terms, uncovered } = askedCoverage(coverage, goal);
  const covered =
    terms.length === 0
      ? 'the goal has no word to look for, only words such as "what" and "the"'
      : `${numberText(terms.length - uncovered.length)} of ${numberText(terms.length)}`;
  return [
    [
      'Words of the goal that are covered',
      covered,
      uncovered.length === 0 ? undefined : `not: ${wordsFor(uncovered, goal).join(', ')}`,
    ],
    ...(inference === undefined
      ? []
      : [['Claims written by a language model', inference.reported_model ?? inference.model] as const]),
  ];
}

function findingTable({ findings, sources, inference }: ResearchView): ReportTable {
  const titles = new Map(sources.map(({ id, title }) => [id, title]));
  const hasPages = findings.some(({ page }) => page !== undefined);
  const hasClaims = inference !== undefined;
  const head = ['Rank', 'Quote', ...(hasClaims ? ['Claim'] : []), 'Source', ...(hasPages ? ['Page'] : []), 'From', 'To', 'Score'];
  return {
    title: 'Findings',
    isData: true,
    head,
    rows: byRank(findings).map(({ header, quote, claim, source_id, page, start, end, score }, i) => [
      i + 1,
      header === undefined ? quote : `${header}\n${quote}`,
      ...(hasClaims ? [claim ?? null] : []),
      titles.get(source_id) ?? source_id,
      ...(hasPages ? [page ?? null] : []),
      start,
      end,
      score,
    ]),
  };
}

function sourceTable({ findings, sources }: ResearchView): ReportTable {
  const hasAddress = sources.some(({ url }) => url !== '');
  return {
    title: 'Sources',
    head: ['Source', ...(hasAddress ? ['Address'] : []), 'Quotes'],
    rows: sources.map(({ id, title, url }) => [
      title,
      ...(hasAddress ? [url] : []),
      findings.filter(({ source_id }) => source_id === id).length,
    ]),
  };
}

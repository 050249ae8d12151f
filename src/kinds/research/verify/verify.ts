/**
 * Re-checks a research result from the request: quotes, offsets, scores, terms, copies, coverage and source digests. It normalises, splits,
 * reads and scores the texts with its own code; only constants, word lists and character tables are shared.
 */
import { round12 } from '../../../base/decimal.js';
import type { ResearchWork } from '../work.js';
import type { EngineInput, Verify } from '../../../engines/engine.js';
import * as constants from '../constants.js';
import { spaced } from './characters.js';
import { copying } from './copies.js';
import { coverage, list, members, need, same, sources, verifyWith } from './need.js';
import { judge, type Rated } from './score.js';

export const verifyResearch: Verify<ResearchWork> = verifyWith(check);

function check(input: EngineInput<ResearchWork>, untrusted: unknown, checks: string[]): void {
  const result = members(untrusted, 'result', ['method', 'findings', 'sources', 'coverage', 'limits']);
  need(result.method === constants.method_text && result.limits === constants.limits_text, 'method or limits differ');
  checks.push('texts and members are as specified');

  sources(result.sources, input.work);
  checks.push('sources are those of the request, with the SHA-256 of their texts');

  const entries = list(result.findings, 'findings');
  need(entries.length <= constants.findings_max, `at most ${constants.findings_max} findings are allowed`);
  const texts = input.work.sources.map((source) => source.text);
  const { terms, rated, reading } = judge(input.goal, texts);
  const floor = Math.min(constants.relevance_min, constants.relevance_term_part / Math.max(1, terms.length));
  const relevantOnes = terms.length === 0 ? [] : rated.filter((r) => r.matched >= floor);
  const best = relevantOnes.reduce((most, r) => Math.max(most, r.score), 0);
  const passing = new Set(relevantOnes.filter((r) => best > 0 && r.score >= best * constants.score_share_min));
  const found = entries.map((entry, k) =>
    finding(members(entry, `findings[${k}]`, names), `findings[${k}]`, input.work, rated, passing),
  );
  checks.push('each finding is a verbatim sentence of its source with the recomputed score and terms');

  need(new Set(found).size === found.length, 'a finding is listed twice');
  need(found.length === 0 || found[0]?.score === best, 'the first finding is not the best-scored sentence');
  const copyOf = copying(reading);
  const folded = new Map(found.map((one): [Rated, Rated[]] => [one, []]));
  const left = [...passing]
    .filter((one) => !folded.has(one))
    .filter((one) => {
      const original = found.find((other) => copyOf(other, one));
      if (original !== undefined) folded.get(original)?.push(one);
      return original === undefined;
    });
  need(!found.some((one, i) => found.slice(0, i).some((other) => copyOf(other, one))), 'a finding is a copy of another');
  need(
    left.length === 0 ? found.length > 0 || passing.size === 0 : found.length === constants.findings_max,
    `${left.length} relevant sentences are neither findings nor copies of one`,
  );
  for (const [k, one] of found.entries())
    copies(members(entries[k], `findings[${k}]`, names), folded.get(one) ?? [], one, input.work, k);
  checks.push(
    'no relevant sentence is held back while there is room, copies are folded and counted, and the best one comes first',
  );

  coverage(
    result.coverage,
    terms,
    found.flatMap((r) => r.terms),
  );
  checks.push('coverage follows from goal and findings');
}

const names = ['claim', 'source_id', 'quote', 'start', 'end', 'score', 'terms', 'copies', 'also_in'];

type Entry = Readonly<Record<string, unknown>>;

function finding(entry: Entry, path: string, work: ResearchWork, rated: readonly Rated[], passing: ReadonlySet<Rated>): Rated {
  const source = work.sources.findIndex((s) => s.id === entry.source_id);
  const sentence = rated.find((r) => r.source === source && r.start === entry.start && r.end === entry.end);
  need(sentence !== undefined, `${path} is not a sentence of its source`);
  const quote = work.sources[source]?.text.slice(sentence.start, sentence.end);
  need(quote !== undefined && entry.quote === quote, `${path}.quote is not what the source says there`);
  const claim = Array.from(quote, (c) => (spaced(c.codePointAt(0) ?? 0) ? ' ' : c))
    .join('')
    .replaceAll(/ +/g, ' ');
  need(entry.claim === claim, `${path}.claim is not the quote`);
  need(entry.score === round12(sentence.score), `${path}.score is recomputed as ${round12(sentence.score)}`);
  need(passing.has(sentence), `${path} is not relevant enough`);
  same(entry.terms, sentence.terms, `${path}.terms`);
  return sentence;
}

/** Checks the count of a finding's copies, and the sources that hold them. */
function copies(entry: Entry, folded: readonly Rated[], { source }: Rated, { sources: all }: ResearchWork, k: number): void {
  need(entry.copies === folded.length, `findings[${k}].copies is ${folded.length}`);
  const holding = all.filter((_, i) => i !== source && folded.some((one) => one.source === i)).map(({ id }) => id);
  same(entry.also_in, holding.slice(0, constants.also_in_max), `findings[${k}].also_in`);
}

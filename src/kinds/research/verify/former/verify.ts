/** Re-checks a research result of version 1 of the engine from the request. */
import { round12 } from '../../../../base/decimal.js';
import type { ResearchWork } from '../../work.js';
import type { EngineInput, Verify } from '../../../../engines/engine.js';
import * as constants from './constants.js';
import { coverage, list, members, need, same, sources, verifyWith } from '../need.js';
import { goalTerms, rate, type Rated } from './score.js';
import { spaced } from '../characters.js';

/** Verifies results of version 1.1.0 of the engine. */
export const verifyFormer: Verify<ResearchWork> = verifyWith(check);

function check(input: EngineInput<ResearchWork>, untrusted: unknown, checks: string[]): void {
  const result = members(untrusted, 'result', ['method', 'findings', 'sources', 'coverage', 'limits']);
  need(result.method === constants.method_text && result.limits === constants.limits_text, 'method or limits differ');
  checks.push('texts and members are as specified');

  sources(result.sources, input.work);
  checks.push('sources are those of the request, with the SHA-256 of their texts');

  const findings = list(result.findings, 'findings');
  need(findings.length <= constants.findings_max, `at most ${constants.findings_max} findings are allowed`);
  const texts = input.work.sources.map((source) => source.text);
  const terms = goalTerms(input.goal);
  const rated = terms.length === 0 ? [] : rate(input.goal, texts);
  const floor = Math.min(constants.relevance_min, constants.relevance_term_part / Math.max(1, terms.length));
  const relevantOnes = rated.filter((r) => r.matched >= floor);
  const best = relevantOnes.reduce((most, r) => Math.max(most, r.score), 0);
  const passing = new Set(relevantOnes.filter((r) => best > 0 && r.score >= best * constants.score_share_min));
  const found = findings.map((entry, k) => finding(entry, `findings[${k}]`, input.work, rated, passing));
  checks.push('each finding is a verbatim sentence of its source with the recomputed score and terms');

  need(new Set(found).size === found.length, 'a finding is listed twice');
  need(
    found.length === Math.min(passing.size, constants.findings_max),
    `${passing.size} sentences are relevant, ${found.length} are findings`,
  );
  need(found.length === 0 || found[0]?.score === best, 'the first finding is not the best-scored sentence');
  checks.push('no relevant sentence is held back while there is room, and the best one comes first');

  coverage(
    result.coverage,
    terms,
    found.flatMap((r) => r.terms),
  );
  checks.push('coverage follows from goal and findings');
}

function finding(value: unknown, path: string, work: ResearchWork, rated: readonly Rated[], passing: ReadonlySet<Rated>): Rated {
  const entry = members(value, path, ['claim', 'source_id', 'quote', 'start', 'end', 'score', 'terms']);
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

/**
 * Re-checks a result whose findings a language model proposed: quotes, offsets, terms and coverage from the request, and the request that the
 * model was sent by its hash. What the model answered cannot be computed again.
 */
import { sha256Hex } from '../../../base/hash.js';
import { isRefused } from '../../../base/result.js';
import { chatRequestText, inference as inferenceCodec } from '../../../codec/chat-completion.js';
import { decode } from '../../../codec/kit.js';
import type { EngineInput, Verify } from '../../../engines/engine.js';
import * as constants from '../constants.js';
import { researchPrompt } from '../prompt.js';
import type { ResearchWork } from '../work.js';
import { coverage, list, members, need, same, sources, verifyWith } from './need.js';
import { readTerms, type Terms } from './score.js';

/** Reads index terms as a version of the engine does. */
type ReadTerms = (goal: string, texts: readonly string[]) => Terms;

/** Returns the verifier for findings whose terms were read in a certain way. */
export const proposedVerifier = (read: ReadTerms): Verify<ResearchWork> =>
  verifyWith((input, untrusted, checks) => check(input, untrusted, checks, read));

export const verifyProposed: Verify<ResearchWork> = proposedVerifier(readTerms);

function check({ goal, work }: EngineInput<ResearchWork>, untrusted: unknown, checks: string[], read: ReadTerms): void {
  const result = members(untrusted, 'result', ['method', 'findings', 'sources', 'coverage', 'limits', 'inference']);
  need(
    result.method === constants.model_method_text && result.limits === constants.model_limits_text,
    'method or limits are not those of findings that a language model proposed',
  );
  checks.push('texts and members are as specified for findings of a language model');

  sources(result.sources, work);
  checks.push('sources are those of the request, with the SHA-256 of their texts');

  const reading = read(
    goal,
    work.sources.map(({ text }) => text),
  );
  const findings = list(result.findings, 'findings');
  const most = constants.model_findings_max;
  need(findings.length >= 1 && findings.length <= most, `findings must hold 1 to ${most} entries`);
  const covered = findings.map((entry, k) => quoted(entry, `findings[${k}]`, work, reading));
  checks.push('each quote is in its source, word for word, at the recorded place');

  coverage(result.coverage, reading.terms, covered.flat());
  checks.push('coverage follows from goal and findings');

  evidence(result.inference, goal, work);
  checks.push('the request that was sent to the model follows from the mission: its hash is the recorded one');
}

/** Checks one finding; returns the goal terms in its quote. */
function quoted(value: unknown, path: string, work: ResearchWork, { terms, of }: Terms): readonly string[] {
  const entry = members(value, path, ['claim', 'source_id', 'quote', 'start', 'end', 'score', 'terms']);
  const { claim, quote, start } = entry;
  const text = work.sources.find(({ id }) => id === entry.source_id)?.text;
  need(text !== undefined, `${path} names no source of the mission`);
  need(typeof quote === 'string' && quote.trim() !== '', `${path}.quote is empty`);
  need(Array.from(quote).length <= constants.quote_chars_max, `${path}.quote is too long`);
  const place = text.split(quote, 1)[0]?.length ?? 0;
  need(place < text.length && place === start, `${path}.quote is not in its source word for word, at the recorded place`);
  need(entry.end === place + quote.length, `${path}.end is not where the quote ends`);
  need(typeof claim === 'string' && claim.trim() !== '', `${path}.claim is empty`);
  need(Array.from(claim).length <= constants.claim_chars_max, `${path}.claim is too long`);
  need(entry.score === null, `${path}.score is not null`);
  const own = of(quote);
  const found = terms.filter((term) => own.has(term));
  same(entry.terms, found, `${path}.terms`);
  return found;
}

function evidence(untrusted: unknown, goal: string, work: ResearchWork): void {
  const decoded = decode(inferenceCodec, untrusted);
  if (isRefused(decoded)) return need(false, `inference is not a record of a completion: ${decoded.left.detail}`);
  const { model, mode, max_tokens, request_hash, model_listed } = decoded.right;
  need(model_listed !== false, 'inference.model_listed: a server that does not list the model is never used');
  const request = chatRequestText(model, mode, researchPrompt(goal, work, max_tokens));
  need(sha256Hex(request) === request_hash, 'inference.request_hash is not that of the request for this mission');
}

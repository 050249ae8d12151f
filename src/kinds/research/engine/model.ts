/**
 * Research with a language model: the model proposes findings, and every quote must be in its source word for word. A completion with one
 * that is not gives no result at all.
 */
import { sha256Hex } from '../../../base/bytes.js';
import { isRefused, ok, type Refusal, refuse, type Result } from '../../../base/refusal.js';
import type { Completion } from '../../../codec/chat-completion.js';
import { decode, list, object, required, text } from '../../../codec/kit.js';
import type { Answer, EngineInput } from '../../../engines/engine.js';
import * as C from '../constants.js';
import type { ModelFinding, ModelResult } from '../result.js';
import { placeOf, type ResearchWork } from '../work.js';
import { readGoal } from './goal.js';
import { termsHeld } from './ranking.js';
import { readMission } from './read.js';

const answer = object('Findings', {
  findings: required(
    list(
      object('Finding', {
        claim: required(text({ min: 1, max: C.claim_chars_max, notBlank: true })),
        source_id: required(text()),
        quote: required(text({ min: 1, max: C.quote_chars_max, notBlank: true })),
      }),
      1,
      C.model_findings_max,
    ),
  ),
});

export function modelResult(
  { goal, work }: EngineInput<ResearchWork>,
  { value, inference }: Completion,
): Result<Answer<ModelResult>> {
  const decoded = decode(answer, value);
  if (isRefused(decoded)) return failed(`sent findings of another shape: ${faultOf(decoded.left)}`);
  const sources = new Map(work.sources.map((source) => [source.id, source]));
  const mission = readMission(goal, work.sources, () => undefined);
  const { terms } = readGoal(mission);
  const findings: ModelFinding[] = [];
  for (const [i, { claim, source_id, quote }] of decoded.right.findings.entries()) {
    const source = sources.get(source_id);
    if (source === undefined) return failed(`names a source that the mission does not have, in finding ${i + 1}`);
    const start = source.text.indexOf(quote);
    if (start < 0) return failed(`quotes what is not in source ${source_id} word for word, in finding ${i + 1}`);
    const found = termsHeld(quote, terms, mission);
    const place = placeOf(source.blocks, start);
    findings.push({ claim, source_id, quote, start, end: start + quote.length, score: null, terms: found, ...place });
  }
  const covered = new Set(findings.flatMap((finding) => finding.terms));
  const result: ModelResult = {
    method: C.model_method_text,
    findings,
    sources: work.sources.map(({ id, title, url, text: whole }) => ({ id, title, url, sha256: sha256Hex(whole) })),
    coverage: { terms, uncovered: terms.filter((term) => !covered.has(term)) },
    limits: C.model_limits_text,
    inference,
  };
  return ok({ result, iterations: null, solution: null });
}

const failed = (detail: string): Result<never> => refuse({ code: 'provider_failed', detail: `the provider ${detail}` });

/** Returns what is wrong with an answer. The name of a member that was not asked for is the provider's, so it is not repeated. */
function faultOf({ errors = [], detail }: Refusal): string {
  const [first] = errors;
  if (first === undefined) return detail;
  return first.message === 'unknown member' ? 'it has a member that the schema does not have' : `${first.path}: ${first.message}`;
}

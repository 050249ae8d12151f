/**
 * The research engine: finds the sentences of the supplied sources that answer a goal, word for word, with offsets. It is deterministic and
 * does not search, so seed, effort, population, generations and warm start are unused.
 */
import { round12 } from '../../../base/decimal.js';
import { sha256Hex } from '../../../base/bytes.js';
import { ok, type Result } from '../../../base/refusal.js';
import { placeOf, type ResearchWork } from '../work.js';
import type { Answer, Checkpoint, Engine, EngineInput } from '../../../engines/engine.js';
import { singleSpaced } from './characters.js';
import { readGoal } from './goal.js';
import { scoreAll } from './ranking.js';
import { readMission } from './read.js';
import { engine_id, also_in_max, limits_text, method_text } from '../constants.js';
import type { Finding, ResearchResult } from '../result.js';
import { select, type Selected } from './select.js';

export const researchEngine: Engine<ResearchWork, ResearchResult> = {
  ...engine_id,
  run,
};

function run(input: EngineInput<ResearchWork>, checkpoint: Checkpoint): Result<Answer<ResearchResult>> {
  const { sources } = input.work;
  const mission = readMission(input.goal, sources, (done) => checkpoint(done * 0.8));
  const goal = readGoal(mission);
  const chosen = goal.terms.length === 0 ? [] : select(scoreAll(mission, goal), goal.terms.length, mission);
  checkpoint(1);
  const covered = new Set(chosen.flatMap((s) => s.terms));
  const result: ResearchResult = {
    method: method_text,
    findings: chosen.map((s) => finding(s, input.work)),
    sources: sources.map(({ id, title, url, text }) => ({ id, title, url, sha256: sha256Hex(text) })),
    coverage: { terms: goal.terms, uncovered: goal.terms.filter((term) => !covered.has(term)) },
    limits: limits_text,
  };
  return ok({ result, iterations: null, solution: null });
}

function finding({ sentence, quoted: { start, end }, score, terms, copies }: Selected, { sources }: ResearchWork): Finding {
  const source = sources[sentence.source];
  const quote = source?.text.slice(start, end) ?? '';
  const elsewhere = new Set(copies.map((copy) => copy.sentence.source));
  elsewhere.delete(sentence.source);
  const also_in = [...elsewhere].map((place) => sources[place]?.id ?? '').slice(0, also_in_max);
  return {
    claim: singleSpaced(quote),
    source_id: source?.id ?? '',
    quote,
    start,
    end,
    score: round12(score),
    terms,
    ...(sentence.head === undefined ? {} : { header: source?.text.slice(sentence.head.start, sentence.head.end) ?? '' }),
    copies: copies.length,
    also_in,
    ...placeOf(source?.blocks, start),
  };
}

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
import { evidenceOf, readGoal } from './goal.js';
import { scoreAll, type ScoredSentence } from './ranking.js';
import { fullKeys, type Mission, readMission, remembered, type Sentence } from './read.js';
import { engine_id, also_in_max, limits_text, method_text } from '../constants.js';
import type { Finding, ResearchResult } from '../result.js';
import * as C from '../constants.js';
import { negationTexts } from './languages.js';
import type { Range } from './split.js';

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

function finding(
  { sentence, quoted: { start, end }, score, terms, copies }: SelectedSentence,
  { sources }: ResearchWork,
): Finding {
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

// Maximal marginal relevance (Carbonell and Goldstein, SIGIR 1998) over the sentences that pass the relevance threshold, copies folded.

// Copies of a sentence, which are folded into it. A sentence is a copy of another when at least `copy_similarity` of
// their words, stop words with them, are common, those are in the same order, and only one of the two has further words:
// "rejected" in place of "approved" is no copy. None of these may turn the meaning: a figure, a negation, a name, or a part
// of a run of a script without spaces. A first word may be a name unless it is a stop word.

/** Returns the test of whether two sentences are copies of each other. */
function copyTest(mission: Mission, keysIn: (sentence: Sentence) => Int32Array): (a: Sentence, b: Sentence) => boolean {
  const { keys, capitals } = mission;
  const negations = negationTexts(mission.readers);
  const weighty = keys.map((key) => key.isGram || negations.has(key.text) || evidenceOf(key).isYear || evidenceOf(key).isFigure);
  const setOf = remembered((sentence: Sentence) => new Set(keysIn(sentence)));
  /** Returns the keys that the other sentence has too, in order; null when one that it has not may turn the meaning. */
  const shared = (sentence: Sentence, other: ReadonlySet<number>): number[] | null => {
    const out: number[] = [];
    for (const [i, key] of keysIn(sentence).entries()) {
      if (other.has(key)) out.push(key);
      else if (weighty[key] !== false || (capitals[sentence.from + i] === 1 && (i > 0 || keys[key]?.isStop === false)))
        return null;
    }
    return out;
  };
  return (a, b) => {
    const [one, other] = [setOf(a), setOf(b)];
    const [small, large] = one.size <= other.size ? [one, other] : [other, one];
    if (small.size < large.size * C.copy_similarity) return false;
    let common = 0;
    for (const key of small) if (large.has(key)) common++;
    if (common < C.copy_similarity * (small.size + large.size - common)) return false;
    const [first, second] = [shared(a, other), shared(b, one)];
    if (first === null || second === null || first.length !== second.length) return false;
    const isWithin = first.length === a.to - a.from || second.length === b.to - b.from;
    return isWithin && first.every((key, i) => key === second[i]);
  };
}

export interface SelectedSentence extends ScoredSentence {
  /** What is quoted: the sentence, with its companions. */
  readonly quoted: Range;
  /** The relevant sentences that are copies of it and of no finding before it, in the order of the texts. */
  readonly copies: readonly ScoredSentence[];
}

/** A candidate, and its greatest similarity to the first `compared` findings. */
interface Candidate {
  readonly scored: ScoredSentence;
  terms: ReadonlySet<number> | null;
  similarity: number;
  compared: number;
}

/** A score far below the best cannot be chosen next; this bounds the number of compared pairs. */
const window = C.findings_max * 8;

/**
 * Returns at most `findings_max` sentences. Each step takes the highest λ·score/best − (1 − λ)·similarity to those taken, ties in
 * the order of the scores, and folds the copies of the one that it takes. The first is the best-scored one.
 */
export function select(scored: readonly ScoredSentence[], goalTerms: number, mission: Mission): SelectedSentence[] {
  const needed = Math.min(C.relevance_min, C.relevance_term_part / goalTerms);
  const answers = scored.filter((s) => s.isAnswer && s.matched >= needed);
  let best = 0;
  for (const { score } of answers) best = Math.max(best, score);
  const relevant = answers.filter(({ score }) => score >= best * C.score_share_min);
  const beside = companions(scored, relevant, best);
  const keysIn = remembered(fullKeys(mission));
  const isCopy = copyTest(mission, keysIn);
  const termsOf = ({ sentence }: ScoredSentence): Set<number> =>
    new Set(keysIn(sentence).filter((key) => mission.keys[key]?.isStop !== true));
  let open = relevant
    .toSorted((a, b) => b.score - a.score || order(a, b))
    .map((scored): Candidate => ({ scored, terms: null, similarity: 0, compared: 0 }));
  const taken: Candidate[] = [];
  const out: SelectedSentence[] = [];
  while (taken.length < C.findings_max && open.length > 0) {
    const next = pick(open.slice(0, window), best, taken, termsOf);
    taken.push(next);
    const copies = open.filter((candidate) => candidate !== next && isCopy(next.scored.sentence, candidate.scored.sentence));
    const folded = new Set([next, ...copies]);
    open = open.filter((candidate) => !folded.has(candidate));
    const quoted = quotedRange(next.scored.sentence, beside.get(next.scored) ?? []);
    out.push({ ...next.scored, quoted, copies: copies.map((one) => one.scored).sort(order) });
  }
  return out;
}

/**
 * Returns the sentences to be quoted with each candidate. They have no word of the goal, but a high score from what is around them ("It was
 * reopened in 1991."). Such a sentence is no finding by itself, because only its neighbour says what it is about: the one before it in the
 * paragraph, else the one after it.
 */
function companions(
  scored: readonly ScoredSentence[],
  relevant: readonly ScoredSentence[],
  best: number,
): ReadonlyMap<ScoredSentence, readonly Sentence[]> {
  let total = 0;
  for (const { score } of scored) total += score;
  const needed = Math.max(best * C.score_share_min, (total / scored.length) * C.companion_factor_min);
  const candidates = new Set(relevant);
  const out = new Map<ScoredSentence, readonly Sentence[]>();
  for (const [i, { sentence, terms, score }] of scored.entries()) {
    if (terms.length > 0 || score < needed) continue;
    const near = [scored[i - 1], scored[i + 1]].filter((other) => other?.sentence.paragraph === sentence.paragraph);
    const host = near.find((other) => other !== undefined && candidates.has(other));
    if (host !== undefined) out.set(host, [sentence, ...(out.get(host) ?? [])]);
  }
  return out;
}

/** Returns the range of a sentence with its companions, the one after it first, as far as a quote may be long. */
function quotedRange(sentence: Sentence, others: readonly Sentence[]): Range {
  let [from, to] = [sentence, sentence];
  for (const other of others) {
    const [first, last] = other.start < from.start ? [other, to] : [from, other];
    if (last.normal.end - first.normal.start <= C.sentence_chars_max) [from, to] = [first, last];
  }
  return { start: from.start, end: to.end };
}

const order = (a: ScoredSentence, b: ScoredSentence): number =>
  a.sentence.source - b.sentence.source || a.sentence.start - b.sentence.start;

function pick(
  open: readonly Candidate[],
  best: number,
  taken: readonly Candidate[],
  termsOf: (scored: ScoredSentence) => Set<number>,
): Candidate {
  let [next] = open;
  let highest = -Infinity;
  for (const candidate of open) {
    candidate.terms ??= termsOf(candidate.scored);
    for (; candidate.compared < taken.length; candidate.compared++)
      candidate.similarity = Math.max(
        candidate.similarity,
        similarity(candidate.terms, taken[candidate.compared]?.terms ?? new Set()),
      );
    const margin = C.mmr_lambda * (candidate.scored.score / best) - (1 - C.mmr_lambda) * candidate.similarity;
    if (margin > highest) [next, highest] = [candidate, margin];
  }
  if (next === undefined) throw new Error('nothing to pick from');
  return next;
}

/** Returns the Jaccard similarity of two sets of terms. */
function similarity(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let common = 0;
  for (const term of small) if (large.has(term)) common++;
  return common / Math.max(1, small.size + large.size - common);
}

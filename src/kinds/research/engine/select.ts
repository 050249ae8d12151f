/** Maximal marginal relevance (Carbonell and Goldstein, SIGIR 1998) over the sentences that pass the relevance threshold. */
import * as C from '../constants.js';
import type { Scored } from './ranking.js';

/**
 * Returns at most `findings_max` sentences. Each step takes the highest λ·score/best − (1 − λ)·similarity to those taken, near
 * copies last, ties in the order of the texts. The first is the best-scored one.
 */
export function select(scored: readonly Scored[], goalTerms: number): Scored[] {
  const needed = Math.min(C.relevance_min, C.relevance_term_part / goalTerms);
  const best = relevantBest(scored, needed);
  let open = scored.filter((s) => s.matched >= needed && s.score >= best * C.score_share_min);
  // A score far below the best cannot be taken any more; this bounds the number of compared pairs.
  open = open.sort((a, b) => b.score - a.score || order(a, b)).slice(0, C.findings_max * 8);
  const taken: Scored[] = [];
  const similar = new Map<Scored, number>();
  while (taken.length < C.findings_max && open.length > 0) {
    const next = pick(open, best, similar);
    taken.push(next);
    open = open.filter((s) => s !== next);
    for (const s of open) similar.set(s, Math.max(similar.get(s) ?? 0, similarity(s, next)));
  }
  return taken;
}

function relevantBest(scored: readonly Scored[], needed: number): number {
  let best = 0;
  for (const s of scored) if (s.matched >= needed && s.score > best) best = s.score;
  return best;
}

const order = (a: Scored, b: Scored): number => a.sentence.source - b.sentence.source || a.sentence.start - b.sentence.start;

function pick(open: readonly Scored[], best: number, similar: ReadonlyMap<Scored, number>): Scored {
  let [next] = open;
  let highest = -Infinity;
  for (const s of open) {
    const likeness = similar.get(s) ?? 0;
    const margin = C.mmr_lambda * (s.score / best) - (1 - C.mmr_lambda) * likeness - (likeness >= C.copy_similarity ? 1 : 0);
    if (margin > highest) [next, highest] = [s, margin];
  }
  if (next === undefined) throw new Error('nothing to pick from');
  return next;
}

/** Returns the Jaccard similarity of the two sets of terms. */
function similarity(a: Scored, b: Scored): number {
  const [small, large] = a.sentence.counts.size <= b.sentence.counts.size ? [a, b] : [b, a];
  let common = 0;
  for (const term of small.sentence.counts.keys()) if (large.sentence.counts.has(term)) common++;
  return common / (small.sentence.counts.size + large.sentence.counts.size - common);
}

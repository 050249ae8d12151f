/** What the results of several kinds say, in every language. */
import type { Translated } from '../../../kit/text/words.js';

const en = {
  limits: 'Limitations',
  unit: 'Unit',
  bound: 'Bound',
  optimality: 'Optimality',
  proven: 'Optimal (proven)',
  noGap: 'gap 0: the bound is reached',
  bySearch: 'Optimal by search',
  notCertified: 'not certified: recompute to confirm',
  gap: (share: string) => `at most ${share} below the bound`,
  gapAbove: (share: string) => `at most ${share} above the bound`,
  baseline: 'Simple rule',
  better: (by: string) => `this result is ${by} better`,
  worse: (by: string) => `this result is ${by} worse`,
  same: 'this result is as good',
};

const fr: typeof en = {
  limits: 'Limites',
  unit: 'Unité',
  bound: 'Borne',
  optimality: 'Optimalité',
  proven: 'Optimal (prouvé)',
  noGap: 'écart 0 : la borne est atteinte',
  bySearch: 'Optimal d’après la recherche',
  notCertified: 'non certifié : recalculez pour confirmer',
  gap: (share) => `au plus ${share} sous la borne`,
  gapAbove: (share) => `au plus ${share} au-dessus de la borne`,
  baseline: 'Règle simple',
  better: (by) => `ce résultat fait ${by} de mieux`,
  worse: (by) => `ce résultat fait ${by} de moins bien`,
  same: 'ce résultat est équivalent',
};

export const words: Translated<typeof en> = { en, fr };

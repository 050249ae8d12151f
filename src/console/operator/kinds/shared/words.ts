/** What the results of several kinds say, in every language. */
import type { Translated } from '../../../kit/text/words.js';

const en = {
  limits: 'Limitations',
  unit: 'Unit',
  bound: 'Bound',
  optimality: 'Optimality',
  proven: 'Optimal (proven)',
  noGap: 'gap 0: the bound is reached',
  noGapSearch: 'gap 0: an exact search ended',
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
  noGapSearch: 'écart 0 : une recherche exacte s’est achevée',
  gap: (share) => `au plus ${share} sous la borne`,
  gapAbove: (share) => `au plus ${share} au-dessus de la borne`,
  baseline: 'Règle simple',
  better: (by) => `ce résultat fait ${by} de mieux`,
  worse: (by) => `ce résultat fait ${by} de moins bien`,
  same: 'ce résultat est équivalent',
};

export const words: Translated<typeof en> = { en, fr };

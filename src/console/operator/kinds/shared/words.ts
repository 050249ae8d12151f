/** What the results of several kinds say, in every language. */
import { translated } from '../../../kit/text/words.js';

export const words = translated({
  limits: ['Limitations', 'Limites'],
  bound: ['Bound', 'Borne'],
  optimality: ['Optimality', 'Optimalité'],
  proven: ['Optimal (proven)', 'Optimal (prouvé)'],
  noGap: ['gap 0: the bound is reached', 'écart 0 : la borne est atteinte'],
  bySearch: ['Optimal by search', 'Optimal d’après la recherche'],
  notCertified: ['not certified: recompute to confirm', 'non certifié : recalculez pour confirmer'],
  gap: (share: string) => [`at most ${share} below the bound`, `au plus ${share} sous la borne`],
  gapAbove: (share: string) => [`the bound is ${share} lower`, `la borne est inférieure de ${share}`],
  baseline: ['Simple rule', 'Règle simple'],
  better: (by: string) => [`this result is ${by} better`, `ce résultat fait ${by} de mieux`],
  worse: (by: string) => [`this result is ${by} worse`, `ce résultat fait ${by} de moins bien`],
  same: ['this result is as good', 'ce résultat est équivalent'],
});

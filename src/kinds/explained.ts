/** Words of the field that pages and reports explain where they stand, in every language of the pages. */

const en = {
  makespan: 'The time from the beginning of a schedule to the end of its last operation.',
  tardiness: 'How long after its due time a job ends, times the weight of the job, summed over all jobs.',
  'lower bound': 'A value that no solution can beat. It is proven, not estimated.',
  bound: 'A value that no selection can exceed. It is proven, not estimated.',
  gap: 'The distance between the result and the proven bound, as a share of the larger of the two. No solution is better by more than this distance.',
  baseline: 'What a simple rule gives for the same question.',
  holdout:
    'The newest observations. They are kept back and predicted from the older ones, so that the error is measured and not assumed.',
  MAE: 'How far the predictions for the holdout are from the observed values, on average.',
  MASE: 'Mean absolute scaled error: the error divided by the mean change over one season (one step without a season) in the observations before the holdout.',
  sMAPE: 'Symmetric mean absolute percentage error: the error as a percentage of the mean of prediction and observed value.',
  effect:
    'What one unit of a regressor adds to the value of its step, such as a promotion (1) against none (0). The 90 % interval says how well the series tells it; the forecast takes a little less of an uncertain effect, and none where the interval holds 0.',
  interval: 'A range in which the value is expected to lie with the probability named, if the series goes on as it did.',
  outlier:
    'A value far from what the series around it leads to expect. The methods take another value in its place, so that it does not bend the forecast.',
  'Pareto-optimal': 'No option that was found has more value at the same or lower cost and risk.',
  finding: 'A sentence of a source, quoted word for word with its place.',
  'held-out case': 'A test of the program. A language model that writes the program is not shown it.',
} as const;

export type ExplainedTerm = keyof typeof en;

const fr: Readonly<Record<ExplainedTerm, string>> = {
  makespan: 'Le temps entre le début de l’ordonnancement et la fin de sa dernière opération.',
  tardiness: 'De combien un travail finit après son échéance, multiplié par son poids, additionné sur tous les travaux.',
  'lower bound': 'Une valeur qu’aucune solution ne peut battre. Elle est prouvée, non estimée.',
  bound: 'Une valeur qu’aucune sélection ne peut dépasser. Elle est prouvée, non estimée.',
  gap: 'La distance entre le résultat et la borne prouvée, en part du plus grand des deux. Aucune solution ne fait mieux de plus que cette distance.',
  baseline: 'Ce qu’une règle simple donne pour la même question.',
  holdout:
    'Les observations les plus récentes. Elles sont mises de côté et prédites à partir des plus anciennes\u00a0: l’erreur est mesurée, non supposée.',
  MAE: 'De combien les prédictions de la période de contrôle s’écartent des valeurs observées, en moyenne.',
  MASE: 'Erreur absolue moyenne mise à l’échelle\u00a0: l’erreur divisée par la variation moyenne sur une saison (sur un pas, sans saison) dans les observations avant la période de contrôle.',
  sMAPE:
    'Erreur absolue moyenne symétrique en pourcentage\u00a0: l’erreur en pourcentage de la moyenne de la prédiction et de l’observation.',
  effect:
    'Ce qu’une unité d’un régresseur ajoute à la valeur de son pas, comme une promotion (1) par rapport à aucune (0). L’intervalle à 90 % dit avec quelle précision la série le montre\u00a0; la prévision reprend un peu moins d’un effet incertain, et rien quand l’intervalle contient 0.',
  interval: 'Une plage où la valeur est attendue avec la probabilité indiquée, si la série continue comme avant.',
  outlier:
    'Une valeur loin de ce que la série laisse attendre autour d’elle. Les méthodes en prennent une autre à sa place, pour qu’elle ne dévie pas la prévision.',
  'Pareto-optimal': 'Aucune option trouvée n’a plus de valeur pour un coût et un risque égaux ou moindres.',
  finding: 'Une phrase d’une source, citée mot pour mot avec sa place.',
  'held-out case': 'Un test du programme. Un modèle de langage qui écrit le programme ne le voit pas.',
};

export const explanations: Readonly<Record<'en' | 'fr', Readonly<Record<ExplainedTerm, string>>>> = { en, fr };

/** Words of the field that explain themselves in reports. */

const terms = {
  makespan: 'The time from the beginning of a schedule to the end of its last operation.',
  tardiness: 'How long after its due time a job ends, times the weight of the job, summed over all jobs.',
  'lower bound': 'A time, or a cost, that no solution can beat. It is proven, not estimated.',
  bound: 'A value that no selection can exceed. It is proven, not estimated.',
  gap: 'The distance between the result and the proven bound, as a share. No solution can be better by more than the gap.',
  baseline: 'What a simple rule gives for the same question; what the result is better by is measured from it.',
  holdout:
    'The newest observations. They are kept back and predicted from the older ones, so that the error is measured and not assumed.',
  MAE: 'Mean absolute error: how far the predictions for the holdout are from the observed values, on average.',
  MASE: 'Mean absolute scaled error: the error divided by that of repeating the value of one season before. Below 1 is better than repeating.',
  sMAPE: 'Symmetric mean absolute percentage error: the error as a percentage of the mean of prediction and observed value.',
  interval: 'A range in which the value is expected to lie with the probability named, if the series goes on as it did.',
  'Pareto-optimal': 'No option that was found has more value at the same or lower cost and risk.',
  finding: 'A sentence of a source, quoted word for word with its place.',
  'held-out case': 'A test of the program that was not shown while it was written.',
} as const;

export type Term = keyof typeof terms;

export const explanationOf = (term: Term): string => terms[term];

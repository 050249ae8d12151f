/**
 * Results as the reference agent writes them. The forecasts were computed in Python, by a program of its own: `plain` with the
 * sum of Python 3.11, `compensated` with that of Python 3.12 and later.
 */

export interface ForecastCase {
  readonly policy: string;
  /** Observations, holdout, horizon and season as JSON text. */
  readonly work: string;
  readonly plain: string;
  readonly compensated: string;
}

export const forecasts: readonly ForecastCase[] = [
  {
    policy: 'seasonal',
    work: '{"holdout":4,"horizon":6,"observations":[10.6,13.7,16.8,19.9,10.7,13.9,16.0,19.5,10.9,13.6,16.9,19.1,10.5,13.2,16.5,19.6,10.0,13.2,16.3,19.9,10.8,13.2,16.8,19.1],"season":4}',
    plain:
      '{"baseline_mae":4.35,"forecast":[10.8,13.2,16.8,19.1,10.8,13.2],"holdout_actual":[10.8,13.2,16.8,19.1],"holdout_mae":0.5249999999999995,"holdout_predictions":[10.0,13.2,16.3,19.9],"improvement":3.825,"limits":"l","method":"m","policy":"seasonal","train_count":20,"training_scores":{"drift":4.206419085816146,"last":4.270000000000001,"mean":3.2918101524378613,"seasonal":0.3999999999999993},"unit":"units"}',
    compensated:
      '{"baseline_mae":4.35,"forecast":[10.8,13.2,16.8,19.1,10.8,13.2],"holdout_actual":[10.8,13.2,16.8,19.1],"holdout_mae":0.5249999999999995,"holdout_predictions":[10.0,13.2,16.3,19.9],"improvement":3.825,"limits":"l","method":"m","policy":"seasonal","train_count":20,"training_scores":{"drift":4.206419085816146,"last":4.2700000000000005,"mean":3.2918101524378613,"seasonal":0.3999999999999993},"unit":"units"}',
  },
  {
    policy: 'drift',
    work: '{"holdout":3,"horizon":3,"observations":[0.02,0.1,0.2,0.33,0.41,0.51,0.63,0.73,0.81,0.93,1.02,1.12,1.21,1.33,1.42],"season":1}',
    plain:
      '{"baseline_mae":0.09999999999999994,"forecast":[1.52,1.6199999999999999,1.72],"holdout_actual":[1.21,1.33,1.42],"holdout_mae":0.013867521367521526,"holdout_predictions":[1.2200000000000002,1.3091666666666666,1.4307692307692308],"improvement":0.08613247863247842,"limits":"l","method":"m","policy":"drift","train_count":12,"training_scores":{"drift":0.012909391534391523,"last":0.10166666666666668,"mean":0.48299488936988944,"seasonal":0.10166666666666668},"unit":"units"}',
    compensated:
      '{"baseline_mae":0.09999999999999994,"forecast":[1.52,1.6199999999999999,1.72],"holdout_actual":[1.21,1.33,1.42],"holdout_mae":0.013867521367521526,"holdout_predictions":[1.2200000000000002,1.3091666666666666,1.4307692307692308],"improvement":0.08613247863247842,"limits":"l","method":"m","policy":"drift","train_count":12,"training_scores":{"drift":0.012909391534391523,"last":0.10166666666666668,"mean":0.4829948893698894,"seasonal":0.10166666666666668},"unit":"units"}',
  },
  {
    policy: 'mean',
    work: '{"holdout":4,"horizon":2,"observations":[7.3,7.4,-7.3,7.3,-7.6,7.1,7.8,7.7,-7.5,-7.1,-7.9,7.8,-7.5,7.4,-7.5,-7.6,-7.1,-7.9],"season":3}',
    plain:
      '{"baseline_mae":4.075,"forecast":[-0.8444444444444444,-0.8444444444444444],"holdout_actual":[-7.5,-7.6,-7.1,-7.9],"holdout_mae":7.803926820728291,"holdout_predictions":[1.0642857142857143,0.49333333333333335,-0.012499999999999956,-0.42941176470588227],"improvement":-3.728926820728291,"limits":"l","method":"m","policy":"mean","train_count":14,"training_scores":{"drift":9.598466295609152,"last":8.914285714285715,"mean":8.209262998905858,"seasonal":13.057142857142859},"unit":"units"}',
    compensated:
      '{"baseline_mae":4.075,"forecast":[-0.8444444444444444,-0.8444444444444444],"holdout_actual":[-7.5,-7.6,-7.1,-7.9],"holdout_mae":7.803926820728291,"holdout_predictions":[1.0642857142857143,0.49333333333333335,-0.012499999999999956,-0.42941176470588227],"improvement":-3.728926820728291,"limits":"l","method":"m","policy":"mean","train_count":14,"training_scores":{"drift":9.598466295609153,"last":8.914285714285715,"mean":8.209262998905857,"seasonal":13.057142857142859},"unit":"units"}',
  },
  {
    policy: 'last',
    work: '{"holdout":2,"horizon":2,"observations":[0.1,5.3,5.4,20.1,20.2,11.3,11.1,2.7,2.8,2.9,9.9,9.8],"season":1}',
    plain:
      '{"baseline_mae":3.55,"forecast":[9.8,9.8],"holdout_actual":[9.9,9.8],"holdout_mae":3.55,"holdout_predictions":[2.9,9.9],"improvement":0.0,"limits":"l","method":"m","policy":"last","train_count":10,"training_scores":{"drift":5.421452380952381,"last":3.5400000000000005,"mean":4.436555555555556,"seasonal":3.5400000000000005},"unit":"units"}',
    compensated:
      '{"baseline_mae":3.55,"forecast":[9.8,9.8],"holdout_actual":[9.9,9.8],"holdout_mae":3.55,"holdout_predictions":[2.9,9.9],"improvement":0.0,"limits":"l","method":"m","policy":"last","train_count":10,"training_scores":{"drift":5.421452380952381,"last":3.54,"mean":4.436555555555556,"seasonal":3.54},"unit":"units"}',
  },
];

export const research = {
  work: {
    kind: 'research',
    sources: [
      { id: 'tides', title: 'Tide tables', text: 'High water is at six. Tides follow the moon.' },
      { id: 'moon', title: 'The moon', text: 'The moon is new on Friday.' },
    ],
  },
  result: {
    findings: [
      { claim: 'High water is at six.', quote: 'High water is at six.', source_id: 'tides' },
      { claim: 'New moon on Friday', quote: 'new on Friday', source_id: 'moon' },
    ],
    limits: 'l',
    method: 'm',
    sources: [],
  },
};

export const allocation = {
  work: {
    kind: 'allocation',
    budget: 10,
    max_risk: 4,
    items: [
      { id: 'roof', cost: 6, value: 9, risk: 2 },
      { id: 'door', cost: 3, value: 4, risk: 2 },
      { id: 'fence', cost: 5, value: 5, risk: 1 },
    ],
  },
  result: { cost: 9, value: 13, risk: 4, selected: ['roof', 'door'], evaluations: 12, limits: 'l', method: 'm', pareto: [] },
};

export const schedule = {
  work: {
    kind: 'schedule',
    jobs: [
      {
        id: 'a',
        due: 4,
        operations: [
          { machine: 'saw', duration: 3 },
          { machine: 'oven', duration: 2 },
        ],
      },
      { id: 'b', due: 9, operations: [{ machine: 'saw', duration: 4 }] },
      {
        id: 'c',
        operations: [
          { machine: 'oven', duration: 2 },
          { machine: 'saw', duration: 1 },
        ],
      },
    ],
  },
  result: {
    operations: [
      { job: 'a', operation: 0, machine: 'saw', start: 0, end: 3 },
      { job: 'a', operation: 1, machine: 'oven', start: 3, end: 5 },
      { job: 'b', operation: 0, machine: 'saw', start: 3, end: 7 },
      { job: 'c', operation: 0, machine: 'oven', start: 0, end: 2 },
      { job: 'c', operation: 1, machine: 'saw', start: 7, end: 8 },
    ],
    makespan: 8,
    tardiness: 1,
    order: ['a', 'b', 'c'],
    evaluations: 10,
    limits: 'l',
    method: 'm',
  },
};

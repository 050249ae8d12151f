/** What the form of a forecast mission holds, and the work that it makes. */
import { draftFor } from '../shared/work.js';

export const draft = draftFor('forecast', {
  observations: '',
  gaps: '',
  horizon: '',
  holdout: '',
  season: '',
  seasons: '',
  levels: '',
  unit: '',
  start: '',
  step: { unit: '', count: '' },
});

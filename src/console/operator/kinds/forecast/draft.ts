/** What the form of a forecast mission holds, and the work that it makes. */
import { memberValues } from '../../../kit/forms/member-value.js';
import { workFields, type DraftOf, type ValuesOf } from '../shared/work.js';

export const empty: DraftOf<'forecast'> = {
  observations: '',
  horizon: '',
  holdout: '',
  season: '',
  seasons: '',
  levels: '',
  unit: '',
};

export const valuesOf = (draft: DraftOf<'forecast'>): ValuesOf<'forecast'> => memberValues(workFields('forecast'), draft);

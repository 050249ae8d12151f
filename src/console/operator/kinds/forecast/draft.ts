/** What the form of a forecast mission holds, and the work that it makes. */
import { memberValues } from '../../../kit/forms/values.js';
import { filled, groupValue, workFields, type DraftOf, type ValuesOf } from '../shared/work.js';

export const empty: DraftOf<'forecast'> = {
  observations: '',
  horizon: '',
  holdout: '',
  season: '',
  seasons: '',
  levels: '',
  unit: '',
  start: '',
  step: { unit: '', count: '' },
};

export const valuesOf = ({ step, ...texts }: DraftOf<'forecast'>): ValuesOf<'forecast'> => ({
  ...memberValues(workFields('forecast'), texts),
  step: groupValue('forecast', 'step', step),
});

export const fromWork = (work: Readonly<Record<string, unknown>>): DraftOf<'forecast'> => filled<'forecast'>(empty, work);

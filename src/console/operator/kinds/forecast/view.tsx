/** Forecast missions in the console. */
import { forecastExample } from '../../../../kinds/forecast/example.js';
import { forecastRequest, forecastResult } from '../../../../kinds/forecast/view.js';
import { viewOf } from '../../../../kinds/view-fields.js';
import type { KindView } from '../shared/work.js';
import { empty, fromWork, valuesOf } from './draft.js';
import { ForecastForm } from './form.js';
import { ForecastResult } from './result.js';

export const forecast: KindView<'forecast'> = {
  example: forecastExample,
  empty,
  valuesOf,
  fromWork,
  search: [],
  Form: ForecastForm,
  result: ({ request, result }) => {
    const view = viewOf(forecastResult, result);
    return view === null ? null : <ForecastResult result={view} input={viewOf(forecastRequest, request)?.work ?? null} />;
  },
  input: () => null,
};

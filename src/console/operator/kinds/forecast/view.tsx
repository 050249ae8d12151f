/** Forecast missions in the console. */
import { forecastExample } from '../../../../kinds/forecast/example.js';
import { forecastInputs, forecastRequest, forecastResult } from '../../../../kinds/forecast/view.js';
import { viewOf } from '../../../../kinds/view-fields.js';
import type { KindView } from '../shared/view.js';
import { form } from './draft.js';
import { ForecastResult } from './result.js';

export const forecast: KindView<'forecast'> = {
  example: forecastExample,
  form,
  search: [],
  result: ({ request, result }) => {
    const view = viewOf(forecastResult, result);
    return view === null ? null : <ForecastResult result={view} input={viewOf(forecastRequest, request)?.work ?? null} />;
  },
  inputs: forecastInputs,
};

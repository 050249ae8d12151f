/** Schedule missions in the console. */
import { scheduleExample } from '../../../../kinds/schedule/example.js';
import { scheduleInputs, scheduleRequest, scheduleResult } from '../../../../kinds/schedule/view.js';
import { viewOf } from '../../../../kinds/view-fields.js';
import type { KindView } from '../shared/view.js';
import { form } from './draft.js';
import { ScheduleResult } from './result.js';

export const schedule: KindView<'schedule'> = {
  example: scheduleExample,
  form,
  search: ['effort', 'seed', 'population'],
  result: ({ request, result }) => {
    const view = viewOf(scheduleResult, result);
    return view === null ? null : <ScheduleResult result={view} input={viewOf(scheduleRequest, request)?.work ?? null} />;
  },
  inputs: scheduleInputs,
};

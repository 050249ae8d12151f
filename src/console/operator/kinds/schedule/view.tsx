/** Schedule missions in the console. */
import { scheduleExample } from '../../../../kinds/schedule/example.js';
import { scheduleRequest, scheduleResult } from '../../../../kinds/schedule/view.js';
import { viewOf } from '../../../../kinds/view-fields.js';
import type { KindView } from '../shared/work.js';
import { empty, fromWork, valuesOf } from './draft.js';
import { ScheduleForm } from './form.js';
import { ScheduleResult } from './result.js';

export const schedule: KindView<'schedule'> = {
  example: scheduleExample,
  empty,
  valuesOf,
  fromWork,
  search: ['seed', 'population'],
  Form: ScheduleForm,
  result: ({ request, result }) => {
    const view = viewOf(scheduleResult, result);
    return view === null ? null : <ScheduleResult result={view} input={viewOf(scheduleRequest, request)?.work ?? null} />;
  },
  input: () => null,
};

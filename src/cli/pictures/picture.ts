/** The picture of a mission's result, or null where its kind has none or the result is of another shape. */
import { allocationRequest, allocationResult } from '../../kinds/allocation/view.js';
import { forecastRequest, forecastResult } from '../../kinds/forecast/view.js';
import { researchResult } from '../../kinds/research/view.js';
import { scheduleRequest, scheduleResult } from '../../kinds/schedule/view.js';
import { viewOf } from '../../kinds/view-fields.js';
import { allocationPicture } from '../../kinds/allocation/picture.js';
import { forecastPicture } from '../../kinds/forecast/picture.js';
import { researchPicture } from '../../kinds/research/picture.js';
import { schedulePicture } from '../../kinds/schedule/picture.js';
import { screen } from '../screen.js';
import type { Screen } from '../../pictures/screen.js';

/** What of a mission a picture is drawn from; the request is null after erasure. */
export interface Drawn {
  readonly kind: string;
  readonly goal: string;
  readonly request: unknown;
  readonly result: unknown;
}

export function picture({ kind, goal, request, result }: Drawn, on: Screen = screen()): string[] | null {
  if (kind === 'schedule') {
    const view = viewOf(scheduleResult, result);
    return view && schedulePicture(view, viewOf(scheduleRequest, request)?.work ?? null, on);
  }
  if (kind === 'forecast') {
    const view = viewOf(forecastResult, result);
    return view && forecastPicture(view, viewOf(forecastRequest, request)?.work.observations ?? null, on);
  }
  if (kind === 'allocation') {
    const view = viewOf(allocationResult, result);
    return view && allocationPicture(view, viewOf(allocationRequest, request)?.work ?? null, on);
  }
  if (kind === 'research') {
    const view = viewOf(researchResult, result);
    return view && researchPicture(view, goal, on);
  }
  return null;
}

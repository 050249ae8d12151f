/** How long a mission will take, in a sentence. */
import { search_budget_ms } from '../../../base/limits.js';
import { type Estimate, roundedTime } from '../../../kinds/effort.js';
import type { Format } from '../../kit/text/format.js';
import type { Words } from '../text/all.js';

/** @param t the words of missions */
export const estimateText = (t: Words['mission'], f: Format, { search_ms, evaluations_in_time }: Estimate): string =>
  evaluations_in_time === undefined
    ? t.estimate(roundedTime(search_ms))
    : t.estimateLong(roundedTime(search_ms), roundedTime(search_budget_ms), f.number(evaluations_in_time));

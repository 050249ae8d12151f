/** The terminal picture of each kind's results; null for a kind whose results are only listed. */
import type { Kind } from '../codec/kinds.js';
import type { Picture } from '../pictures/picture.js';
import { allocationPicture } from './allocation/picture.js';
import { forecastPicture } from './forecast/picture.js';
import { researchPicture } from './research/picture.js';
import { schedulePicture } from './schedule/picture.js';

export const pictures: { readonly [K in Kind]: Picture | null } = {
  research: researchPicture,
  allocation: allocationPicture,
  schedule: schedulePicture,
  forecast: forecastPicture,
  code: null,
};

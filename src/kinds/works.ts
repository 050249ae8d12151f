/** The work codec of each mission kind. */
import type * as t from 'io-ts';
import type { Kind } from '../codec/kinds.js';
import { allocationWork } from './allocation/work.js';
import { codeWork } from './code/work.js';
import { forecastWork } from './forecast/work.js';
import { researchWork } from './research/work.js';
import { scheduleWork } from './schedule/work.js';

export const works = {
  research: researchWork,
  allocation: allocationWork,
  schedule: scheduleWork,
  forecast: forecastWork,
  code: codeWork,
} satisfies { readonly [K in Kind]: t.Decoder<unknown, { readonly kind: K }> };

/** The type of the work of each kind. */
export type Works = { readonly [K in Kind]: t.TypeOf<(typeof works)[K]> };
/** The work of a mission of any kind. */
export type Work = Works[Kind];

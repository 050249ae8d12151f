/** The work codec of each mission kind, which the pages have too. */
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

/** An example mission of a kind: a request before its defaults are filled in. */
export interface Example<K extends Kind> {
  readonly goal: string;
  readonly work: { readonly kind: K } & Readonly<Record<string, unknown>>;
  readonly seed?: number;
  readonly population?: number;
  readonly generations?: number;
}

/** What operators are told of workers. */
import { job_silence_ms_max } from '../../base/worker-limits.js';

export const lostText = (key: string): string =>
  `the worker ${key} showed no progress for ${job_silence_ms_max / 1_000} s; another one does its job`;

/** @param key null for a result that is not signed by the key that it names */
export const ignoredText = (key: string | null, why: string): string =>
  `a result${key === null ? '' : ` of the worker ${key}`} does not count: ${why}`;

/** The reason that the journal has for a key that is not used any more. */
export const wrong_result = 'a recomputation gave another result';

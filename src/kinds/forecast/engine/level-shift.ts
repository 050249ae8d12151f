/**
 * Finds a step of the level one to three values before the end. Earlier values are then taken at the new level. One value cannot tell a step
 * from a wrong value, so bands around it hold both.
 */
import { round12 } from '../../../base/decimal.js';
import { log } from '../../../base/math.js';
import { isIntermittent } from './intermittent.js';
import { mean } from './series.js';

export interface LevelShift {
  /** The position of the first value at the new level, counted from 0. */
  readonly index: number;
  /** What is added to the values before it. */
  readonly shift: number;
}

const after_max = 3;
/** Changes over at most this many steps are compared. */
const reach = 3;
/**
 * A step is larger than the largest of n earlier changes by this factor over √ln n, with which the largest of n normal values grows: 1.35 times
 * at 60 values.
 */
const jump_min = 2.73;
const before_min = 12;

/** @param y without outliers */
export function levelShift(y: Float64Array): LevelShift | null {
  if (isIntermittent(y)) return null;
  for (let index = y.length - 1; index >= Math.max(before_min, y.length - after_max); index--) {
    const largest = largestChange(y.subarray(0, index));
    const after = y.subarray(index);
    const last = y.subarray(index - reach, index);
    const jump = Math.max(distance(last, after), distance(after, last));
    const stays = Math.max(...after) - Math.min(...after) <= Math.max(largest, jump / 2);
    if (jump > 0 && jump >= (jump_min / Math.sqrt(log(index))) * largest && stays)
      return { index, shift: round12(mean(y, index, y.length) - mean(y, index - before_min, index)) };
  }
  return null;
}

/** Returns by how much every value of `upper` is above every one of `lower`; negative where one is not. */
const distance = (lower: Float64Array, upper: Float64Array): number => Math.min(...upper) - Math.max(...lower);

function largestChange(y: Float64Array): number {
  let largest = 0;
  for (let t = 1; t < y.length; t++)
    for (let lag = 1; lag <= Math.min(reach, t); lag++) largest = Math.max(largest, Math.abs((y[t] ?? 0) - (y[t - lag] ?? 0)));
  return largest;
}

/** Returns what is added to the value at `t`. */
export const shiftAt = (step: LevelShift | null, t: number): number => (step !== null && t < step.index ? step.shift : 0);

export const shifted = (y: Float64Array, step: LevelShift | null): Float64Array =>
  step === null ? y : y.map((v, t) => v + shiftAt(step, t));

/** The time that work is expected to take yet, from how far it came and in what time. */

/** How far work was at a moment. */
export interface Mark {
  /** Milliseconds on any clock that only advances. */
  readonly at: number;
  /** The share that was done, from 0 to 1. */
  readonly done: number;
}

/** Shorter observations say too little. */
const observed_ms_min = 5_000;
const observed_share_min = 0.02;

/** Returns the expected time in whole seconds, if the work continues as it did since `first`; null while too little was seen of it, and at its end. */
export function remainingSeconds(first: Mark, now: Mark): number | null {
  const [elapsed, share] = [now.at - first.at, now.done - first.done];
  if (elapsed < observed_ms_min || share < observed_share_min || now.done >= 1) return null;
  return Math.ceil(((elapsed / share) * (1 - now.done)) / 1_000);
}

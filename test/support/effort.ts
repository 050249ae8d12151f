/** TEST_EFFORT=full runs the full figures; the default keeps the whole run short. */
export const fullEffort = process.env.TEST_EFFORT === 'full';

/** A factor for the number of runs of a property or the length of a sweep. */
export const effort = fullEffort ? 20 : 1;

/** The usual figure, or the one for a full run. */
export const atEffort = <T>(usual: T, full: T): T => (fullEffort ? full : usual);

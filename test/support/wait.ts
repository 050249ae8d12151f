/**
 * The one limit for everything that a test waits for: a condition, a line of output, a process, a page. It exists to end a hang and says
 * nothing about speed, so it is far beyond what a machine with many times more work than processors needs. Mocha's own limit for a test
 * (.mocharc.cjs) is longer, so that a hang is reported by the wait that knows what is missing.
 */
export const hang_ms = 300_000;
/** The same for what consists of many such things: a compilation, a build of images, a soak. */
export const build_ms_max = 1_800_000;

/** Limits of the command line. A name ends with its unit. */

/** The beginning of an id that is enough to name it. */
export const id_prefix_chars_min = 4;
/** Ids that an ambiguous beginning is refused with. */
export const id_candidates_shown_max = 10;
/** How often a command that watches reads again. */
export const watch_interval_ms = 1_000;

/** Limits of lists and of searches in them. */

/** Characters of the name of who acts. */
export const actor_chars_max = 64;
/** Missions whose entries one page of a search for an actor covers. */
export const acted_missions_max = 2_000;
/** The most recently changed missions that are ordered by anything but their change. */
export const sorted_missions_max = 10_000;
/** Entries that one page of a filtered journal covers. */
export const journal_scan_entries_max = 20_000;
/** UTF-16 code units of their bodies. */
export const journal_scan_chars_max = 67_108_864;
/** Characters of the line that says what an entry contains. */
export const entry_summary_chars_max = 200;

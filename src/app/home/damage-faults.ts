/** The faults of a home that some commands tolerate. */

/** Faults that a command may inspect or repair. */
export type Tolerable = 'config' | 'witness' | 'permissions' | (typeof damageFaults)[number];

/** The faults that are damage: of the newest entry and what covers it, of any entry, of the tables made from the entries. */
export const damageFaults = ['head', 'entries', 'tables'] as const;

/** The faults of a home that some commands tolerate. */

/** Faults that a command may inspect or repair. */
export type Tolerable = 'config' | 'witness' | 'permissions' | (typeof damageFaults)[number];

/**
 * The faults that are damage of the journal: of its newest entry and what covers it, of the database's schema, of any entry, of the tables
 * that are made from the entries.
 */
export const damageFaults = ['head', 'schema', 'entries', 'tables'] as const;

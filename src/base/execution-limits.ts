/** The limits of the ownership of running missions. A name ends with its unit. */

/** Tests of an attempt's lock: another process that tests it at the same moment makes it look held. */
export const owner_test_tries_max = 3;
/** Time to take an attempt's lock while other processes test it. */
export const owner_busy_ms_max = 1_000;
/** Time between two searches of the daemon for attempts whose process has ended. */
export const interrupted_search_ms = 1_000;
/** Time between two tries to record an outcome on a full disk. */
export const outcome_retry_ms = 5_000;
/** In the daemon: time after which the stages before an engine's work are recorded while it works; shorter work is recorded at its end. */
export const stages_wait_ms = 50;

/** The limits of simulations, named once; `limits.ts` has all others. Units stand last in the name. */

export const simulation_request_bytes_max = 1_048_576;
export const simulation_horizon_max = 200;
export const simulation_population_min = 2;
export const simulation_population_max = 10_000;
export const simulation_generations_max = 10_000;
export const simulation_sectors_max = 1_000;
/** pop_size × sectors: the genes of a population. */
export const simulation_genes_max = 1_000_000;
/** pop_size × generations × sectors × horizon. */
export const simulation_work_max = 10_000_000_000;
/** Energies and entropies of sectors. */
export const simulation_amount_max = 1e12;
export const simulation_growth_min = -1;
export const simulation_growth_max = 10;
export const simulation_samples_max = 2_000;
export const sector_name_chars_max = 100;
/** Of a stored run, in a browser's or script's header. */
export const idempotency_key_chars_max = 255;
export const islands_max = 64;
export const island_name_chars_max = 64;
/** The first start of a run and two more. */
export const simulation_attempts_max = 3;
/**
 * Of an outcome's text: a million genes of 8 decimals, 1000 sectors of 200 years, and names. Below what a part of a series of backups
 * leaves for one entry.
 */
export const simulation_outcome_bytes_max = 16_700_000;
/** A started run is dead when this and the time below have passed. */
export const simulation_lease_ms = 660_000;
/** What a run is given on top: the largest work over this many units of work a millisecond, a tenth of what is usual. */
export const simulation_lease_work_per_ms = 1_000;
export const simulation_error_chars_max = 2_000;
/** One line of ./ledger/runs.jsonl. */
export const ledger_line_bytes_max = 2_097_152;
export const ledger_lock_ms_max = 5_000;
export const ledger_entries_shown_default = 10;
export const ledger_entries_shown_max = 100_000;
/** Between two entries that are replayed. */
export const replay_delay_ms = 100;
export const replay_speed_max = 1_000;
/** For the simulation's server to tell how its agents are. */
export const agents_answer_ms_max = 5_000;
export const agents_answer_bytes_max = 65_536;
export const agents_watch_ms = 1_000;

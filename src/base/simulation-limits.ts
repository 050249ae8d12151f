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
/** Worker threads of one backend of islands. */
export const island_threads_max = 64;
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
/** And for each individual of each generation, which is ranked whatever its genome's length: a tenth of what is usual, too. */
export const simulation_lease_individuals_per_ms = 30;
/** Between two looks of a server for runs whose process died. */
export const simulation_sweep_ms = 60_000;
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

// The server's runs
/** Beyond those that run; one more is refused as `busy`. */
export const simulation_waiting_max = 1_000;
/** Answers of succeeded runs that are held in memory, as text. */
export const results_cache_bytes_max = 67_108_864;
/** Runs that ended and are still told to those who follow all runs and were busy meanwhile. */
export const progress_ended_max = 256;
/** Between two looks at a run that another process has, for those who follow it. */
export const progress_look_ms = 1_000;

// The orchestrator
export const agent_heartbeat_ms = 1_000;
/** A stage that is unresponsive for so long hangs. */
export const agent_silence_ms_max = 5_000;
/** Before an agent's first restart; doubled by each one that follows within the time below. */
export const agent_restart_ms_min = 100;
export const agent_restart_ms_max = 10_000;
/** An agent that has worked for so long without a fault begins again at the shortest pause. */
export const agent_healthy_ms = 60_000;

// The progress socket
export const progress_sockets_max = 64;
/** Of one socket, before the next line is asked for. */
export const progress_buffered_bytes_max = 65_536;
/** Lines that one client is sent before all others have their turn. */
export const progress_burst_messages_max = 64;
/** For a client to take what is buffered. */
export const progress_drain_ms_max = 10_000;
/** For the other side to answer the end of a socket. */
export const progress_close_ms_max = 2_000;
/** Between two pings; a client that answers none until the next is gone. */
export const progress_ping_ms = 20_000;
/** Messages of clients are not read: of one, and how many until the next ping. */
export const progress_message_bytes_max = 1_024;
export const progress_messages_max = 1_000;

// The simulation's HTTP interface
export const simulation_connections_max = 1_024;
export const api_token_chars_max = 1_024;
/** Requests of one address in a window, unless API_RATE_LIMIT says so; 0 is no limit. */
export const rate_limit_default = 60;
export const rate_limit_max = 1_000_000;
export const rate_window_ms = 60_000;
/** Addresses that are counted; beyond that the one whose window began first is forgotten. */
export const rate_addresses_max = 10_000;
/** Origins that API_CORS_ORIGINS names. */
export const cors_origins_max = 100;
/** For a browser to keep the answer to a preflight. */
export const cors_max_age_s = 600;
/** After a signal to end, for the same one once more. */
export const signal_echo_ms = 1_000;
/** `.env` in the working directory. */
export const env_file_bytes_max = 65_536;
export const insight_ids_max = 10_000;
/** What is longer than a run's id is no run's id all the same. */
export const insight_id_chars_max = 256;
/** Forecasts of runs that are held in memory, each a number a year. */
export const insight_forecasts_max = 20_000;
/** Work on an insight, after which other requests have their turn. */
export const insight_work_ms_max = 4;

/** The limits of simulations; `http-limits.ts` and `limits.ts` have all others. A name ends with its unit. */

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
/** The largest energy and entropy of a sector. */
export const simulation_amount_max = 1e12;
export const simulation_growth_min = -1;
export const simulation_growth_max = 10;
export const simulation_samples_max = 2_000;
export const simulation_name_chars_max = 80;
/** Ends of forecasts that are kept for lists of runs. */
export const run_outcomes_max = 1_000;
/** The share of a run and the time since its start from which on its remaining time is estimated. */
export const remaining_share_min = 0.05;
export const remaining_elapsed_ms_min = 1_000;
export const sector_name_chars_max = 100;
/** Length of the key that a client sends in the header field Idempotency-Key. */
export const idempotency_key_chars_max = 255;
export const islands_max = 64;
export const island_name_chars_max = 64;
/** Worker threads of one backend of islands. */
export const island_threads_max = 64;
/** Starts of a run: the first one and two more. */
export const simulation_attempts_max = 3;
/**
 * Size of an outcome's text: a million genes of 8 decimals, 1000 sectors of 200 years, and names. The margin that a part of a series of
 * backups leaves follows from it (backup-limits.ts).
 */
export const simulation_outcome_bytes_max = 16_700_000;
/** A started run counts as dead when this time and the two below have passed. */
export const simulation_lease_ms = 660_000;
/** Adds a millisecond to the lease for this many units of work: a tenth of the usual speed. */
export const simulation_lease_work_per_ms = 1_000;
/** Adds a millisecond to the lease for this many individuals of all generations, whose ranking takes time for any genome length: a tenth of the usual speed. */
export const simulation_lease_individuals_per_ms = 30;
/** Time between two searches of a server for runs whose process died. */
export const simulation_sweep_ms = 60_000;
export const simulation_error_chars_max = 2_000;
/** Size of one line of ./ledger/runs.jsonl. */
export const ledger_line_bytes_max = 2_097_152;
export const ledger_lock_ms_max = 5_000;
export const ledger_entries_shown_default = 10;
export const ledger_entries_shown_max = 100_000;
/** Time between two replayed entries. */
export const replay_delay_ms = 100;
export const replay_speed_max = 1_000;
/** Time for the simulation's server to return the state of its agents. */
export const agents_answer_ms_max = 5_000;
export const agents_answer_bytes_max = 65_536;
export const agents_watch_ms = 1_000;

// The server's runs
/** Queued runs besides the running ones; one more is refused as `busy`. */
export const simulation_waiting_max = 1_000;
/** Size of the results of succeeded runs that are held in memory. */
export const results_cache_bytes_max = 67_108_864;
/** Longer results are kept and sent as bytes. */
export const results_text_chars_max = 16_384;
/** A larger outcome is read from the journal by a thread; threads that do so at once. */
export const outcome_on_loop_bytes_max = 262_144;
export const outcome_threads_max = 2;
/** Ended runs that are still reported to slow followers of all runs. */
export const progress_ended_max = 256;
/** Time between two reads of a followed run that another process executes. */
export const progress_look_ms = 1_000;

// The orchestrator
export const agent_heartbeat_ms = 1_000;
/** A stage without progress for this time is unresponsive. */
export const agent_silence_ms_max = 5_000;
/** Delay before an agent's first restart; each further restart within `agent_healthy_ms` doubles it. */
export const agent_restart_ms_min = 100;
export const agent_restart_ms_max = 10_000;
/** Missions and runs whose faults an agent remembers. */
export const agent_backoffs_max = 1_000;
/** After this time without a failure an agent's next restart has the shortest delay again. */
export const agent_healthy_ms = 60_000;

// The progress socket
export const progress_sockets_max = 64;
/** Open sockets of one address: all clients have the same token. */
export const progress_sockets_per_address_max = 32;
/** Lines that one client is sent before the other clients are served. */
export const progress_burst_messages_max = 64;
/** Time for a client to take a line. */
export const progress_drain_ms_max = 10_000;
/** Time for the client to complete the closing handshake. */
export const progress_close_ms_max = 2_000;
/** Time between two pings; a client that does not respond before the next one is disconnected. */
export const progress_ping_ms = 20_000;
/** Messages of clients are ignored: the size of one, and their number until the next ping. */
export const progress_message_bytes_max = 1_024;
export const progress_messages_max = 1_000;

// The simulation's HTTP interface
export const simulation_connections_max = 1_024;
export const api_token_chars_max = 1_024;
/** A shorter API_TOKEN is refused where other machines reach the server. */
export const api_token_chars_min = 16;
/** Requests of one address in a window when API_RATE_LIMIT is not set; 0 means no limit. */
export const rate_limit_default = 60;
export const rate_limit_max = 1_000_000;
export const rate_window_ms = 60_000;
/** Addresses that are counted; beyond that the address whose window began first is dropped. */
export const rate_addresses_max = 10_000;
/** Number of origins in API_CORS_ORIGINS. */
export const cors_origins_max = 100;
/** Time for which a browser may cache the response to a preflight. */
export const cors_max_age_s = 600;
/** The same signal again within this time counts as the first one. */
export const signal_echo_ms = 1_000;
/** Size of `.env` in the working directory. */
export const env_file_bytes_max = 65_536;
export const insight_ids_max = 10_000;
/** Length of an id in a request; longer than a run's id, so that any short text is accepted as an unknown id. */
export const insight_id_chars_max = 256;
/** Forecasts of runs that are held in memory, each with one number per year. */
export const insight_forecasts_max = 20_000;
/** Runs whose own curves an insight carries. */
export const insight_curves_max = 40;
/** Time to work on an insight before other requests are served. */
export const insight_work_ms_max = 4;

// Sweeps
/** Runs of a sweep: values × seeds. */
export const sweep_runs_max = 2_000;
/** The genes of all populations of a sweep, whose outcomes are held until they have been confirmed. */
export const sweep_genes_max = 20_000_000;

/**
 * The limits that several parts of the program keep to, and those of what people hand in: the codecs of src/codec and src/kinds. Any other limit is beside
 * its use. A name ends with its unit. `chars` are Unicode code points where a codec (TextType) checks them, and UTF-16 code units for a search text and the
 * reason of a restore.
 */

// Documents and JSON
export const json_depth_max = 64;
/** Values in the JSON body of a request or of a message on the bus: the document itself and every member and item in it. */
export const body_values_max = 50_000;
/** Size of a mission that was typed, as a file and as canonical JSON. */
export const mission_file_bytes_max = 524_288;
/** Canonical JSON of a mission that was read from files, which its `provenance` says. */
export const drafted_mission_bytes_max = 1_500_000;
/** Size of the file of such a mission, which is written with white space. */
export const drafted_file_bytes_max = 4_000_000;
export const config_file_bytes_max = 65_536;
export const export_bytes_max = 2_097_152;
/** An HTML report holds an export, whose signs may be escaped, beside its text. */
export const report_bytes_max = 16_777_216;
export const checkpoint_file_bytes_max = 65_536;

// Journal
export const entry_body_bytes_max = 1_048_576;
export const inline_value_bytes_max = 65_536;
export const append_busy_ms_max = 5_000;
/** Half is for ends of work that the program records on a full disk (about 60 KiB, beside `journal_open_bytes`), half for a pause. */
export const ballast_bytes = 262_144;
/** Less free space than this on the disk of the home is an alert, and a warning of `doctor`. */
export const disk_free_bytes_min = 268_435_456;
/** Size of SQLite's shared memory file, which every open journal needs. */
export const journal_open_bytes = 32_768;

// Backups
/** The largest archive, uncompressed, including its manifest. */
export const archive_bytes_max = 268_435_456;
/** Upper bound of the ZIP format's overhead for stored members. */
export const archive_overhead_bytes_max = 1_048_576;
export const archive_series_max = 999;
export const archive_manifest_bytes_max = 131_072;
/** The largest body of an entry of schema 1. */
export const foreign_body_bytes_max = 4_194_304;
export const token_file_bytes_max = 1_024;

// The published log and its witnesses
/** Time for one exchange with a witness, from looking up its address to the last byte of its response. */
export const witness_ms_max = 10_000;

// Missions
export const result_bytes_max = 460_800;
export const work_budget_ms = 600_000;
/** After this time a search of a schedule or an allocation ends with the best that it has, so that it can be verified within the budget. */
export const search_budget_ms = 480_000;
export const lease_ms = 660_000;
/** Time for a thread to load its program on a busy machine, before it can report progress. */
export const thread_start_ms_max = 10_000;
export const review_note_chars_max = 2_000;
export const goal_chars_min = 3;
export const goal_chars_max = 2_000;
export const seed_max = 4_294_967_295;
export const population_min = 4;
export const population_max = 500;
export const generations_max = 1_000;
/** Length of the name of an item, a job or a machine. */
export const title_chars_max = 200;

// Tables that missions are drafted from
export const table_rows_max = 100_000;
export const table_columns_max = 200;

// Provenance: what a request says of the files that it was read from
export const provenance_files_max = 200;
export const provenance_notes_max = 200;
export const provenance_changes_max = 100;
/** Length of a note, and of the name of a file, a sheet or a column. */
export const provenance_text_chars_max = 2_000;

// Research
export const sources_max = 200;
export const source_title_chars_max = 300;
export const source_text_chars_max = 200_000;
export const url_chars_max = 2_048;
/** Blocks of one source. */
export const source_blocks_max = 20_000;
/** Pages of a document. */
export const source_pages_max = 2_000;
/** Headings above a block. */
export const block_headings_max = 20;
/** Cells in the header of a table. */
export const block_cells_max = 200;

// Allocation
export const items_max = 2_000;
export const item_cost_max = 1e12;
export const item_value_max = 1e12;
export const item_risk_max = 10_000;
export const item_links_max = 2_000;
export const budget_max = 1e13;
export const max_risk_max = 20_000_000;
export const unit_chars_max = 60;

// Schedule
export const jobs_max = 200;
export const operations_per_job_max = 50;
export const operations_max = 4_000;
export const duration_max = 100_000;
export const schedule_time_max = 1_000_000_000;
export const weight_max = 10_000;
/** Distinct machines: one for each operation. */
export const machines_max = 4_000;
/** Open times of one day. */
export const calendar_hours_max = 24;
/** Holidays and days with hours of their own. */
export const calendar_exceptions_max = 2_000;
/** Years from the first exception to the last one. */
export const calendar_years_max = 20;

// Forecast
export const observations_min = 12;
export const observations_max = 20_000;
export const observation_abs_max = 1e15;
export const horizon_max = 1_000;
export const holdout_min = 2;
export const holdout_max = 1_000;
/** An RFC 3339 date and time with nine digits of a second. */
export const date_chars_max = 35;
/** Units in a step between two dates. */
export const date_step_count_max = 1_000;
export const season_max = 1_000;
export const seasons_max = 4;
export const levels_max = 10;

// Code
export const code_examples_max = 10;
export const code_heldout_max = 100;
export const code_args_max = 20;
export const candidate_chars_max = 100_000;

// Transfer experiments
export const transfer_document_bytes_max = 1_000_000;
export const transfer_depth_max = 20;
export const transfer_seed_max = 9_999;
export const transfer_training_min = 20;
export const transfer_training_max = 64;
export const transfer_tasks_min = 2;
export const transfer_tasks_max = 8;
export const transfer_observed_min = 6;
export const transfer_observed_max = 16;
export const transfer_heldout_min = 4;
export const transfer_heldout_max = 16;
export const transfer_value_abs_max = 10_000;
export const transfer_id_chars_max = 64;
/** Costs and the risk limit. */
export const transfer_rate_milli_max = 10_000_000;
/** One day. */
export const transfer_timing_ms_max = 86_400_000;
/** Length of a reviewer's name and of a reason, in code points. */
export const transfer_review_points_max = 500;
export const transfer_statements_max = 20;

// Ascension
export const ascension_jobs_max = 128;
export const ascension_text_bytes_max = 512;
export const ascension_bounty_units_min = 100n;
/** 2^96 − 1, the largest bounty that the contract can store. */
export const ascension_bounty_units_max = 79_228_162_514_264_337_593_543_950_335n;
export const ascension_duration_s_max = 7_776_000;
export const ascension_price_weight_max = 10_000;
/** Number of siblings in the proof of a leaf among 128. */
export const ascension_proof_hashes_max = 7;

// Results of the reference agent
export const reference_findings_max = 20;
/** In code points. */
export const reference_claim_chars_max = 3_000;

// Tools
/** Length of an imported tool's id, which is part of its stream's name. */
export const tool_id_chars_max = 128;
export const tool_note_chars_max = 2_000;

// Listing
export const page_items_default = 50;
export const page_items_max = 500;
export const search_chars_max = 200;

// Archives
export const archive_chunk_bytes = 65_536;

// The daemon
/** Time for missions and runs to end and be recorded when the daemon stops: more than twice `engine_stop_ms_max`; the stop takes at most 8 s in all. */
export const daemon_stop_ms_max = 7_000;
/** Time from the end of a verification of the whole journal to the next one. */
export const verification_pause_ms = 3_600_000;

// Alerts
/** Alerts that are kept for the console. */
export const alerts_kept_max = 100;

// Wrong tokens
/** Wrong tokens per minute that get a plain refusal, over HTTP and on the message bus: from one address and from all addresses. */
export const failed_logins_per_address_max = 10;
export const failed_logins_max = 100;
export const failed_login_addresses_max = 1_024;

// Message bus
/** Bytes that callers without a token may have recorded within a minute; a larger envelope uses the share of the following minutes too. */
export const bus_open_bytes_per_minute_max = 262_144;
/** Bytes that callers without a token may have recorded within any 24 hours. */
export const bus_open_bytes_per_day_max = 8_388_608;
/** Bytes that callers with a token may have recorded within a minute. */
export const bus_token_bytes_per_minute_max = 16_777_216;
/** What an entry of the journal takes besides its envelope: with it each envelope counts. */
export const bus_entry_bytes = 768;
/** Size of one message as it is received, compressed or not. */
export const bus_message_bytes_max = 1_048_576;
/** Length of the nonce that may follow the handshake. */
export const bus_nonce_chars_max = 256;
/** Length of `sender` and of `recipient`. */
export const bus_name_chars_max = 256;
export const bus_token_chars_max = 1_024;
/** Size of a certificate or key file. */
export const bus_pem_bytes_max = 1_048_576;

// The chain
export const invoice_expiry_days_max = 3_650;

// Running work
/** Time between two searches of the daemon for attempts whose process has ended. */
export const interrupted_search_ms = 1_000;
/** In the daemon: time after which the stages before an engine's work are recorded while it works; shorter work is recorded at its end. */
export const stages_wait_ms = 50;

// Lists
/** Characters of the name of who acts. */
export const actor_chars_max = 64;

// Language models
export const provider_model_chars_max = 300;

// Code missions
/** Processes and threads. */
export const sandbox_pids_max = 64;
export const sandbox_open_files_max = 256;
/** The largest file, and all files together, in MiB. */
export const sandbox_files_mb_max = 16;
/** User and group in the container. */
export const sandbox_uid = 10_001;
/** Output of a run, the candidate's prints included. */
export const sandbox_output_bytes_max = 1_048_576;
/** Time for a command of the engine that starts no candidate. */
export const engine_command_ms_max = 30_000;
/** Time for the client to end after its container was killed. */
export const engine_stop_grace_ms = 10_000;

// Simulation
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
/** Fewer draws than this say nothing about a 90 % interval; 0 means none. */
export const simulation_samples_min = 20;
/** The largest factor on the widths of the draws. */
export const simulation_spread_max = 4;
export const simulation_name_chars_max = 80;
export const sector_name_chars_max = 100;
/** Length of the key that a client sends in the header field Idempotency-Key. */
export const idempotency_key_chars_max = 255;
export const islands_max = 64;
export const island_name_chars_max = 64;
/** Starts of a run: the first one and two more. */
export const simulation_attempts_max = 3;
/**
 * Size of an outcome's text: a million genes of 8 decimals, 1000 sectors of 200 years, and names. The margin that a part of a series of
 * backups leaves follows from it.
 */
export const simulation_outcome_bytes_max = 16_700_000;
export const simulation_error_chars_max = 2_000;
export const ledger_entries_shown_max = 100_000;
export const replay_speed_max = 1_000;
export const insight_ids_max = 10_000;
/** Length of an id in a request; longer than a run's id, so that any short text is accepted as an unknown id. */
export const insight_id_chars_max = 256;
/** Runs whose own curves an insight carries. */
export const insight_curves_max = 40;
/** Runs of a sweep: values × seeds. */
export const sweep_runs_max = 1_000;
export const sweep_values_max = 100;
/** Seeds of each value. */
export const sweep_seeds_max = 100;

// Workers
/** Time without a checkpoint of the computing thread after which a job is delivered again. */
export const job_silence_ms_max = 5_000;
/** A worker whose last message is older is shown as gone. */
export const worker_silence_ms_max = 5_000;
/** Workers that are listed. */
export const workers_listed_max = 1_000;
/** Time in which a queue that refuses the first connection is tried again, before jobs are computed at home. */
export const nats_first_connection_ms_max = 2_000;
/** Time for a connection to a queue that neither refuses nor accepts it, as behind a partition or on a busy machine. */
export const nats_connect_ms_max = 10_000;
/** Time between two tries to connect. */
export const nats_retry_ms = 250;
/** Bytes that travel within a message (NATS admits 1 MiB); more go through the object store. */
export const job_inline_bytes_max = 786_432;
/** Size of the input or output of a job: a population of a million genes, or the outcome of a run. */
export const job_bytes_max = 33_554_432;
/** One epoch in this many is recomputed at home. */
export const epochs_checked_one_in = 8;
/** Attempts of a search on workers; after them it is computed at home. */
export const worker_attempts_max = 3;

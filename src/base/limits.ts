/**
 * Every limit of the program but those of HTTP, of simulations and of the ownership of running work. A name ends with its unit. `chars` are
 * Unicode code points where a codec (TextType) checks them, and UTF-16 code units for a search text and the reason of a restore.
 */

// Documents and JSON
export const json_depth_max = 64;
/** Values in the JSON body of a request or of a message on the bus: the document itself and every member and item in it. */
export const body_values_max = 50_000;
export const mission_file_bytes_max = 524_288;
export const config_file_bytes_max = 65_536;
export const export_bytes_max = 2_097_152;
/** A receipt as `settle --json` prints it. */
export const receipt_file_bytes_max = 65_536;
export const checkpoint_file_bytes_max = 65_536;

// Journal
export const entry_body_bytes_max = 1_048_576;
export const inline_value_bytes_max = 65_536;
export const blob_salt_bytes = 16;
export const append_busy_ms_max = 5_000;
export const batch_commands_max = 100;
export const batch_work_ms_max = 5;
/** Half is for ends of work that the program records on a full disk (about 60 KiB, beside `journal_open_bytes`), half for a pause. */
export const ballast_bytes = 262_144;
/** Every command checks the whole journal up to this number of entries, if the file is within `checked_pages_bytes_max`. */
export const checked_entries_max = 10_000;
/**
 * Size of the used pages of a file with `checked_entries_max` entries and 16 MiB of bodies. Measured with a mission for each entry: 24.6 MiB, and
 * 26.7 MiB with a checkpoint for each entry.
 */
export const checked_pages_bytes_max = 29_360_128;
/** Confirmed tiles of 8 KiB that a command keeps in memory while it checks single entries. */
export const confirmed_tiles_max = 256;
/** A larger home is verified in full at least this often. */
export const full_verification_ms_max = 604_800_000;
/** How far the clock may be behind the time of a full verification that was recorded on the same machine. */
export const clock_behind_ms_max = 300_000;
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
export const restore_reason_chars_max = 2_000;

// The published log and its witnesses
/** The largest file of a published log: a checkpoint with many cosignatures. */
export const published_file_bytes_max = 65_536;
export const proof_file_bytes_max = 65_536;
/** Time for one exchange with a witness, from looking up its address to the last byte of its response. */
export const witness_ms_max = 10_000;
/** How far a witness's clock may be ahead of this one: readers judge cosignatures by their time (C2SP tlog-cosignature). */
export const witness_clock_ahead_ms_max = 86_400_000;
export const witness_answer_bytes_max = 65_536;
export const witness_url_chars_max = 2_048;

// Missions
/** The deepest nesting of a request: an entry and an export nest it a few levels deeper. */
export const request_depth_max = 60;
export const result_bytes_max = 460_800;
export const work_budget_ms = 600_000;
export const lease_ms = 660_000;
/** Time for an engine to stop on request; then its thread is terminated. */
export const engine_stop_ms_max = 3_000;
/** Time for a thread to load its program on a busy machine, before it can report progress. */
export const thread_start_ms_max = 10_000;
/** Time for an engine's verifier, which cannot report progress: ten times what the largest result takes. */
export const verification_ms_max = 60_000;
/** How long `verify-export` computes a result again by itself. */
export const recompute_ms_max = 60_000;
/** Tries to record an outcome. Each waits `append_busy_ms_max` for the write lock: together they take as long as the lease. */
export const outcome_busy_tries_max = 120;
export const review_note_chars_max = 2_000;
export const goal_chars_min = 3;
export const goal_chars_max = 2_000;
export const seed_max = 4_294_967_295;
export const population_min = 4;
export const population_max = 500;
export const generations_max = 1_000;

// Research
export const sources_max = 200;
export const source_title_chars_max = 300;
export const source_text_chars_max = 200_000;
export const url_chars_max = 2_048;

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
export const transfer_docket_bytes_max = 3_000_000;
export const transfer_note_bytes_max = 65_536;
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
export const ascension_jobs_bytes_max = 250_000;
export const ascension_jobs_max = 128;
export const ascension_text_bytes_max = 512;
export const ascension_bounty_units_min = 100n;
/** 2^96 − 1, the largest bounty that the contract can store. */
export const ascension_bounty_units_max = 79_228_162_514_264_337_593_543_950_335n;
export const ascension_duration_s_max = 7_776_000;
export const ascension_price_weight_max = 10_000;
/** Number of siblings in the proof of a leaf among 128. */
export const ascension_proof_hashes_max = 7;
/** Enough for the job file, and a leaf and seven siblings for each of 128 jobs. */
export const ascension_plan_bytes_max = 400_000;
/** Enough for a plan, an export and their signature. */
export const ascension_delivery_bytes_max = 2_500_000;
/** Number of missions that a refusal lists. */
export const ascension_missions_shown_max = 10;

// Results of the reference agent
export const reference_findings_max = 20;
/** In code points. */
export const reference_claim_chars_max = 3_000;

// Tools
export const tool_manifest_bytes_max = 65_536;
export const tool_manifest_depth_max = 20;
/** Length of an imported tool's id, which is part of its stream's name. */
export const tool_id_chars_max = 128;
export const tool_note_chars_max = 2_000;

export const wallet_challenge_ms = 600_000;
/** Earlier challenges among which the one is looked for that a signature belongs to. */
export const wallet_challenges_searched_max = 100;

// Access tokens
export const token_name_chars_max = 64;
/** Number of active tokens: every request is compared with each. */
export const named_tokens_max = 100;

// Listing
export const page_items_default = 50;
export const page_items_max = 500;
/** Entries of a mission on one page, with a proof for each. */
export const mission_entries_max = 100;
/** UTF-16 code units of their bodies, unless the first one has more. */
export const mission_entries_chars_max = 4_194_304;
export const search_chars_max = 200;
/** Missions that one page of a search covers. */
export const search_missions_max = 10_000;

// Tables compared with their signed entries
/** Rows of a table that a connection remembers as compared. */
export const rows_known_max = 1_024;
/** Entries of a journal whose streams a command visits to find rows that are missing or too many. */
export const all_rows_entries_max = 10_000;

// Threads
/** Free threads of each kind that a daemon keeps. */
export const kept_threads_max = 2;
/** A free thread with a larger heap after its last task is ended, in MiB. */
export const kept_thread_heap_mb_max = 64;
/** A thread that was started ahead of its first task prepares for it after this time, when the start of the daemon is over. */
export const prepare_after_ms = 10_000;

// Archives
export const archive_name_bytes_max = 255;
export const archive_chunk_bytes = 65_536;
/** Members up to this size are held in memory while they are written, so that their header contains CRC and size. */
export const archive_buffered_bytes_max = 1_048_576;

// The daemon
/** Time for missions and runs to end and be recorded when the daemon stops: more than twice `engine_stop_ms_max`; the stop takes at most 8 s in all. */
export const daemon_stop_ms_max = 7_000;
/** Newest entries that the feed keeps in memory; earlier ones are read again. */
export const feed_recent_max = 1_000;
export const feed_page_entries_max = 200;
/** Time to work on a page of the feed before the event loop continues. */
export const feed_work_ms_max = 4;
/** Time from the end of a verification of the whole journal to the next one. */
export const verification_pause_ms = 3_600_000;
/** Time to the next verification after one that reached no conclusion, as without file descriptors: doubled each time, up to the maximum. */
export const verification_retry_ms_min = 5_000;
export const verification_retry_ms_max = 300_000;

// The console
/** The console's files are held in memory. */
export const console_file_bytes_max = 4_194_304;
export const console_files_max = 200;

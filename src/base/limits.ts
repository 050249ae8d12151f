/** Every limit of the program, named once. Units stand last in the name; text lengths are UTF-16 code units. */

// Documents and JSON
export const json_depth_max = 64;
export const mission_file_bytes_max = 524_288;
export const config_file_bytes_max = 65_536;
export const export_bytes_max = 2_097_152;
export const checkpoint_file_bytes_max = 65_536;

// Journal
export const entry_body_bytes_max = 1_048_576;
export const inline_value_bytes_max = 65_536;
export const blob_salt_bytes = 16;
export const append_busy_ms_max = 5_000;
export const batch_commands_max = 100;
export const batch_work_ms_max = 5;
export const ballast_bytes = 131_072;
/** SQLite's shared memory file, which every opened journal needs beside it. */
export const journal_open_bytes = 32_768;

// Missions
/** Of a request: an entry and an export nest it a few levels deeper. */
export const request_depth_max = 60;
export const result_bytes_max = 460_800;
export const work_budget_ms = 600_000;
export const lease_ms = 660_000;
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
export const season_max = 1_000;
export const seasons_max = 4;
export const levels_max = 10;

// Code
export const code_examples_max = 10;
export const code_heldout_max = 100;
export const code_args_max = 20;
export const candidate_chars_max = 100_000;

// Listing
export const page_items_default = 50;
export const page_items_max = 500;

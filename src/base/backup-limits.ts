/** Limits that decide where a part of a series of backups ends. */
import * as limits from './limits.js';
import { simulation_outcome_bytes_max } from './simulation-limits.js';

/** The most bytes of bodies, blobs and checkpoints that are copied between two checks of a part's size, plus one entry. */
export const snapshot_step_bytes_max = 1_048_576;
/** The most entries that are copied between two checks. */
export const snapshot_step_entries_max = 256;

const page_bytes = 4_096;
const tables = 3;
/** SQLite leaves at most a page unused for each row. */
const unused_bytes_max = (snapshot_step_entries_max + 1) * tables * page_bytes;
/** The largest blob is a simulation's outcome; an entry of schema 1 has none. */
const entry_bytes_max =
  Math.max(limits.entry_body_bytes_max + simulation_outcome_bytes_max, limits.foreign_body_bytes_max) +
  limits.checkpoint_file_bytes_max;
/** The other members of an archive: the configuration, the key, the token and the manifest. */
const files_bytes_max = limits.config_file_bytes_max + 2 * limits.token_file_bytes_max + limits.archive_manifest_bytes_max;
/** A part of a series is closed when its snapshot comes this close to the limit: more than a step, an entry with its blob and the other members add. */
export const archive_part_margin_bytes = snapshot_step_bytes_max + entry_bytes_max + unused_bytes_max + files_bytes_max;

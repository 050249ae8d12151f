/** config.json is signed: its SHA-256 stands in the newest configuration entry, and its text is that entry's blob. */
import * as fs from 'node:fs';
import { sha256Hex } from '../base/hash.js';
import { parseJsonBytes } from '../base/json-parse.js';
import type { Refusal } from '../base/refusal.js';
import { RefusalError, unwrap } from '../base/result.js';
import { configCodec, type Config } from '../codec/config.js';
import { decode } from '../codec/kit.js';
import type { HomePaths } from '../home/paths.js';
import { readControl } from '../projection/control.js';
import { pause, type Db } from '../store/database.js';

const restoreHint = 'agent-cli configure --restore-signed';

/** Why config.json is not the configuration in force, or null. */
export function configFault(db: Db, paths: HomePaths): Refusal | null {
  const expected = readControl(db).config_hash;
  if (expected === null) return { code: 'integrity', detail: 'the journal signs no configuration' };
  if (!fs.existsSync(paths.config)) return { code: 'integrity', detail: 'config.json is missing', hint: restoreHint };
  const actual = sha256Hex(fs.readFileSync(paths.config));
  if (actual === expected) return null;
  const detail =
    'config.json is not the configuration that the journal signs: it was edited by hand, or its replacement was interrupted';
  return { code: 'integrity', detail, facts: { expected, actual }, hint: restoreHint };
}

const replacement_ms = 50;
const replacement_looks = 4;

/** The fault that stays: `configure` of another process signs an entry a moment before it replaces the file. */
export function settledConfigFault(db: Db, paths: HomePaths, alone: boolean): Refusal | null {
  let fault = configFault(db, paths);
  const looks = alone ? 0 : replacement_looks;
  for (let look = 0; fault !== null && look < looks; look++) {
    pause(replacement_ms);
    fault = configFault(db, paths);
  }
  return fault;
}

export function readConfig(db: Db, paths: HomePaths): Config {
  const fault = configFault(db, paths);
  if (fault !== null) throw new RefusalError(fault);
  return unwrap(decode(configCodec, unwrap(parseJsonBytes(fs.readFileSync(paths.config)))));
}

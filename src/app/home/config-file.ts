/** config.json is signed: its SHA-256 stands in the newest configuration entry, and its text is that entry's blob. */
import * as fs from 'node:fs';
import { fromBase64 } from '../../base/bytes.js';
import { sha256Hex } from '../../base/hash.js';
import { parseJsonBytes } from '../../base/json-parse.js';
import type { Refusal } from '../../base/refusal.js';
import { RefusalError, unwrap } from '../../base/result.js';
import type { StoredEntry } from '../../codec/entry.js';
import { configCodec, type Config } from '../../codec/config.js';
import { decode } from '../../codec/kit.js';
import type { HomePaths } from '../../home/paths.js';
import { publicKeyOf, verifySignature } from '../../journal/keys.js';
import { entryOf } from '../../journal/reader.js';
import { pause, type Db } from '../../store/database.js';

const restoreHint = 'agent-cli configure --restore-signed';

/** Why config.json is not the configuration in force, or null. */
export function configFault(db: Db, paths: HomePaths): Refusal | null {
  const expected = signedConfiguration(db)?.config_hash;
  if (expected === undefined) return { code: 'integrity', detail: 'the journal signs no configuration' };
  if (!fs.existsSync(paths.config)) return { code: 'integrity', detail: 'config.json is missing', hint: restoreHint };
  const actual = sha256Hex(fs.readFileSync(paths.config));
  if (actual === expected) return null;
  const detail =
    'config.json is not the configuration that the journal signs: it was edited by hand, or its replacement was interrupted';
  return { code: 'integrity', detail, facts: { expected, actual }, hint: restoreHint };
}

const page_entries = 20;

export interface SignedConfiguration {
  readonly config_hash: string;
  /** Blob that holds the text; null in an entry of the reference agent. */
  readonly config_blob: string | null;
}

/** What the newest configuration entry says, read from the signed entry itself: the table beside it is anyone's to edit. */
export function signedConfiguration(db: Db): SignedConfiguration | null {
  const page = db.prepare<[number, number], StoredEntry>(
    "SELECT seq, mission, body, hash, signature FROM events WHERE mission = '@control' AND seq < ? ORDER BY seq DESC LIMIT ?",
  );
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = page.all(before, page_entries);
    for (const row of rows) {
      const { event, identity } = entryOf(row);
      if (event === null || !('config_hash' in event.document)) continue;
      const { config_hash } = event.document;
      const config_blob = 'config_blob' in event.document ? (event.document.config_blob ?? null) : null;
      return isSigned(row, identity) ? { config_hash, config_blob } : null;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < page_entries) return null;
    before = last.seq;
  }
}

/** `identity` is the one of the whole journal: the newest entry was checked against the key when the home was opened. */
function isSigned(row: StoredEntry, identity: string): boolean {
  const [key, signature] = [publicKeyOf(identity), fromBase64(row.signature)];
  if (key === null || signature === null || sha256Hex(row.body) !== row.hash) return false;
  return verifySignature(key, Buffer.from(row.hash, 'hex'), signature);
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

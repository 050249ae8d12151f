/** The signed config.json: the newest configuration entry records its SHA-256 and stores its text as a blob. */
import * as fs from 'node:fs';
import * as os from 'node:os';
import { errorCode, ok, type Refusal, RefusalError, refuse, type Result, unwrap } from '../../base/refusal.js';
import { sha256Hex } from '../../base/bytes.js';
import { type ApprovalPolicy, no_policy } from '../../codec/approvals.js';
import { type Config, configCodec } from '../../codec/config.js';
import { decodeJson } from '../../codec/decode-json.js';
import { controlName } from '../../domain/control.js';
import type { HomePaths } from '../../home/paths.js';
import { readRegularFile } from '../../home/regular-file.js';
import type { ProviderSettings } from '../../provider/complete.js';
import { readBlob } from '../../journal/reader.js';
import { ProviderKey } from '../../provider/key.js';
import { type Db, pause, prepared } from '../../store/database.js';
import { signedControl } from '../../tables/control.js';
import type { World } from './home.js';

export const restoreHint = 'agent-cli configure --restore-signed';

/** Returns why config.json is not the configuration in force, or null. */
export function configFault(db: Db, paths: HomePaths): Refusal | null {
  const read = settledBytes(db, paths);
  return 'bytes' in read ? null : read;
}

interface SignedBytes {
  readonly bytes: Buffer;
  readonly hash: string;
}

/** Returns the bytes of config.json if the journal signs them, or why they are not the configuration in force. */
function signedBytes(db: Db, paths: HomePaths): SignedBytes | Refusal {
  const expected = signedConfiguration(db)?.config_hash;
  if (expected === undefined) return { code: 'integrity', detail: 'the journal signs no configuration' };
  if (!fs.existsSync(paths.config)) return { code: 'integrity', detail: 'config.json is missing', hint: restoreHint };
  let bytes: Buffer;
  try {
    bytes = readRegularFile(paths.config);
  } catch (error) {
    if (error instanceof RefusalError) return { ...error.refusal, hint: restoreHint };
    throw error;
  }
  const actual = sha256Hex(bytes);
  if (actual === expected) return { bytes, hash: actual };
  const detail =
    'config.json is not the configuration that the journal signs: it was edited by hand, or its replacement was interrupted';
  return { code: 'integrity', detail, facts: { expected, actual }, hint: restoreHint };
}

/**
 * Returns the configuration that the signed entries of the control stream put in force; null when they name none. The key is that of
 * the entry's own `identity`, which is the identity of the whole journal: the newest entry was checked against the home's key.
 * An entry of the reference agent has no blob with the text.
 */
export function signedConfiguration(db: Db) {
  const control = signedControl(db);
  if (control === null || control.config_hash === null) return null;
  const { config_hash, config_blob } = control;
  return { config_hash, config_blob };
}

/** Returns the sequence of the newest entry that may put a configuration in force. */
export const configurationVersion = (db: Db): number | null =>
  prepared<[string], { version: number | null }>(db, versionSql).get(controlName)?.version ?? null;

const versionSql = 'SELECT max(seq) AS version FROM events WHERE mission = ?';

const replacement_ms = 50;
const replacement_looks = 4;

/** The fault that remained when it was waited for last: a file that was edited by hand delays nobody twice. */
let lasting = '';

/** Reads again after a fault: `configure` in another process signs an entry a moment before it replaces the file. */
function settledBytes(db: Db, paths: HomePaths): SignedBytes | Refusal {
  let read = signedBytes(db, paths);
  for (let look = 0; !('bytes' in read) && JSON.stringify(read) !== lasting && look < replacement_looks; look++) {
    pause(replacement_ms);
    read = signedBytes(db, paths);
  }
  lasting = 'bytes' in read ? '' : JSON.stringify(read);
  return read;
}

/** The configuration that was decoded last. Its hash is that of its bytes, so it is never out of date. */
let decoded: { readonly hash: string; readonly config: Config } | null = null;

export function readConfig(db: Db, paths: HomePaths): Config {
  const read = settledBytes(db, paths);
  if (!('bytes' in read)) throw new RefusalError(read);
  const { bytes, hash } = read;
  if (decoded?.hash !== hash) decoded = { hash, config: unwrap(decodeJson(configCodec, bytes)) };
  return decoded.config;
}

/** Returns the configuration in force; null while config.json is not the signed one or is unreadable. */
export function configOrNull(home: { readonly config: () => Config | null }): Config | null {
  try {
    return home.config();
  } catch (error) {
    if (error instanceof RefusalError || errorCode(error) !== '') return null;
    throw error;
  }
}

/** Returns how many missions or runs execute at once: as many as the configuration says, else one fewer than the machine has cores. */
export const placesOf = (config: Config | null, member: 'executing_max' | 'running_max'): number =>
  config?.[member] ?? Math.max(1, os.availableParallelism() - 1);

/**
 * Returns the configuration that the journal puts in force, whatever config.json says; null for one of the reference agent.
 * @throws RefusalError `integrity` when its text is missing
 */
export function signedConfig(db: Db): Config | null {
  const signed = signedConfiguration(db);
  if (signed !== null && decoded?.hash === signed.config_hash) return decoded.config;
  if (signed === null || signed.config_blob === null) return null;
  const bytes = readBlob(db, signed.config_blob);
  if (bytes === null) throw new RefusalError('integrity', 'the text of the signed configuration is missing');
  return unwrap(decodeJson(configCodec, bytes));
}

export const approvalPolicyOf = (db: Db): ApprovalPolicy => signedConfig(db)?.approvals ?? no_policy;

/** Returns the provider, or null for a configuration that names none; refuses a key that no request can carry. */
export function providerOf(config: Config, env: World['env']): Result<ProviderSettings | null> {
  const { llm_url, llm_model, llm_key_env, llm_response_format, llm_token_limit, llm_temperature, allow_remote_llm } = config;
  if (llm_url === '') return ok(null);
  const value = env[llm_key_env] ?? '';
  const key = ProviderKey.read(value);
  if (key === null && value !== '') return refuse(unusableKey(llm_key_env));
  const form = {
    ...(llm_token_limit === 'max_tokens' ? {} : { token_limit: llm_token_limit }),
    ...(llm_temperature ? {} : { temperature: null }),
  };
  return ok({ url: llm_url, model: llm_model, mode: llm_response_format, form, key, allowRemote: allow_remote_llm });
}

const unusableKey = (name: string): Refusal => ({
  code: 'provider_unconfigured',
  detail: `the value of ${name} cannot be the key of a provider: it may hold letters, digits and punctuation, and no space or line break`,
});

/** The commands that pause, resume and configure a home, and the effect of an accepted rollback. */
import * as fs from 'node:fs';
import { randomBytes } from 'node:crypto';
import { sha256Hex } from '../../base/bytes.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { parseJson } from '../../base/json.js';
import { config_file_bytes_max } from '../../base/limits.js';
import { invalid, isRefused, type Refusal, RefusalError, unwrap } from '../../base/refusal.js';
import { formatTime } from '../../base/time.js';
import type { Control } from '../../codec/api-status.js';
import { type Config, configCodec, configText } from '../../codec/config.js';
import { decodeJson } from '../../codec/decode-json.js';
import { decode } from '../../codec/kit.js';
import { lackOfApprovers } from '../../domain/approver.js';
import { type ControlCommand, controlName, controlStream, decideControl } from '../../domain/control.js';
import { keepBallast } from '../../home/ballast.js';
import { fileError, ofFile, type PreparedFile, prepareFile, readNamed, replaceFile } from '../../home/files.js';
import { readBlob } from '../../journal/reader.js';
import { recordEvents } from '../../journal/stream.js';
import type { Transaction } from '../../journal/writer.js';
import { recordedApprovers } from '../../tables/approvers.js';
import { readControl } from '../../tables/control.js';
import { invoiceTable } from '../../tables/invoices.js';
import { takeStates } from '../../tables/read.js';
import type { Db } from '../../store/database.js';
import { throwIf } from '../home/checks.js';
import { restoreHint, signedConfiguration } from '../home/config.js';
import type { Home } from '../home/home.js';
import { afterCommit, emptyLogAfter } from '../home/recording.js';

/** Decides on the control stream and records the events. */
function control(tx: Transaction, command: ControlCommand): void {
  recordEvents(tx, controlStream, controlName, decideControl(readControl(tx.db), command));
}

/** Pauses the agent. On a full disk this uses up the ballast, so that the agent can still be stopped. */
export async function pause(home: Home, actor: string): Promise<Control> {
  const record = (): Promise<void> => home.transact((tx) => control(tx, { type: 'pause', actor }));
  try {
    await record();
  } catch (error) {
    if (!(error instanceof RefusalError) || error.refusal.code !== 'storage_full' || !fs.existsSync(home.paths.ballast))
      throw error;
    fs.unlinkSync(home.paths.ballast);
    await record();
  }
  return { state: 'paused' };
}

export async function resume(home: Home, actor: string): Promise<Control> {
  // Refuses while config.json is not the signed one, also where nothing would be recorded.
  home.config();
  keepBallast(home.paths.ballast);
  await home.transact((tx) => control(tx, { type: 'resume', actor }));
  return { state: 'ready' };
}

export const isPaused = ({ db }: Home): boolean => readControl(db).state === 'paused';

export interface ConfigureReport {
  readonly changed: readonly string[];
  readonly config_hash: string;
  readonly state: 'ready' | 'paused';
  /** Present if there are any. */
  readonly warnings?: readonly string[];
}

/**
 * Replaces the whole configuration: first the entry that signs it, then the file. After a kill in between, the file is not the
 * signed one, so every command fails closed until `configure --restore-signed` writes the signed text.
 */
export async function configure(home: Home, file: string, actor: string): Promise<ConfigureReport> {
  const read = signedConfiguration(home.db)?.config_hash;
  const before = home.config();
  const bytes = readNamed(file, config_file_bytes_max);
  const config = ofFile(file, () => unwrap(decodeJson(configCodec, bytes, { byteOrderMark: 'ignore' })));
  return await bringIntoForce(home, { read, before, config }, (tx, configuration) => {
    control(tx, { type: 'configure', actor, ...configuration });
  });
}

/**
 * Changes members of the configuration. Pause, configuration and resume are one commit; a paused home stays paused.
 * @param pairs `name=value`, where the value is JSON, or else text
 * @param executing returns the missions that are executing, which another configuration would fail
 * @throws RefusalError `in_use` while there are any
 */
export async function setConfig(
  home: Home,
  pairs: readonly string[],
  actor: string,
  executing: (home: Home, db: Db, now: string) => readonly string[],
): Promise<ConfigureReport> {
  const read = signedConfiguration(home.db)?.config_hash;
  const before = home.config();
  const config = unwrap(decode(configCodec, { ...before, ...membersOf(pairs, before) }));
  const now = formatTime(home.world.clock());
  return await bringIntoForce(home, { read, before, config }, (tx, configuration) => {
    const ids = executing(home, tx.db, now);
    if (ids.length > 0) throw new RefusalError(inUse(ids));
    const { state } = readControl(tx.db);
    control(tx, { type: 'pause', actor });
    control(tx, { type: 'configure', actor, ...configuration });
    if (state === 'ready') control(tx, { type: 'resume', actor });
  });
}

const inUse = (executing: readonly string[]): Refusal => ({
  code: 'in_use',
  detail: `another configuration would fail the missions that are executing: ${executing.join(', ')}; --wait waits for their end`,
  facts: { executing },
});

function membersOf(pairs: readonly string[], before: Config): Readonly<Record<string, unknown>> {
  const isText = (name: string): boolean => typeof Object.entries(before).find(([known]) => known === name)?.[1] === 'string';
  const members = pairs.map((pair) => {
    const at = pair.indexOf('=');
    if (at < 1) throw new RefusalError(invalid('', `"${pair}" must be name=value`));
    const [name, text] = [pair.slice(0, at), pair.slice(at + 1)];
    const json = parseJson(text);
    // No text of a configuration begins like this: what was meant is JSON.
    if (isRefused(json) && /^\s*[[{]/.test(text)) throw new RefusalError(invalid(name, json.left.detail));
    // A name may be a number.
    return [name, isRefused(json) || (typeof json.right === 'number' && isText(name)) ? text : json.right] as const;
  });
  const names = members.map(([name]) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new RefusalError(invalid(twice, 'is given twice'));
  return Object.fromEntries(members);
}

interface Change {
  /** The hash of the configuration that was read. */
  readonly read: string | undefined;
  readonly before: Config;
  readonly config: Config;
}

type Configuration = Pick<Extract<ControlCommand, { type: 'configure' }>, 'config_hash' | 'config_blob' | 'changed'>;

/** Records a configuration by `decide`, and then replaces the file, which is prepared before: in between others find the old one. */
async function bringIntoForce(
  home: Home,
  { read, before, config }: Change,
  decide: (tx: Transaction, configuration: Configuration) => void,
): Promise<ConfigureReport> {
  const text = configText(config);
  const changed = changedKeys(before, config);
  // The policy in force stays, although approvers were removed: doctor warns of that.
  if (changed.includes('approvals')) throwIf(lackOfApprovers(recordedApprovers(home.db), config.approvals));
  const config_hash = sha256Hex(text);
  const prepared = prepareConfig(home, Buffer.from(text));
  const recorded = home.transact((tx) => {
    // `changed` is relative to the configuration that was read. Another one may have come into force since.
    if (signedConfiguration(tx.db)?.config_hash !== read) throw new RefusalError(overtaken);
    decide(tx, { config_hash, config_blob: tx.putBlob(Buffer.from(text)), changed });
    return readControl(tx.db).state ?? 'paused';
  });
  const state = await recorded.catch((error: unknown) => {
    prepared.discard();
    throw error;
  });
  const done = { recorded: 'the new configuration is recorded', remains: restoreHint };
  afterCommit(done, 'config.json could not be replaced', () => placeSignedConfig(home, Buffer.from(text), prepared));
  const warnings = [...strandedInvoices(home.db, config), ...emptyLogAfter(done, home.db, earlierText)];
  return { changed, config_hash, state, ...warned(warnings) };
}

/** Returns a warning about open invoices of another chain: they are settled under that one alone, and the home does not keep it. */
function strandedInvoices(db: Db, { chain }: Config): string[] {
  const own = sha256Hex(canonicalJson(chain));
  const { length } = takeStates(db, invoiceTable, { codes: ['awaiting_payment'] }).filter(
    (invoice) => invoice.chain_config_hash !== own,
  );
  const what = 'open invoices that can be settled only under an earlier "chain", which this home no longer has';
  return length === 0 ? [] : [`${what}: ${length}`];
}

const earlierText = 'the text of the configuration before';
const warned = (warnings: readonly string[]): { readonly warnings?: readonly string[] } =>
  warnings.length === 0 ? {} : { warnings };

const overtaken: Refusal = {
  code: 'conflict',
  detail: 'another configuration came into force while this one was read',
  hint: 'agent-cli config show',
};

const replacements_max = 10;

function prepareConfig({ paths, unwritable }: Home, text: Buffer): PreparedFile {
  throwIf(unwritable);
  try {
    return prepareFile(paths.config, text);
  } catch (error) {
    throw fileError(error, 'config.json');
  }
}

/** Replaces the file, and again when another process signed a later configuration meanwhile: the last signed one must win. */
function placeSignedConfig(home: Home, text: Buffer, prepared: PreparedFile): void {
  let placed = text;
  prepared.place();
  for (let i = 1; i < replacements_max; i++) {
    const signed = signedConfig(home);
    if (signed === null || signed.equals(placed)) return;
    placed = signed;
    replaceFile(home.paths.config, signed);
  }
}

/** Returns the text of the configuration in force, or null when the journal does not hold it. */
function signedConfig(home: Home): Buffer | null {
  const signed = signedConfiguration(home.db);
  const text = signed === null || signed.config_blob === null ? null : readBlob(home.db, signed.config_blob);
  return text !== null && sha256Hex(text) === signed?.config_hash ? text : null;
}

function changedKeys(before: Config, after: Config): string[] {
  const keys = Object.keys(after) as (keyof Config)[];
  return keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key])).toSorted();
}

type RestoredConfig = Pick<ConfigureReport, 'config_hash' | 'warnings'>;

/**
 * Writes the signed configuration back over an edited or half-replaced file, and does what is left to do of a `configure` that failed after
 * its commit.
 */
export function restoreSignedConfig(home: Home): RestoredConfig {
  throwIf(home.unwritable);
  const text = signedConfig(home);
  if (text === null) {
    throw new RefusalError('integrity', 'the journal does not hold the text of the configuration in force');
  }
  const prepared = prepareConfig(home, text);
  try {
    placeSignedConfig(home, text, prepared);
  } catch (error) {
    throw fileError(error, 'config.json');
  }
  const done = { recorded: 'config.json is again the signed configuration', remains: restoreHint };
  return { config_hash: sha256Hex(text), ...warned(emptyLogAfter(done, home.db, earlierText)) };
}

export interface RecoverHomeReport {
  readonly state: 'paused';
  readonly from_size: number;
  readonly to_size: number;
  readonly origin: string;
}

/**
 * Accepts that the newest entries are lost and pauses the home. An event names the lost entries and begins a new incarnation, and
 * so a new origin, because two inconsistent checkpoints under one origin are forbidden.
 */
export async function acceptRollback(home: Home, actor: string, reason: string): Promise<RecoverHomeReport> {
  const { witness } = home.faults;
  if (witness === null || home.witness.status !== 'read') {
    throw new RefusalError(
      home.faults.config ?? {
        code: 'wrong_state',
        detail: 'no witness contradicts this journal; there is no rollback to accept',
      },
    );
  }
  const note = home.witness.note;
  const to_size = home.writer.head.size;
  const from_size = Number(witness.facts?.['checkpoint_size'] ?? to_size);
  const incarnation = randomBytes(16).toString('hex');
  await home.transact((tx) => {
    tx.beginIncarnation(incarnation);
    control(tx, { type: 'accept_rollback', actor, reason, lost: { from_size, to_size, witness: note }, incarnation });
  });
  return { state: 'paused', from_size, to_size, origin: home.writer.origin };
}

export const configOf = (home: Home): Config => home.config();

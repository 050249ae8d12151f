/** The files of a home: whether they are there, private and this program's, and what killed processes left among them. */
import * as fs from 'node:fs';
import type * as t from 'io-ts';
import { errorCode, messageOf, type Refusal, RefusalError, unreadableRefusal, unwrap } from '../../base/refusal.js';
import { quoted } from '../../base/text.js';
import { formatTime } from '../../base/time.js';
import { decodeJson } from '../../codec/decode-json.js';
import { flag, integer, object, optional, required, text } from '../../codec/kit.js';
import { lendBallast, returnBallast } from '../../home/ballast.js';
import { removeTemporaries, replaceFile } from '../../home/files.js';
import { homePaths, type HomePaths } from '../../home/paths.js';
import { isForeign, permissionFault } from '../../home/permission-fault.js';
import { readRegularFile, refuseIrregular } from '../../home/regular-file.js';
import { unwritableReason } from '../../home/unwritable.js';
import { seed_bytes } from '../../journal/keys.js';
import { integrityFailure, readHead } from '../../journal/reader.js';
import { type Db, openDatabase, type OpenOptions as DatabaseOptions, refuseNetworkFileSystem } from '../../store/database.js';
import { openSqliteFile } from '../../store/sqlite-file.js';
import { tolerable } from './checks.js';
import type { OpenOptions, World } from './home.js';
import { removeAbandoned, withCopy } from './staging.js';

export interface CheckedFiles {
  readonly paths: HomePaths;
  /** The fault of the permissions. It is tolerated where nobody could repair it, because the home cannot be written. */
  readonly permissions: Refusal | null;
  /** Why the home cannot be written, or null. */
  readonly unwritable: Refusal | null;
}

/** Checks the files before any is opened. @throws RefusalError for a fault that the command does not tolerate */
export function checkFiles({ directory }: World, { tolerate = [] }: Pick<OpenOptions, 'tolerate'>): CheckedFiles {
  const paths = homePaths(directory);
  refuseReferenceHome(paths);
  checkPresence(paths, tolerate);
  refuseIrregular(paths.journal);
  refuseIrregularLock(paths.lock);
  const unwritable = unwritableReason(paths);
  const isTolerated = unwritable !== null || tolerate.includes('permissions');
  if (isTolerated) refuseUnreadable(paths);
  const permissions = tolerable(isTolerated, () => checkPermissions(paths));
  refuseNetworkFileSystem(paths.directory);
  return { paths, permissions, unwritable };
}

/** Refuses a directory in place of the lock, of which SQLite says only that something failed. A missing lock is made again. */
function refuseIrregularLock(lock: string): void {
  if (fs.existsSync(lock)) refuseIrregular(lock, `mv ${lock} ${lock}.old`);
}

/** @throws RefusalError `integrity` when a home was moved or removed while this process has it open */
export function requireHome({ journal }: Pick<HomePaths, 'journal'>): void {
  if (fs.existsSync(journal)) return;
  const detail = 'the home is gone: it was moved or removed while the daemon serves it';
  throw new RefusalError('integrity', detail, { hint: 'put it back, or stop the daemon' });
}

/** Checks that the files exist, except those that the command tolerates and a missing process lock, which is recreated. */
function checkPresence(paths: HomePaths, tolerated: readonly string[]): void {
  const { directory, identityKey, apiToken, journal, lock, config } = paths;
  const needed = [identityKey, apiToken, journal, lock, ...(tolerated.includes('config') ? [] : [config])];
  const missing = needed.filter((file) => !isThere(file));
  // checkPermissions reports a missing token among the tolerated faults.
  const lost = missing.filter((file) => file !== lock && !(file === apiToken && tolerated.includes('permissions')));
  const isUnfinished = (): boolean => !fs.existsSync(config) && unwritableReason(paths) === null && isInterruptedInit(paths);
  if (lost.length === 0 && !isUnfinished()) return;
  if (missing.length === needed.length) {
    refuseUnreachable(directory);
    const exists = fs.existsSync(directory);
    const detail = exists ? `${directory} is not a home` : `there is no home at ${directory}`;
    throw new RefusalError('not_found', detail, { hint: exists ? 'agent-cli init --help' : 'agent-cli init' });
  }
  if (isUnfinished()) {
    throw new RefusalError('not_found', `the home at ${directory} was not completed`, { hint: 'agent-cli init' });
  }
  const names = lost.map((file) => file.slice(directory.length + 1)).join(', ');
  const [first] = lost.length === 1 ? lost : [];
  const hint = first === config ? 'agent-cli configure --restore-signed' : first === apiToken ? 'agent-cli doctor' : fromBackup;
  throw new RefusalError('integrity', `missing from ${directory}: ${names}`, { hint });
}

/** @throws RefusalError `integrity` where the disk fails: the file may be there */
function isThere(file: string): boolean {
  try {
    fs.accessSync(file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EIO') throw new RefusalError(unreadableRefusal(error, file));
    return false;
  }
}

const fromBackup = 'put back what is missing, or restore a backup into a new directory: agent-cli restore --help';

/** @throws RefusalError `forbidden` for a file of another user that this one may not read */
function refuseUnreadable({ directory, identityKey, journal, lock, config }: HomePaths): void {
  for (const file of [identityKey, journal, lock, config]) {
    try {
      fs.accessSync(file, fs.constants.R_OK);
    } catch (error) {
      if (errorCode(error) !== 'EACCES') continue;
      throw new RefusalError('forbidden', `no permission to read ${file}`, repairOf(file, directory));
    }
  }
}

/** @throws RefusalError `forbidden` for a directory that this user may not enter, so that nothing of it is known */
function refuseUnreachable(directory: string): void {
  try {
    if (fs.statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true) fs.accessSync(directory, fs.constants.X_OK);
  } catch (error) {
    if (errorCode(error) !== 'EACCES' && errorCode(error) !== 'EPERM') return;
    throw new RefusalError('forbidden', `no permission to enter ${directory}`);
  }
}

export function checkPermissions(paths: HomePaths): void {
  for (const file of [
    paths.directory,
    paths.identityKey,
    paths.apiToken,
    paths.config,
    paths.journal,
    paths.lock,
    paths.running,
  ]) {
    const fault = fs.existsSync(file) ? permissionFault(file) : null;
    if (fault === null) continue;
    throw new RefusalError('integrity', `${file} ${fault}`, repairOf(file, paths.directory));
  }
  if (fs.existsSync(paths.apiToken)) return;
  throw new RefusalError('integrity', `missing from ${paths.directory}: api.token`, {
    hint: `(umask 077; head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=\\n' > ${quoted(paths.apiToken)})`,
  });
}

/** Returns the command after which a file or the home itself is accepted, where one command alone does it. */
function repairOf(file: string, home: string): { readonly hint?: string } {
  const stat = fs.lstatSync(file);
  if (stat.isSymbolicLink()) return file === home ? { hint: `agent-cli doctor --home ${quoted(fs.realpathSync(file))}` } : {};
  if (!isForeign(stat)) return { hint: `chmod ${stat.isDirectory() ? '700' : '600'} ${quoted(file)}` };
  // A command that root ran in the home of this user left files of root.
  return isForeign(fs.lstatSync(home)) ? {} : { hint: `sudo chown -R "$(id -u):$(id -g)" ${quoted(home)}` };
}

/** Opens the journal. SQLite needs room for a shared memory file even to read, which the ballast lends. */
export const openJournal = (paths: HomePaths, options: DatabaseOptions = {}): Db =>
  onLentBallast(paths, () => openDatabase(paths.journal, options));

/**
 * Runs what opens a home, which needs little room on the disk. On a full disk the ballast lends it until the home is closed.
 * @param open run again where the disk is full
 */
export function onLentBallast<A>({ ballast }: HomePaths, open: () => A): A {
  try {
    return open();
  } catch (error) {
    const isFull = error instanceof RefusalError && error.refusal.code === 'storage_full';
    if (!isFull || !lendBallast(ballast)) throw error;
  }
  try {
    return open();
  } catch (error) {
    returnBallast(ballast);
    throw error;
  }
}

export function readSeed(paths: HomePaths): Buffer {
  const seed = readRegularFile(paths.identityKey);
  if (seed.length !== seed_bytes) throw integrityFailure(`identity.key has ${seed.length} bytes instead of ${seed_bytes}`);
  return seed;
}

/** Whether init was killed and can continue: there is no configuration and at most the first entry. */
function isInterruptedInit(paths: HomePaths): boolean {
  // SQLite keeps a rollback journal beside the database only until WAL is switched on, which is before the first entry.
  if (!fs.existsSync(paths.journal) || fs.existsSync(`${paths.journal}-journal`)) return true;
  const db = openDatabase(paths.journal, { readonly: true });
  try {
    return !hasEntries(db) || readHead(db).size <= 1;
  } finally {
    db.close();
  }
}

const hasEntries = (db: Db): boolean => db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'events'").get() !== undefined;

/** Returns whether the journal's log holds anything. When no process has the home open, the last one was killed. */
export const hasLog = ({ journal }: Pick<HomePaths, 'journal'>): boolean =>
  (fs.statSync(`${journal}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;

/**
 * Removes what killed processes left in the home, and returns whether the last one was killed while it had the journal open. Call it while
 * no other process can have the home open: a live one may be about to rename its temporary file.
 */
export function clearAfterKill(paths: HomePaths): boolean {
  removeTemporaries(paths.directory, ['config.json', 'api.token', 'daemon.json', 'identity.key', 'ballast']);
  removeAbandoned(paths.backup);
  return hasLog(paths);
}

/** @throws RefusalError `integrity` for a file that SQLite finds damaged */
export function quickCheck(db: Db): void {
  const result = db.pragma('quick_check', { simple: true });
  if (result !== 'ok') throw integrityFailure(`the journal is damaged after an unclean stop: ${String(result)}`);
}

/**
 * Returns the result of `use` for a copy of the reference agent's journal; null when the home is this program's, or there is
 * none.
 */
export function withReferenceJournal<A>(paths: HomePaths, use: (copy: string) => A): A | null {
  if (!mayBeReference(paths)) return null;
  refuseLarge(paths);
  return withCopy(paths.journal, (copy) => (isReferenceJournal(copy) ? use(copy) : null));
}

/** @throws RefusalError `wrong_state` for a home of the reference agent */
function refuseReferenceHome(paths: HomePaths): void {
  withReferenceJournal(paths, () => {
    throw new RefusalError(referenceIsReadOnly(paths));
  });
}

export const referenceIsReadOnly = ({ directory }: HomePaths): Refusal => ({
  code: 'wrong_state',
  detail: `${directory} is a home of the reference agent, which agent-cli only reads (list, show, watch, report, export, verify). To continue with it, run backup with the reference agent there, then agent-cli restore here into a new directory`,
  hint: 'agent-cli restore --help',
});

/** Whether the files could be those of the reference agent. A home of this program has a lock and a ballast from the start. */
const mayBeReference = ({ identityKey, journal, lock, ballast }: HomePaths): boolean =>
  [identityKey, journal].every((file) => fs.existsSync(file)) && ![lock, ballast].some((file) => fs.existsSync(file));

/** A journal of the reference agent is copied, and its rows are kept in memory. */
const reference_journal_bytes_max = 1_073_741_824;

function refuseLarge({ journal }: HomePaths): void {
  if (fs.statSync(journal).size <= reference_journal_bytes_max || !isReferenceJournal(journal)) return;
  throw new RefusalError(
    'too_large',
    `${journal} has more than ${reference_journal_bytes_max} bytes: run backup with the reference agent there, then agent-cli restore here`,
    { hint: 'agent-cli restore --help' },
  );
}

/** The most bytes of the definition of a table. */
const definition_bytes_max = 1_048_576;

/** Whether the journal has a table of events without the migrations that this program's journal has from its first entry on. */
function isReferenceJournal(file: string): boolean {
  const journal = openSqliteFile(file, { payload_bytes_max: definition_bytes_max, withLogs: true });
  try {
    return journal.rows('events') !== null && journal.rows('migration') === null;
  } finally {
    journal.close();
  }
}

const daemonCodec = object('Daemon', {
  pid: required(integer(1, Number.MAX_SAFE_INTEGER)),
  started_at: required(text()),
  /** `host:port` of the message bus. */
  bus: optional(text()),
  /** The address of the console on this machine. */
  console: optional(text()),
  /** False where it has no image, and so runs no code mission. */
  runs_code: optional(flag),
});
type DaemonFile = t.TypeOf<typeof daemonCodec>;

/** Notes this process as the daemon of a home; returns why that failed, or null. */
export const noteDaemon = (file: string, { clock, env }: Pick<World, 'clock' | 'env'>): string | null =>
  writeDaemonFile(file, {
    pid: process.pid,
    started_at: formatTime(clock()),
    runs_code: (env['AGENT_SANDBOX_IMAGE'] ?? '') !== '',
  });

/** Writes the file; returns why that failed, or null. After a failure no file names a process. */
function writeDaemonFile(file: string, daemon: DaemonFile): string | null {
  try {
    replaceFile(file, Buffer.from(`${JSON.stringify(daemon)}\n`));
    return null;
  } catch (error) {
    removeDaemonFile(file);
    return messageOf(error);
  }
}

export function removeDaemonFile(file: string): void {
  try {
    fs.rmSync(file, { force: true });
  } catch {
    // Messages alone are the worse for it.
  }
}

/** Returns ` (pid 123, since …)`, or an empty text when the file has no usable content. */
export function describeDaemon(file: string): string {
  const daemon = readDaemonFile(file);
  return daemon === null ? '' : ` (pid ${daemon.pid}, since ${daemon.started_at})`;
}

/** Returns whether the daemon of a home runs code missions, or may. Beside a daemon that runs none, a command does so itself. */
export const daemonRunsCode = (file: string): boolean => readDaemonFile(file)?.runs_code !== false;

/** Returns null also for the file of a process that has ended: a kill leaves it, and another program may listen there now. */
function readDaemonFile(file: string): DaemonFile | null {
  try {
    const daemon = unwrap(decodeJson(daemonCodec, readRegularFile(file)));
    process.kill(daemon.pid, 0);
    return daemon;
  } catch {
    return null;
  }
}

/** Notes where the daemon of this process serves the message bus or the console, if a file names it. */
export function noteAddress(file: string, address: Pick<DaemonFile, 'bus' | 'console'>): void {
  const daemon = readDaemonFile(file);
  if (daemon?.pid === process.pid) writeDaemonFile(file, { ...daemon, ...address });
}

/** Returns where the running daemon of a home serves the message bus, as `host:port`, or the address of its console; null for neither. */
export const addressOfDaemon = (file: string, what: 'bus' | 'console'): string | null => readDaemonFile(file)?.[what] ?? null;

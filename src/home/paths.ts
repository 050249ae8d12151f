/** The private home directory: its path and the paths of its files. */
import { existsSync, realpathSync } from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { sha256Hex } from '../base/bytes.js';
import { invalid, RefusalError } from '../base/refusal.js';

export type HomePaths = Readonly<ReturnType<typeof homePaths>>;

type Environment = Readonly<Record<string, string | undefined>>;

/** SQLite takes 512 bytes, with the names of the file and of the directory in which a restored home is made. */
const home_path_bytes_max = 460;

/** `--home`, else AGENT_HOME, else $XDG_DATA_HOME/agent-cli (~/.local/share/agent-cli). @throws RefusalError `invalid` */
export function homeDirectory(flag: string | undefined, env: Environment): string {
  const directory =
    named('--home', flag) ??
    named('AGENT_HOME', env['AGENT_HOME']) ??
    path.join(named('XDG_DATA_HOME', env['XDG_DATA_HOME']) ?? userDirectory('AGENT_HOME', '.local', 'share'), 'agent-cli');
  if (Buffer.byteLength(directory) <= home_path_bytes_max) return directory;
  throw new RefusalError('invalid', `${directory}: the path of a home may have at most ${home_path_bytes_max} bytes`);
}

/** Returns the path that a flag or a variable names; undefined when it is empty or not given. A shell replaces `~`, this program does not. */
function named(name: string, value: string | undefined): string | undefined {
  const given = value === '' ? undefined : value;
  // A script's variable that is not set must not lead to another home.
  if (value === '' && name === '--home') throw new RefusalError(invalid(name, 'is empty; name a directory'));
  if (name.startsWith('XDG_') && !path.isAbsolute(given ?? '/')) throw new RefusalError(invalid(name, 'must be absolute'));
  if (given?.startsWith('~') !== true) return given === undefined ? undefined : path.resolve(given);
  const advice = `write the whole path, or ./${given} for a directory of this name`;
  throw new RefusalError(invalid(name, `"${given}" begins with ~, which the shell did not replace: ${advice}`));
}

/** Returns a directory below the user's own, which HOME names. One that is relative would be another in each working directory. */
function userDirectory(instead: string, ...below: readonly string[]): string {
  const directory = systemsAnswer();
  if (path.isAbsolute(directory)) return path.join(directory, ...below);
  const what =
    directory === '' ? 'the home directory of this user is not known' : `HOME is "${directory}", which is no absolute path`;
  throw new RefusalError('invalid', `${what}: set HOME or ${instead}`);
}

function systemsAnswer(): string {
  try {
    return os.homedir();
  } catch {
    // HOME is not set, and the system's list of users lacks this one.
    return '';
  }
}

export const homePaths = (directory: string) => ({
  directory,
  identityKey: path.join(directory, 'identity.key'),
  apiToken: path.join(directory, 'api.token'),
  config: path.join(directory, 'config.json'),
  journal: path.join(directory, 'journal.sqlite3'),
  lock: path.join(directory, 'lock.sqlite3'),
  daemon: path.join(directory, 'daemon.json'),
  /** Holds a lock file for each attempt that is executing. */
  running: path.join(directory, 'running'),
  /** What an encrypted backup stages in clear is beside this path. */
  backup: path.join(directory, 'backup'),
  /** Reserved space, so that a pause can be recorded on a full disk. */
  ballast: path.join(directory, 'ballast'),
});

/** AGENT_WITNESS, else $XDG_STATE_HOME/agent-cli/witness (~/.local/state/agent-cli/witness): outside the home on purpose. @throws RefusalError `invalid` */
export const witnessDirectory = (env: Environment): string =>
  named('AGENT_WITNESS', env['AGENT_WITNESS']) ??
  path.join(
    named('XDG_STATE_HOME', env['XDG_STATE_HOME']) ?? userDirectory('AGENT_WITNESS', '.local', 'state'),
    'agent-cli',
    'witness',
  );

/** Returns whether a path is a directory or in it, also by a link. */
export function isWithin(place: string, directory: string): boolean {
  const [inner, outer] = [place, directory].map((each) => (existsSync(each) ? realpathSync(each) : each));
  return inner === outer || `${inner}`.startsWith(`${outer}${path.sep}`);
}

/** One witness file per origin. */
export const witnessFile = (directory: string, origin: string): string => path.join(directory, sha256Hex(origin));

/** The private home directory: its path and the paths of its files. */
import * as os from 'node:os';
import * as path from 'node:path';
import { sha256Hex } from '../base/hash.js';

export interface HomePaths {
  readonly directory: string;
  readonly identityKey: string;
  readonly apiToken: string;
  readonly config: string;
  readonly journal: string;
  readonly lock: string;
  readonly daemon: string;
  /** Holds a lock file for each attempt that is executing. */
  readonly running: string;
  /** What an encrypted backup stages in clear is beside this path. */
  readonly backup: string;
  /** Reserved space, so that a pause can be recorded on a full disk. */
  readonly ballast: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const nonEmpty = (value: string | undefined): string | undefined => (value === undefined || value === '' ? undefined : value);

/** `--home`, else AGENT_HOME, else $XDG_DATA_HOME/agent-cli (~/.local/share/agent-cli). */
export function homeDirectory(flag: string | undefined, env: Environment): string {
  const data = nonEmpty(env['XDG_DATA_HOME']) ?? path.join(os.homedir(), '.local', 'share');
  return path.resolve(nonEmpty(flag) ?? nonEmpty(env['AGENT_HOME']) ?? path.join(data, 'agent-cli'));
}

export const homePaths = (directory: string): HomePaths => ({
  directory,
  identityKey: path.join(directory, 'identity.key'),
  apiToken: path.join(directory, 'api.token'),
  config: path.join(directory, 'config.json'),
  journal: path.join(directory, 'journal.sqlite3'),
  lock: path.join(directory, 'lock.sqlite3'),
  daemon: path.join(directory, 'daemon.json'),
  running: path.join(directory, 'running'),
  backup: path.join(directory, 'backup'),
  ballast: path.join(directory, 'ballast'),
});

/** AGENT_WITNESS, else $XDG_STATE_HOME/agent-cli/witness (~/.local/state/agent-cli/witness): outside the home on purpose. */
export function witnessDirectory(env: Environment): string {
  const state = nonEmpty(env['XDG_STATE_HOME']) ?? path.join(os.homedir(), '.local', 'state');
  return path.resolve(nonEmpty(env['AGENT_WITNESS']) ?? path.join(state, 'agent-cli', 'witness'));
}

/** One witness file per origin. */
export const witnessFile = (directory: string, origin: string): string => path.join(directory, sha256Hex(origin));

/** The note of an origin's last full verification, beside its witness file. */
export const verifiedFile = (directory: string, origin: string): string => `${witnessFile(directory, origin)}.verified`;

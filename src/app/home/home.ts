/** A home that is open: what commands get of it, and how they ask for it; and the world around it. */
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import * as t from 'io-ts';
import { type Refusal, unwrap } from '../../base/refusal.js';
import type { Clock } from '../../base/time.js';
import type { Config } from '../../codec/config.js';
import { decode, mapOf } from '../../codec/kit.js';
import { homeDirectory, type HomePaths } from '../../home/paths.js';
import type { WitnessRead } from '../../home/witness-file.js';
import type { Signer } from '../../journal/keys.js';
import type { Command, JournalWriter } from '../../journal/writer.js';
import type { Db } from '../../store/database.js';
import { packageRoot } from '../../store/package-root.js';
import type { Damage } from '../../tables/damage.js';

/** Faults that a command may inspect or repair. */
export type Tolerable = 'config' | 'witness' | 'permissions' | (typeof damageFaults)[number];

/**
 * The faults that are damage of the journal: of its newest entry and what covers it, of the database's schema, of any entry, of the tables
 * that are made from the entries.
 */
export const damageFaults = ['head', 'schema', 'entries', 'tables'] as const;

export interface OpenOptions {
  readonly lock?: 'command' | 'daemon';
  /** Opens the home without bringing it up to date or writing anything: for `verify`. */
  readonly asIs?: boolean;
  /** Called while all entries are read because no snapshot of the state is stored. */
  readonly onVerify?: (verified: number, total: number) => void;
  /** Whether the command must not wait for that: what it reads is then checked entry by entry. */
  readonly isUrgent?: boolean;
  /** Faults that this command inspects or repairs. */
  readonly tolerate?: readonly Tolerable[];
}

/** What an upgrade changes in the journal. What is signed stays as it is. */
export interface UpgradeSteps {
  /** The names of the migrations that were applied. */
  readonly migrations: readonly string[];
  /** Whether the tables were rebuilt from the entries. */
  readonly isRebuilt: boolean;
}

/** A journal of an older version, and what brings it up to date. */
export interface Upgrade extends UpgradeSteps {
  /** The version that wrote the home before. */
  readonly from: string;
  /**
   * `pending`: this was done to a copy of the journal, and the next command that opens the home does it; `blocked`: that command is refused
   * until another process, which has the home open, ends.
   */
  readonly state: 'done' | 'pending' | 'blocked';
}

/**
 * Returns the rollback with which a home that cannot be written is read all the same: a snapshot is older than the live home by nature,
 * and one in which nothing is recorded cannot become a fork.
 */
export const toleratedRollback = ({ unwritable, faults }: Pick<Home, 'unwritable' | 'faults'>): Refusal | null =>
  unwritable !== null && faults.witness?.code === 'rollback' ? faults.witness : null;

/** Returns the faults with which a home that cannot be written is read all the same, for people. */
export function toleratedFaults(home: Pick<Home, 'unwritable' | 'faults'>): readonly string[] {
  const { permissions } = home.faults;
  const rollback = toleratedRollback(home);
  return home.unwritable === null
    ? []
    : [
        ...(permissions === null ? [] : [permissions.detail]),
        ...(rollback === null ? [] : [`this home is an old copy, or it was cut short: ${rollback.detail}`]),
      ];
}

export interface Home {
  /** Whether this is a home of the reference agent, opened for reading: `db` is a copy in memory and has no checkpoint. */
  readonly isReference: boolean;
  /** Data that a newer version of this program wrote, when the home is opened read-only for that reason; its version is null where the process lock has no newer one. */
  readonly newer: { readonly version: string | null } | null;
  /** The older version that wrote the tables, when the home is opened as it is. */
  readonly older: string | null;
  /** What was done to the home of an older version when it was opened, or to its copy that is inspected in its place. */
  readonly upgrade: Upgrade | null;
  /** Why nothing can be recorded, when the home is opened for reading because its files cannot be written. */
  readonly unwritable: Refusal | null;
  /** Returns whether what is read is a copy of the journal, which was written since, or another home is in the place of this one. */
  readonly isOutdated: () => boolean;
  readonly paths: HomePaths;
  readonly world: World;
  readonly signer: Signer;
  readonly db: Db;
  readonly writer: JournalWriter;
  /** Decides and records: immediately in a command; a daemon's home commits together what arrives together, and waits without blocking. */
  readonly transact: <A>(command: Command<A>) => Promise<A>;
  /** Returns why a mission of the queue could not start, or null; only in the daemon, which tries it. */
  readonly queueReason?: (id: string) => string | null;
  /** Returns the configuration in force. @throws RefusalError when the file is not the signed one */
  readonly config: () => Config;
  readonly faults: Readonly<Record<Tolerable, Refusal | null>>;
  /** The damage that the command tolerates, found at opening and since. */
  readonly damage: Damage;
  readonly witness: WitnessRead;
  readonly uncleanStop: boolean;
  /** Brings the witness file up to the newest checkpoint; returns why that failed, or null. */
  readonly updateWitness: () => WitnessFault | null;
  /** Moves the snapshot of the state up to newer entries, when there are enough of them and nobody writes; returns whether many follow it still. */
  readonly moveSnapshot: () => boolean;
  readonly close: () => void;
}

/** Why a witness file is not up to date: an error code of the file system, or how the file contradicts the journal. */
export type WitnessFault = string | Refusal;

/** What surrounds a command: environment variables, clock, home directory, and the program's own version. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Returns milliseconds of a clock that nobody sets; the process's own when absent. */
  readonly monotonic?: (() => number) | undefined;
  readonly directory: string;
}

export const worldOf = (home: string | undefined, env: World['env'], clock: Clock): World => ({
  env,
  clock,
  directory: homeDirectory(home, env),
});

/** Returns milliseconds of a clock that nobody sets. */
export const monotonic = (world: World): number => world.monotonic?.() ?? performance.now();

const manifest = unwrap(decode(mapOf(t.unknown), JSON.parse(readFileSync(path.join(packageRoot, 'package.json'), 'utf8'))));

export const programVersion: string = String(manifest['version']);

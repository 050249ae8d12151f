/**
 * Who works on a running mission. Each attempt has a lock file in the home's directory `running`, whose lock the executing process
 * holds from before the lease until after the outcome. An attempt whose lock nobody holds was interrupted, whatever its lease and the
 * clock say; one whose lock is held is live. Without a lock file, which a restored
 * backup lacks, the lease decides.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { errorCode } from '../../base/refusal.js';
import { fileError, restrictDirectory } from '../../home/files.js';
import type { HomePaths } from '../../home/paths.js';
import { formatTime } from '../../base/time.js';
import type { MissionRecord } from '../../codec/api-missions.js';
import type { Mission } from '../../codec/record.js';
import { isLate, isLive, type Owner } from '../../domain/mission-decide.js';
import type { Db } from '../../store/database.js';
import { ownerLockState, takeOwnerLock, type OwnerLock } from '../../store/owner-lock.js';
import { runningMissions } from '../../tables/missions.js';
import type { Home } from '../home/home.js';

export type Attempt = Pick<Mission, 'id' | 'attempt'>;
export type InHome = Pick<Home, 'paths'>;

export const lockFile = ({ running }: HomePaths, { id, attempt }: Attempt): string => path.join(running, `${id}.${attempt}.lock`);
const lockName = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([1-9][0-9]*)\.lock$/;

/** Takes an attempt's lock before its lease; null while another process does the same. @throws RefusalError `storage_full` */
export function takeAttempt({ paths }: InHome, attempt: Attempt): OwnerLock | null {
  makeRunning(paths.running);
  return takeOwnerLock(lockFile(paths, attempt));
}

function makeRunning(directory: string): void {
  try {
    fs.mkdirSync(directory, { mode: 0o700 });
    restrictDirectory(directory);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw fileError(error, directory);
  }
}

/** Returns whether a process works on the attempt; `unknown` without a lock file. */
export function ownerOf({ paths }: InHome, attempt: Attempt): Owner {
  const state = ownerLockState(lockFile(paths, attempt));
  return state === 'absent' ? 'unknown' : state === 'held' ? 'alive' : 'gone';
}

export const isLiveIn = (home: InHome, mission: Mission, now: string): boolean =>
  mission.state === 'running' && isLive(mission, now, ownerOf(home, mission));

/** Returns the ids of the missions that are executing, in whatever process. */
export const executingMissions = (home: InHome, db: Db, now: string): string[] =>
  runningMissions(db).flatMap((mission) => (isLiveIn(home, mission, now) ? [mission.id] : []));

/** Returns whether a process waits for a place to execute a queued mission, whose lock it holds meanwhile. */
export const isWaitedFor = (home: InHome, { state, id, attempt }: Mission): boolean =>
  state === 'queued' && ownerOf(home, { id, attempt }) === 'alive';

/** Returns what a running mission's state does not say, for people: its process has ended, or it outlives its lease. */
export function progressOf(
  { paths, world, isReference }: Pick<Home, 'paths' | 'world' | 'isReference'>,
  mission: Mission,
): Progress {
  // A home of the reference agent has no locks, and is read only.
  if (mission.state !== 'running' || isReference) return {};
  const now = formatTime(world.clock());
  if (!isLiveIn({ paths }, mission, now)) return { interrupted: true, next: `agent-cli recover ${mission.id}` };
  return isLate(mission, now) ? { late: true, next: `agent-cli cancel ${mission.id}` } : {};
}

export type Progress = Pick<MissionRecord, 'interrupted' | 'late' | 'next'>;

/** Returns the attempts that have a lock file. */
export function lockedAttempts({ running }: HomePaths): Attempt[] {
  if (!fs.existsSync(running)) return [];
  return fs.readdirSync(running).flatMap((name) => {
    const [, id, attempt] = lockName.exec(name) ?? [];
    return id === undefined ? [] : [{ id, attempt: Number(attempt) }];
  });
}

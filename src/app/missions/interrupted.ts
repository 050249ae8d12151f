/** Records the missions whose process has ended as interrupted. Nothing is retried by itself: `recover` queues them again. */
import { formatTime } from '../../base/time.js';
import type { Mission } from '../../codec/record.js';
import { decideInterrupted } from '../../domain/mission-decide.js';
import { readMission, runningMissions } from '../../tables/missions.js';
import type { Db } from '../../store/database.js';
import { removeFreeOwnerLock } from '../../store/owner-lock.js';
import type { Home } from '../home/home.js';
import { onBallast } from '../home/recording.js';
import { isLiveIn, lockedAttempts, lockFile, ownerOf, type InHome } from './ownership.js';
import { record } from './record.js';

/** Returns the running missions on which no process works. @param only the mission to look at; all when absent */
const interruptedMissions = (home: InHome, db: Db, now_ms: number, only?: string): Mission[] =>
  (only === undefined ? runningMissions(db) : [readMission(db, only)]).flatMap((mission) =>
    mission?.state !== 'running' || isLiveIn(home, mission, formatTime(now_ms)) ? [] : [mission],
  );

/**
 * Fails each running mission, or only one, on which no process works, with `interrupted`, also while paused, and returns them. Deletes the lock
 * files that ended attempts have left.
 * @throws RefusalError when that cannot be recorded now
 */
export async function failInterrupted(home: Home, only?: string): Promise<readonly Mission[]> {
  const found = interruptedMissions(home, home.db, home.world.clock(), only).length > 0;
  const failed = found
    ? await onBallast(home, () =>
        home.transact((tx) =>
          interruptedMissions(home, tx.db, tx.now, only).map((mission) => record(tx, mission.id, decideInterrupted(mission))),
        ),
      )
    : [];
  sweepLocks(home);
  return failed;
}

/** Deletes the lock files of attempts that have ended: a process was killed before it could. */
function sweepLocks({ paths, db }: Pick<Home, 'paths' | 'db'>): void {
  for (const attempt of lockedAttempts(paths)) {
    const mission = readMission(db, attempt.id);
    // A lock that is held may be that of a lease which is about to be recorded.
    if (mission?.state !== 'running' || mission.attempt !== attempt.attempt) removeFreeOwnerLock(lockFile(paths, attempt));
  }
}

/** Returns how many running missions have no lock file. */
export const leasedOnly = (home: Home): number =>
  runningMissions(home.db).filter((mission) => ownerOf(home, mission) === 'unknown').length;

export const interruptedWarning = (id: string): string =>
  `mission ${id} was interrupted: its process ended; queue it again with: agent-cli recover ${id}`;

/** Records a mission's decided events, and collects the facts that deciders need. */
import { formatTime } from '../../base/time.js';
import type { Result } from '../../base/result.js';
import type { Mission } from '../../codec/record.js';
import type { Circumstances } from '../../domain/mission-decide.js';
import { missionStream } from '../../domain/mission-evolve.js';
import type { MissionEvent } from '../../domain/mission.js';
import { recordEvents } from '../../journal/stream.js';
import type { Transaction } from '../../journal/writer.js';
import { readControl } from '../../rows/control.js';
import { requireMission } from './store.js';

export const circumstances = (tx: Transaction, actor: string): Circumstances => ({
  control: readControl(tx.db),
  now: formatTime(tx.now),
  actor,
});

/** Records a decision's events on a mission's stream and returns the mission in its new state. */
export function record(tx: Transaction, id: string, events: Result<readonly MissionEvent[]>): Mission {
  recordEvents(tx, missionStream, id, events);
  return requireMission(tx.db, id);
}

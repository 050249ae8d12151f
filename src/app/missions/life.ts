/** Finds the entry that the rules of missions would never have recorded: the home's own key, which signed it, does not vouch for that. */
import { type Refusal } from '../../base/refusal.js';
import type { StoredEntry } from '../../codec/entry.js';
import type { Mission, MissionState } from '../../codec/record.js';
import { type MissionEvent, missionStream } from '../../domain/mission.js';
import { placedOn } from '../../domain/stream.js';
import { damagedEntry, entryOf } from '../../journal/reader.js';
import type { Home } from '../home/home.js';

/** The states in which the deciders (src/domain/mission-decide.ts) record an event; `none` before a mission's first entry. */
const recordedIn: Readonly<Record<Exclude<MissionEvent['type'], 'reference.mission'>, readonly (MissionState | 'none')[]>> = {
  'mission.submitted': ['none'],
  'mission.execution_requested': ['queued'],
  'mission.leased': ['queued'],
  'mission.staged': ['running'],
  'mission.produced': ['running'],
  'mission.failed': ['running'],
  'mission.cancelled': ['queued', 'running'],
  'mission.recovered': ['running', 'failed'],
  'mission.approved': ['review'],
  'mission.completed': ['review'],
  'mission.rejected': ['review'],
  'mission.erased': ['completed', 'rejected', 'failed'],
};

/** Returns the first entry that breaks the life of its mission, or null. What the reference agent recorded follows its own rules, and is not judged. */
export function unruledEntry({ db }: Pick<Home, 'db'>): Refusal | null {
  const rows = db.prepare<[], StoredEntry>('SELECT seq, mission, body, hash, signature FROM events ORDER BY mission, seq');
  let [id, mission, first] = ['', null as Mission | null, null as { readonly sequence: number; readonly detail: string } | null];
  for (const row of rows.iterate()) {
    const placed = placedOn(missionStream, entryOf(row));
    if (placed === null || row.seq > (first?.sequence ?? row.seq)) continue;
    const { event } = placed;
    if (placed.id !== id) [id, mission] = [placed.id, null];
    const state = mission?.state ?? 'none';
    if (event.type !== 'reference.mission' && !recordedIn[event.type].includes(state))
      first = { sequence: row.seq, detail: `${event.type} of a mission that is ${state === 'none' ? 'not submitted' : state}` };
    mission = missionStream.evolve(mission, event, placed);
  }
  return first === null ? null : damagedEntry(first.sequence, `the rules never record ${first.detail}`).refusal;
}

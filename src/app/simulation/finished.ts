/** The whole track of a run that has finished, from the journal. */
import { baselineOf } from '../../engines/simulation/engine.js';
import type { Db } from '../../store/database.js';
import { requireRun } from './runs.js';
import { storedRun } from './store.js';
import { Track } from './track.js';

/**
 * What there is to tell of a run that has ended. Of one that succeeded everything; how far another one came is not recorded.
 * @throws RefusalError `invalid` or `not_found`
 */
export function finishedTrack(db: Db, id: string): Track {
  const run = requireRun(db, id);
  const track = new Track(id, 0);
  track.state = run.state;
  if (run.state !== 'succeeded') return track;
  const { request } = storedRun(db, run);
  track.affected = baselineOf(request).affected;
  track.generation = request.generations;
  track.progress = 1;
  return track;
}

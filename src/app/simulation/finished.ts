/** The whole progress of a run that has finished, from the journal. */
import { baselineOf } from '../../engines/simulation/engine.js';
import type { Db } from '../../store/database.js';
import { requireRun } from './runs.js';
import { storedRun } from './store.js';
import { RunProgress } from './run-progress.js';

/**
 * What there is to tell of a run that has ended. Of one that succeeded everything; how far another one came is not recorded.
 * @throws RefusalError `invalid` or `not_found`
 */
export function finishedProgress(db: Db, id: string): RunProgress {
  const run = requireRun(db, id);
  const progress = new RunProgress(id, 0);
  progress.state = run.state;
  if (run.state !== 'succeeded') return progress;
  const { request } = storedRun(db, run);
  progress.affected = baselineOf(request).affected;
  progress.generation = request.generations;
  progress.fraction = 1;
  return progress;
}

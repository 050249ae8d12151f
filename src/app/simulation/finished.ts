/** Rebuilds the whole progress of a finished run from the journal. */
import { baselineOf } from '../../engines/simulation/engine.js';
import type { Db } from '../../store/database.js';
import { requireRun } from './runs.js';
import { storedRun } from './store.js';
import { RunProgress } from './run-progress.js';

/**
 * Returns the progress of a run that has ended. It is complete for a run that succeeded; for any other run it is not recorded.
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

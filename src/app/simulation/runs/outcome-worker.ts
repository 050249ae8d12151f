/** The thread that reads large outcomes from the journal: it verifies their hashes and writes the results. */
import type { SimulationRun } from '../../../domain/simulation.js';
import { openDatabase } from '../../../store/database.js';
import { serveTasks } from '../../threads/watched-thread.js';
import { resultsJson, type ResultsJson } from './stored.js';

export interface OutcomeTask {
  /** The path of the journal. */
  readonly file: string;
  readonly run: SimulationRun;
  /** Whether the population is returned with genomes. */
  readonly genome: boolean;
}

serveTasks<OutcomeTask, ResultsJson>(({ file, run, genome }) => {
  // Closed again at once, so that no connection is left when the home is closed.
  const db = openDatabase(file, { readonly: true });
  try {
    return resultsJson(db, run, genome);
  } finally {
    db.close();
  }
});

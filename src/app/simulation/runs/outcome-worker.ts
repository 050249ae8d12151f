/** The thread that reads large outcomes from the journal: it verifies their hashes and writes the results. */
import { parentPort } from 'node:worker_threads';
import { type Refusal, RefusalError } from '../../../base/refusal.js';
import type { SimulationRun } from '../../../domain/simulation.js';
import { openDatabase } from '../../../store/database.js';
import { serveTasks } from '../../threads/watched-thread.js';
import { resultsBytes, type ResultsBytes } from './stored.js';

export interface OutcomeTask {
  /** The path of the journal. */
  readonly file: string;
  readonly run: SimulationRun;
  /** Whether the population is returned with genomes. */
  readonly genome: boolean;
}

export type OutcomeAnswer =
  | { readonly type: 'read'; readonly results: ResultsBytes }
  | { readonly type: 'refused'; readonly refusal: Refusal };

function answer({ file, run, genome }: OutcomeTask): OutcomeAnswer {
  // Closed again at once, so that no connection is left when the home is closed.
  const db = openDatabase(file, { readonly: true });
  try {
    return { type: 'read', results: resultsBytes(db, run, genome) };
  } catch (error) {
    if (error instanceof RefusalError) return { type: 'refused', refusal: error.refusal };
    throw error;
  } finally {
    db.close();
  }
}

serveTasks<OutcomeTask>((task) => {
  const said = answer(task);
  // The bytes are sent without a copy.
  parentPort?.postMessage(said, said.type === 'read' ? [said.results.bytes.buffer] : []);
  return () => undefined;
});

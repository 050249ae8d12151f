/** The thread that reads large outcomes from the journal: it verifies their hashes and writes the results. */
import { parentPort } from 'node:worker_threads';
import type { Refusal } from '../../../base/refusal.js';
import { RefusalError } from '../../../base/result.js';
import type { SimulationRun } from '../../../domain/simulation.js';
import { openDatabase } from '../../../store/database.js';
import { serveTasks } from '../../threads/watched-thread.js';
import { resultsText, type ResultsText } from './stored.js';

export interface OutcomeTask {
  /** The path of the journal. */
  readonly file: string;
  readonly run: SimulationRun;
  /** Whether the population is returned with genomes. */
  readonly genome: boolean;
}

/** The results as bytes, which are sent without a copy. */
export interface ResultsBytes extends Omit<ResultsText, 'text'> {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export type OutcomeAnswer =
  | { readonly type: 'read'; readonly results: ResultsBytes }
  | { readonly type: 'refused'; readonly refusal: Refusal };

function answer({ file, run, genome }: OutcomeTask): OutcomeAnswer {
  // Closed again at once, so that no connection is left when the home is closed.
  const db = openDatabase(file, { readonly: true });
  try {
    const { text, ...places } = resultsText(db, run, genome);
    return { type: 'read', results: { ...places, bytes: new TextEncoder().encode(text) } };
  } catch (error) {
    if (error instanceof RefusalError) return { type: 'refused', refusal: error.refusal };
    throw error;
  } finally {
    db.close();
  }
}

serveTasks<OutcomeTask>((task) => {
  const said = answer(task);
  parentPort?.postMessage(said, said.type === 'read' ? [said.results.bytes.buffer] : []);
  return () => undefined;
});

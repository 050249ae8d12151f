/** The thread that reads large outcomes from the journal: it verifies their hashes and splits them into their members. */
import { parentPort } from 'node:worker_threads';
import type { Refusal } from '../../../base/refusal.js';
import { RefusalError } from '../../../base/result.js';
import { integrityFailure } from '../../../journal/position.js';
import { openDatabase } from '../../../store/database.js';
import { serveTasks } from '../../threads/watched-thread.js';
import { bytesOf, type BytesParts, memoryOf, outcomeParts, withoutGenomes } from './outcome.js';
import { type OutcomeBlob, outcomeBytes } from './stored.js';

export interface OutcomeTask extends OutcomeBlob {
  /** The path of the journal. */
  readonly file: string;
  /** Whether the population is returned with genomes. */
  readonly genome: boolean;
}

export type OutcomeAnswer =
  | { readonly type: 'read'; readonly parts: BytesParts }
  | { readonly type: 'refused'; readonly refusal: Refusal };

/** @throws RefusalError `integrity` */
function read({ file, genome, ...stored }: OutcomeTask): BytesParts {
  // Closed again at once, so that no connection is left when the home is closed.
  const db = openDatabase(file, { readonly: true });
  try {
    const parts = outcomeParts(outcomeBytes(db, stored).toString('utf8'));
    if (parts === null) throw integrityFailure('the outcome lacks a member', stored.sequence);
    return bytesOf(genome ? parts : withoutGenomes(parts));
  } finally {
    db.close();
  }
}

function answer(task: OutcomeTask): OutcomeAnswer {
  try {
    return { type: 'read', parts: read(task) };
  } catch (error) {
    if (error instanceof RefusalError) return { type: 'refused', refusal: error.refusal };
    throw error;
  }
}

serveTasks<OutcomeTask>((task) => {
  const said = answer(task);
  parentPort?.postMessage(said, said.type === 'read' ? memoryOf(said.parts) : []);
  return () => undefined;
});

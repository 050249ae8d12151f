/** The thread that reads large outcomes from the journal: it verifies their hashes and splits them into their members. */
import { parentPort } from 'node:worker_threads';
import { RefusalError } from '../../base/result.js';
import { integrityFailure } from '../../journal/position.js';
import { openDatabase } from '../../store/database.js';
import { serveTasks } from '../threads/watched-thread.js';
import { bytesOf, memoryOf, type BytesParts } from './outcome-bytes.js';
import { outcomeParts, withoutGenomes } from './outcome-parts.js';
import type { OutcomeAnswer, OutcomeTask } from './outcome-protocol.js';
import { outcomeBytes } from './stored-outcome.js';

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

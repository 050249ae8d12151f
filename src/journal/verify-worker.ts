/** A verification thread: opens the journal for reading and verifies the ranges that it receives. It ends after its first error. */
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase, type Db } from '../store/database.js';
import { identityOf } from './keys.js';
import { failedOf, type Answer } from './verify-failed.js';
import { verifyRange, type RangeTask } from './verify-range.js';

const { file, publicKey } = workerData as { file: string; publicKey: Uint8Array };
const key = Buffer.from(publicKey);
const identity = identityOf(key);
let db: Db | null = null;

function answer(task: RangeTask): Answer {
  try {
    db ??= openDatabase(file, { readonly: true });
    return { report: verifyRange(db, task, key, identity) };
  } catch (error) {
    return { failed: failedOf(error) };
  }
}

parentPort?.on('message', (task: RangeTask | null) => {
  const said = task === null ? null : answer(task);
  if (said !== null) parentPort?.postMessage(said);
  if (said !== null && 'report' in said) return;
  db?.close();
  parentPort?.close();
});

/** A verification thread: opens the journal for reading and does the tasks that it receives. It ends after its first error. */
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase, type Db } from '../store/database.js';
import { indexFault } from './check-index.js';
import { identityOf } from './keys.js';
import { signatureCheck } from './signature-check.js';
import { type Answer, failedOf, type Task, type ThreadData } from './verify-threads.js';
import { verifyRange, type RangeKeys } from './verify-range.js';

const { file, publicKey: keyBytes, seed } = workerData as ThreadData;
const publicKey = Buffer.from(keyBytes);
const signatures = signatureCheck(publicKey, seed === null ? null : Buffer.from(seed));
const keys: RangeKeys = { publicKey, identity: identityOf(publicKey), signatures };
let db: Db | null = null;

function answer(task: Task): Answer {
  try {
    db ??= openDatabase(file, { readonly: true });
    if (task === 'index') return { index: indexFault(db) };
    return { report: verifyRange(db, task, keys) };
  } catch (error) {
    return { failed: failedOf(error) };
  }
}

parentPort?.on('message', (task: Task | null) => {
  const said = task === null ? null : answer(task);
  if (said !== null) parentPort?.postMessage(said);
  if (said !== null && !('failed' in said)) return;
  signatures.end();
  db?.close();
  parentPort?.close();
});

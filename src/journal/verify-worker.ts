/** A verification thread: opens the journal for reading and verifies the ranges it is sent. */
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../store/database.js';
import { identityOf } from './keys.js';
import { verifyRange, type RangeTask } from './verify-range.js';

const { file, publicKey } = workerData as { file: string; publicKey: Uint8Array };
const db = openDatabase(file, { readonly: true });
const key = Buffer.from(publicKey);
const identity = identityOf(key);

parentPort?.on('message', (task: RangeTask | null) => {
  if (task !== null) return parentPort?.postMessage(verifyRange(db, task, key, identity));
  db.close();
  parentPort?.close();
});

/** What journal tests look at: the contents of the file, and whether all of it verifies. */
import assert from 'node:assert/strict';
import type { Home } from '../../src/app/home/home.js';
import { verifyHome } from '../../src/app/log/verify-home.js';
import type { Command } from '../../src/journal/writer.js';
import { RefusalError } from '../../src/base/refusal.js';
import { submitted, uuidOf } from '../support/app/temporary-home.js';

/** All that a transaction may change, as it is in the file. */
export const contents = (home: Home): unknown => ({
  events: home.db.prepare('SELECT * FROM events').all(),
  checkpoints: home.db.prepare('SELECT * FROM checkpoint').all(),
  blobs: home.db.prepare('SELECT hash FROM blob').all(),
  missions: home.db.prepare('SELECT * FROM mission').all(),
  applied: home.db.prepare('SELECT * FROM projection').all(),
});

/** Returns the sizes of the checkpoints that are kept. */
export const checkpointSizes = ({ db }: Pick<Home, 'db'>): number[] =>
  db.prepare<[], number>('SELECT size FROM checkpoint ORDER BY size').pluck().all();

/** Returns a function that returns the sizes of the checkpoints that the home's connection committed since: one for each transaction. */
export function watchCommits({ db }: Home): () => readonly number[] {
  db.exec(`CREATE TEMP TABLE committed(size INTEGER PRIMARY KEY);
    CREATE TEMP TRIGGER added_sizes AFTER INSERT ON main.checkpoint BEGIN INSERT INTO committed VALUES (NEW.size); END;
    CREATE TEMP TRIGGER replaced_sizes AFTER UPDATE ON main.checkpoint BEGIN INSERT INTO committed VALUES (NEW.size); END`);
  return () => db.prepare<[], number>('SELECT size FROM committed ORDER BY size').pluck().all();
}

/** Passes `verify --deep`. */
export const sound = async (home: Home): Promise<void> => {
  const { failure } = await verifyHome(home, { deep: true });
  assert.equal(failure, null);
};

/** Records an entry and a blob, then refuses. */
export const refusing: Command<number> = (tx) => {
  tx.append(uuidOf(900), submitted('refused'));
  tx.putBlob(Buffer.from('refused'));
  throw new RefusalError('conflict', 'no');
};

/** A home made before there were witnesses gets their tables when it is opened; what is signed stays as it is. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { listWitnesses } from '../../src/app/log/witness.js';
import { headText } from '../../src/journal/reader.js';
import { appliedMigrations } from '../../src/store/migrations.js';
import { findingOf } from '../journal/tamper.js';
import { homeForEach, submit } from '../support/temporary-home.js';

const homes = homeForEach();

/** What the journal was before the migration and the projection. */
function makeOlder(): void {
  const db = new Database(join(homes.get().directory, 'journal.sqlite3'));
  db.exec("DROP TABLE cosignature; DELETE FROM migration WHERE name = '0002-cosignature.sql'");
  db.exec("DROP TABLE witness; DELETE FROM projection WHERE name = 'witnesses'");
  db.close();
}

describe('a home of an older version', () => {
  it('is brought up to date at open, and verifies', async () => {
    const head = homes.get().with((home) => {
      for (let n = 0; n < 5; n++) home.writer.transact(submit(n));
      return headText(home.writer.head);
    });
    makeOlder();
    homes.get().with((home) => {
      assert.equal(headText(home.writer.head), head);
      assert.deepEqual(listWitnesses(home).items, []);
      assert.ok(appliedMigrations(home.db).has('0002-cosignature.sql'));
      home.writer.transact(submit(9));
    });
    assert.equal(await findingOf(homes.get(), { deep: true }), null);
  });

  it('that is opened by two at once is brought up once', () => {
    homes.get().with((home) => home.writer.transact(submit(1)));
    makeOlder();
    const [one, two] = [homes.get().open(), homes.get().open()];
    for (const home of [one, two]) assert.equal(appliedMigrations(home.db).has('0002-cosignature.sql'), true);
    for (const home of [one, two]) home.close();
  });

  it('whose new table is somebody else’s is refused, and left as it is', () => {
    homes.get().with((home) => home.writer.transact(submit(1)));
    makeOlder();
    const file = join(homes.get().directory, 'journal.sqlite3');
    const db = new Database(file);
    db.exec('CREATE TABLE cosignature(size TEXT)');
    db.close();
    assert.throws(() => homes.get().open(), /tables do not fit migration 0002-cosignature\.sql/);
    const after = new Database(file);
    assert.equal(after.prepare("SELECT count(*) FROM sqlite_master WHERE name = 'witness'").pluck().get(), 0);
    after.close();
  });
});

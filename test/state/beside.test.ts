/** A process that keeps a journal open, while others flush the snapshot of its state, alter the file, or put an earlier one back. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Home } from '../../src/app/home/home.js';
import { activeTokens } from '../../src/app/tokens/authenticate.js';
import { createToken, revokeToken } from '../../src/app/tokens/change.js';
import { connectionOf } from '../../src/tables/connection.js';
import { actor, refusalOf } from '../support/app/given-home.js';
import { tamper } from '../support/app/mixed-home.js';
import { homeForEach, submit, type TemporaryHome } from '../support/app/temporary-home.js';
import { withoutTriggers } from '../support/journal/without-triggers.js';

const homes = homeForEach();

/** Queues missions in one commit. */
function queue({ writer }: Home, from: number, count: number): void {
  writer.begin();
  for (const outcome of writer.run(Array.from({ length: count }, (_, i) => submit(from + i)))) assert.ok('value' in outcome);
}

/** Puts every table of a journal back as it was in a copy. */
function putBack({ directory }: TemporaryHome, copy: string): void {
  tamper({ directory }, (db) => {
    db.exec(`ATTACH '${copy}' AS was`);
    const tables = db
      .prepare<[], string>("SELECT name FROM was.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
      .pluck()
      .all();
    db.transaction(() =>
      withoutTriggers(db, () => {
        for (const table of tables) db.exec(`DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM was.${table}`);
      }),
    )();
  });
}

describe('an earlier journal that is put back beside a process', () => {
  for (const [title, more] of [
    ['before the newest snapshot', 300],
    ['after it', 3],
  ] as const)
    it(`is refused for as long as the process runs: of ${title}`, async () => {
      const home = homes.get();
      const token = await home.with(async (opened) => (await createToken(opened, 'ci', 'admin', actor)).token);
      const copy = join(home.root, 'copy.sqlite3');
      home.with(({ db }) => db.exec(`VACUUM INTO '${copy}'`));
      const opened = home.open();
      const authenticate = activeTokens(opened).ownerOf;
      assert.equal(authenticate(token)?.name, 'ci');
      await home.with(async (other) => {
        await revokeToken(other, 'ci', actor);
        queue(other, 0, more);
      });
      assert.equal(authenticate(token), null);
      putBack(home, copy);
      for (let n = 0; n < 3; n++) assert.equal(refusalOf(() => authenticate(token))?.code, 'rollback');
      opened.close();
    });
});

describe('a process beside others', () => {
  const baseOf = ({ db }: Home): number | undefined => connectionOf(db).snapshot(() => connectionOf(db).proven?.base);

  it('reads by the snapshot that another one has stored, also where it made one for itself', () => {
    const home = homes.get();
    home.with((opened) => queue(opened, 0, 300));
    tamper(home, 'DELETE FROM snapshot');
    const opened = home.open();
    assert.equal(baseOf(opened), 301);
    home.with((other) => queue(other, 300, 300));
    assert.equal(baseOf(opened), 301, 'the other one made it at its start');
    home.with((other) => other.writer.transact(submit(600)));
    home.with((other) => queue(other, 601, 300));
    assert.equal(baseOf(opened), 902);
    const stored = home.with(({ db }) => db.prepare('SELECT note FROM snapshot').pluck().get());
    opened.close();
    assert.equal(
      home.with(({ db }) => db.prepare('SELECT note FROM snapshot').pluck().get()),
      stored,
    );
  });
});

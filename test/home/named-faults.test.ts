/** Faults that are named after the file or table in which they are, and what the command that finds them says to do. */
import assert from 'node:assert/strict';
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, it } from 'mocha';
import { damageFaults } from '../../src/app/home/home.js';
import { openForDoctor } from '../../src/app/home/read-only.js';
import { rebuildHome } from '../../src/app/home/rebuild.js';
import { inspectHome } from '../../src/app/operator/doctor.js';
import { rotateToken } from '../../src/app/tokens/change.js';
import { withoutTriggers } from '../support/journal/without-triggers.js';
import { actor, throwsRefusal } from '../support/app/given-home.js';
import { tamper } from '../support/app/mixed-home.js';
import { homeForEach, submit } from '../support/app/temporary-home.js';

const homes = homeForEach();
const tolerate = ['config', 'witness', 'permissions', ...damageFaults] as const;
const file = (name: string): string => join(homes.get().directory, name);

describe('doctor', () => {
  const permissions = (): unknown =>
    homes.get().with((home) => inspectHome(home).checks.find(({ name }) => name === 'permissions'), { tolerate });

  for (const [what, text] of [
    ['empty', ''],
    ['cut short', 'abc\n'],
  ] as const)
    it(`names an api.token that is ${what}, and what replaces it`, async () => {
      writeFileSync(file('api.token'), text);
      const detail = `${file('api.token')} holds no token`;
      assert.deepEqual(permissions(), { name: 'permissions', status: 'fail', detail, fix: 'agent-cli token rotate api' });
      await homes.get().with((home) => rotateToken(home, 'api', actor));
      assert.deepEqual(permissions(), { name: 'permissions', status: 'ok', detail: 'directory 0700, files 0600', fix: null });
    });

  for (const name of ['lock.sqlite3', 'journal.sqlite3'])
    it(`names a directory in the place of ${name}`, () => {
      homes.get();
      renameSync(file(name), file('kept'));
      mkdirSync(file(name), { mode: 0o700 });
      const { detail, hint } = throwsRefusal(() => openForDoctor(homes.get().world, { tolerate }), 'integrity');
      assert.equal(detail, `${file(name)} is not a regular file`);
      assert.equal(hint, name === 'lock.sqlite3' ? `mv ${file(name)} ${file(name)}.old` : undefined);
      assert.equal(throwsRefusal(() => homes.get().open(), 'integrity').detail, detail);
      rmSync(file(name), { recursive: true });
      if (name === 'journal.sqlite3') renameSync(file('kept'), file(name));
      homes.get().open().close();
    });
});

/** Overwrites the first page of a table in the closed home's file. */
function wreck(table: string): void {
  const journal = file('journal.sqlite3');
  const db = new Database(journal);
  db.pragma('wal_checkpoint(TRUNCATE)');
  const page = db.prepare<[string], number>('SELECT rootpage FROM sqlite_master WHERE name = ?').pluck().get(table) ?? 0;
  const size = db.pragma('page_size', { simple: true }) as number;
  db.close();
  assert.ok(page > 1 && page * size <= statSync(journal).size);
  const fd = openSync(journal, 'r+');
  writeSync(fd, Buffer.alloc(size, 0xff), 0, size, (page - 1) * size);
  closeSync(fd);
  assert.ok(readFileSync(journal).includes(Buffer.alloc(size, 0xff)));
}

describe('rebuild', () => {
  const rebuild = (): unknown =>
    homes.get().with((opened) => rebuildHome(opened, () => undefined), { tolerate: ['config', 'schema', 'tables'] });

  for (const table of ['mission', 'control', 'events'])
    it(`names a table that SQLite cannot read: ${table}`, () => {
      homes.get().with(({ writer }) => writer.transact(submit(1)));
      wreck(table);
      const { detail } = throwsRefusal(rebuild, 'integrity');
      assert.match(detail, new RegExp(`^table ${table} of journal\\.sqlite3 is damaged: `));
    });

  it('names an entry with a malformed hash', () => {
    homes.get().with(({ writer }) => writer.transact(submit(1)));
    tamper(homes.get(), (db) => withoutTriggers(db, () => db.exec("UPDATE events SET hash = '00' WHERE seq = 2")));
    assert.equal(throwsRefusal(rebuild, 'integrity').detail, 'entry 2 has a malformed hash or signature');
  });
});

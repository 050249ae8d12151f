/** Damage that a text, as SQLite hands it out, does not show: bytes that are no UTF-8, and pages that cannot be read. */
import assert from 'node:assert/strict';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, it } from 'mocha';
import { openAsIs } from '../../src/app/home/as-is.js';
import { damageFaults } from '../../src/app/home/damage-faults.js';
import { verifyHome } from '../../src/app/log/verify-home.js';
import { RefusalError } from '../../src/base/result.js';
import { homeForEach, submit } from '../support/temporary-home.js';
import { alter, findingOf, forgetWitness, refusalAtOpen } from './tamper.js';
import type { Db } from '../../src/store/database.js';

const homes = homeForEach();
const goal = 'a \ufffd b';

/** EF BF BD becomes F0 BF BD, which is decoded to the same character. */
function spoil(db: Db, seq: number): void {
  const bytes = db.prepare<[number], Buffer>('SELECT CAST(body AS BLOB) FROM events WHERE seq = ?').pluck().get(seq);
  assert.ok(bytes !== undefined);
  const before = bytes.toString();
  const at = bytes.indexOf(Buffer.from('\ufffd'));
  bytes[at] = 0xf0;
  assert.equal(bytes.toString(), before);
  db.prepare('UPDATE events SET body = CAST(? AS TEXT) WHERE seq = ?').run(bytes, seq);
}

describe('stored bytes that are no UTF-8', () => {
  it('are not confused with an entry that holds U+FFFD itself', async () => {
    const home = homes.get();
    home.with(({ writer }) => writer.transact(submit(1, goal)));
    for (const deep of [false, true]) assert.equal(await findingOf(home, { deep }), null);
  });

  it('are found when they decode to the same text', async () => {
    const home = homes.get();
    home.with(({ writer }) => [1, 2].map((n) => writer.transact(submit(n, goal))));
    forgetWitness(home);
    alter(home, (db) => spoil(db, 2));
    for (const deep of [false, true]) {
      const finding = await findingOf(home, { deep });
      assert.deepEqual([finding?.code, finding?.sequence], ['integrity', 2]);
      assert.match(finding?.detail ?? '', /stored bytes do not match/);
    }
    assert.deepEqual(refusalAtOpen(home)?.facts, { sequence: 2 });
  });

  it('are found in the newest entry at open', () => {
    const home = homes.get();
    home.with(({ writer }) => writer.transact(submit(1, goal)));
    alter(home, (db) => spoil(db, 2));
    assert.match(refusalAtOpen(home)?.detail ?? '', /entry 2 does not match its hash/);
  });

  it('are not taken over from another process', () => {
    const home = homes.get();
    const [behind, other] = [home.open(), home.open()];
    try {
      other.writer.transact(submit(1, goal));
      const triggers = other.db.prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'trigger'").pluck().all();
      for (const name of triggers) other.db.exec(`DROP TRIGGER ${name}`);
      spoil(other.db, 2);
      assert.throws(() => behind.writer.transact(submit(3)), /entry 2 does not match its hash/);
    } finally {
      other.close();
      behind.close();
    }
  });
});

/** Overwrites the page of the table `events` that holds a middle entry. */
function spoilPage(file: string): void {
  const db = new Database(file);
  db.pragma('wal_checkpoint(TRUNCATE)');
  const size = Number(db.pragma('page_size', { simple: true }));
  const pages = db
    .prepare<[], number>("SELECT pageno FROM dbstat WHERE name = 'events' AND pagetype = 'leaf' ORDER BY path")
    .pluck()
    .all();
  db.close();
  const page = pages[Math.floor(pages.length / 2)] ?? 0;
  assert.ok(page > 0);
  const fd = openSync(file, 'r+');
  writeSync(fd, Buffer.alloc(size, 0xa5), 0, size, (page - 1) * size);
  closeSync(fd);
}

describe('a page that cannot be read', () => {
  for (const count of [2_000, 5_000]) {
    it(`is a refusal with its reason, in a journal of ${count} entries`, async () => {
      const home = homes.get();
      home.with(({ writer, db }) => {
        db.pragma('synchronous = OFF');
        writer.begin();
        writer.run(Array.from({ length: count }, (_, n) => submit(n + 1)));
      });
      spoilPage(join(home.directory, 'journal.sqlite3'));
      assert.match(refusalAtOpen(home)?.detail ?? '', /journal.sqlite3 is damaged: .*malformed/);
      const opened = openAsIs(home.world, { tolerate: ['config', 'witness', ...damageFaults] });
      try {
        await assert.rejects(verifyHome(opened, { deep: false }), (error) => {
          assert.ok(error instanceof RefusalError, String(error));
          assert.equal(error.refusal.code, 'integrity');
          assert.match(error.refusal.detail, /journal.sqlite3 is damaged: .*malformed/);
          return true;
        });
      } finally {
        opened.close();
      }
    });
  }
});

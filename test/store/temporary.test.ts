import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { temporaryDatabase } from '../../src/store/temporary.js';
import { folderForEach } from '../support/app/temporary-home.js';

const mib = 2 ** 20;

describe('a temporary database', () => {
  const folder = folderForEach();

  it('keeps what it holds out of memory, and sorts it so', () => {
    const db = temporaryDatabase();
    try {
      db.exec('CREATE TABLE item(n INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT; BEGIN');
      const insert = db.prepare('INSERT INTO item VALUES (?, ?)');
      const before = process.memoryUsage.rss();
      const bytes = Buffer.alloc(1_000, 7);
      for (let n = 0; n < 150_000; n++) insert.run((n * 7_919) % 150_000, bytes);
      let last = -1;
      for (const [n] of db.prepare<[], [number, Buffer]>('SELECT n, bytes FROM item ORDER BY n').raw().iterate())
        assert.equal(n, ++last);
      assert.equal(last, 149_999);
      const grown = process.memoryUsage.rss() - before;
      assert.ok(grown < 80 * mib, `150 MB took ${Math.round(grown / mib)} MiB of memory`);
    } finally {
      db.close();
    }
  });

  it('leaves no file that another program could open', () => {
    const former = process.env['SQLITE_TMPDIR'];
    process.env['SQLITE_TMPDIR'] = folder.get();
    const db = temporaryDatabase();
    try {
      db.exec('CREATE TABLE item(bytes BLOB NOT NULL); BEGIN');
      for (let n = 0; n < 20; n++) db.exec('INSERT INTO item VALUES (zeroblob(1000000))');
      assert.deepEqual(readdirSync(folder.get()), []);
    } finally {
      db.close();
      if (former === undefined) delete process.env['SQLITE_TMPDIR'];
      else process.env['SQLITE_TMPDIR'] = former;
    }
  });
});

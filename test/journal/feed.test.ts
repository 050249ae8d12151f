import assert from 'node:assert/strict';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { feed_page_entries_max, followFeed } from '../../src/journal/feed.js';
import { boundsFault, countFault } from '../../src/journal/verify.js';
import { type Db, openDatabase } from '../../src/store/database.js';
import { until } from '../support/app/given-daemon.js';
import { homeForEach, submit, type TemporaryHome } from '../support/app/temporary-home.js';
import { inCopy, newest } from './tamper-suite.js';
import { alter, findingOf } from './tamper.js';

const homes = homeForEach();

const sequences = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);

describe('the feed', () => {
  homes.it('sends nothing of a command that was undone, and all of the entries around it', (home) => {
    home.writer.begin();
    const outcomes = home.writer.run<unknown>([
      submit(1),
      (tx) => {
        submit(2)(tx);
        throw new Error('no');
      },
      submit(3),
    ]);
    assert.deepEqual(
      outcomes.map((outcome) => 'error' in outcome),
      [false, true, false],
    );
    assert.throws(() =>
      home.writer.transact((tx) => {
        submit(4)(tx);
        throw new Error('no');
      }),
    );
    home.writer.transact(submit(5));
    const told: string[] = [];
    const feed = followFeed(home.db, 1, (entry) => told.push(`${entry.sequence} ${entry.stream}`), assert.ifError);
    feed.finish();
    const stored = home.db
      .prepare<[], string>("SELECT seq || ' ' || mission FROM events WHERE seq > 1 ORDER BY seq")
      .pluck()
      .all();
    assert.deepEqual(told, stored);
    assert.equal(told.length, 3);
  });

  it('begins after a sequence, and is silent once stopped', async () => {
    const home = homes.get().open();
    home.writer.begin();
    home.writer.run([submit(1), submit(2), submit(3)]);
    const seen: string[] = [];
    const feed = followFeed(home.db, 2, (entry) => seen.push(`${entry.sequence} ${entry.type}`), assert.ifError);
    try {
      await until(() => seen.length === 2);
      feed.stop();
      home.writer.transact(submit(4));
      await sleep(250);
      assert.deepEqual(seen, ['3 mission.submitted', '4 mission.submitted']);
    } finally {
      feed.stop();
      home.close();
    }
  });

  it('reads at once when poked, and sends what is left when it is finished', async () => {
    const home = homes.get().open();
    const seen: number[] = [];
    const feed = followFeed(home.db, 1, (entry) => seen.push(entry.sequence), assert.ifError);
    try {
      home.writer.transact(submit(1));
      feed.poke();
      feed.poke();
      await nextTurn();
      await nextTurn();
      assert.deepEqual(seen, [2]);
      home.writer.begin();
      home.writer.run(sequences(feed_page_entries_max + 50).map((n) => submit(n + 1)));
      feed.finish();
      assert.equal(seen.at(-1), feed_page_entries_max + 52);
      home.writer.transact(submit(2_000));
      feed.poke();
      feed.finish();
      await sleep(150);
      assert.equal(seen.length, feed_page_entries_max + 51);
    } finally {
      feed.stop();
      home.close();
    }
  });

  it('ends with what a poll threw, once', async () => {
    const home = homes.get().open();
    const errors: unknown[] = [];
    followFeed(
      home.db,
      home.writer.head.size,
      () => assert.fail('there is no entry'),
      (error) => errors.push(error),
    );
    home.close();
    await until(() => errors.length > 0);
    await sleep(250);
    assert.equal(errors.length, 1);
    assert.match(String(errors[0]), /not open/);
  });
});

const junk = (seq: number | string): string =>
  `INSERT INTO events SELECT ${seq}, mission, body, 'e' || substr(hash, 2), signature FROM events WHERE seq = 9`;

function inFile<A>(home: TemporaryHome, read: (db: Db) => A): A {
  const db = openDatabase(`${home.directory}/journal.sqlite3`, { readonly: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

const missing = /the entry is missing/;
const cases: readonly (readonly [name: string, sql: string, sequence: number, detail: RegExp, isOnlyCounted?: boolean])[] = [
  ['an entry before the first', junk(-1), -1, /has the sequence -1/],
  ['an entry far beyond the end', junk(1e12), newest + 1, missing],
  ['two of them', `${junk(1e12)}; ${junk(1e12 + 1).replace("'e'", "'d'")}`, newest + 1, missing, true],
  ['a gap', 'DELETE FROM events WHERE seq BETWEEN 200 AND 230', 200, missing, true],
  ['the first entries gone', 'DELETE FROM events WHERE seq < 3', 1, missing],
  ['a checkpoint of size 0', "INSERT INTO checkpoint VALUES (0, 'x')", 0, /checkpoint of size 0/],
  ['of a size beyond the end', `INSERT INTO checkpoint VALUES (${newest + 1}, 'x')`, newest, /size 621 covers more entries than/],
  ['a tile of level -1', "INSERT INTO tile VALUES (-1, 0, x'00')", 0, /tile -1\/0 is foreign/],
  ['a tile of a level above the root', "INSERT INTO tile VALUES (2, 5, x'00')", 0, /tile 2\/5/],
];

describe('the bounds of rows', () => {
  for (const [name, sql, sequence, detail, isOnlyCounted = false] of cases) {
    it(`are reported when broken: ${name}`, () =>
      inCopy(async (home) => {
        alter(home, sql);
        for (const deep of [false, true]) {
          const finding = await findingOf(home, { deep });
          assert.deepEqual([finding?.code, finding?.sequence], ['integrity', sequence]);
          assert.match(finding?.detail ?? '', detail);
        }
        const [cheap, counted] = inFile(home, (db) => [boundsFault(db), boundsFault(db) ?? countFault(db)] as const);
        assert.deepEqual([counted?.sequence, cheap === null], [sequence, isOnlyCounted]);
        assert.match(counted?.detail ?? '', detail);
      }));
  }

  it('hold in a journal that is being written, and in an empty one', () =>
    inCopy((home) => {
      const faultsOf = (db: Db): unknown => [boundsFault(db), countFault(db)];
      assert.deepEqual(inFile(home, faultsOf), [null, null]);
      alter(home, 'DELETE FROM events; DELETE FROM checkpoint; DELETE FROM tile');
      assert.deepEqual(inFile(home, faultsOf), [null, null]);
      return Promise.resolve();
    }));
});

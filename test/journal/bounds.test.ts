/** The numbers that rows may have: compared before any work is planned, so that one absurd row costs neither time nor memory. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { boundsFault, countFault } from '../../src/journal/bounds.js';
import { openDatabase, type Db } from '../../src/store/database.js';
import type { TemporaryHome } from '../support/temporary-home.js';
import { newest } from './rich-home.js';
import { alter, findingOf } from './tamper.js';
import { exec, inCopy } from './tamper-suite.js';

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

interface Case {
  readonly name: string;
  readonly sql: string;
  readonly sequence: number | null;
  readonly detail: RegExp;
  /** Whether only counting finds it. */
  readonly byCount?: boolean;
}

const cases: readonly Case[] = [
  { name: 'an entry before the first', sql: junk(-1), sequence: -1, detail: /has the sequence -1/ },
  { name: 'an entry 0', sql: junk(0), sequence: 0, detail: /has the sequence 0/ },
  {
    name: 'the smallest number there is',
    sql: junk('-9223372036854775808'),
    sequence: -(2 ** 63),
    detail: /has the sequence -9/,
  },
  { name: 'an entry far beyond the end', sql: junk(1e12), sequence: newest + 1, detail: /the entry is missing/ },
  { name: 'the largest number there is', sql: junk('9223372036854775807'), sequence: newest + 1, detail: /the entry is missing/ },
  {
    name: 'two entries far beyond the end',
    sql: `${junk(1e12)}; ${junk(1e12 + 1).replace("'e'", "'d'")}`,
    sequence: newest + 1,
    detail: /the entry is missing/,
    byCount: true,
  },
  {
    name: 'a gap',
    sql: 'DELETE FROM events WHERE seq BETWEEN 200 AND 230',
    sequence: 200,
    detail: /the entry is missing/,
    byCount: true,
  },
  { name: 'the first entries gone', sql: 'DELETE FROM events WHERE seq < 3', sequence: 1, detail: /the entry is missing/ },
  { name: 'a checkpoint of size 0', sql: "INSERT INTO checkpoint VALUES (0, 'x')", sequence: 0, detail: /checkpoint of size 0/ },
  { name: 'of a negative size', sql: "INSERT INTO checkpoint VALUES (-7, 'x')", sequence: 0, detail: /checkpoint of size -7/ },
  {
    name: 'of a size beyond the end',
    sql: `INSERT INTO checkpoint VALUES (${newest + 1}, 'x')`,
    sequence: newest,
    detail: /checkpoint of size 621 covers more entries than there are/,
  },
  { name: 'a tile of level -1', sql: "INSERT INTO tile VALUES (-1, 0, x'00')", sequence: 0, detail: /tile -1\/0 is foreign/ },
  { name: 'a tile of a level above the root', sql: "INSERT INTO tile VALUES (2, 5, x'00')", sequence: 0, detail: /tile 2\/5/ },
];

describe('the bounds of rows', () => {
  for (const { name, sql, sequence, detail, byCount = false } of cases) {
    it(`are reported when broken: ${name}`, () =>
      inCopy(async (home) => {
        alter(home, exec(sql));
        for (const deep of [false, true]) {
          const finding = await findingOf(home, { deep });
          assert.deepEqual([finding?.code, finding?.sequence], ['integrity', sequence]);
          assert.match(finding?.detail ?? '', detail);
        }
        const [cheap, counted] = inFile(home, (db) => [boundsFault(db), boundsFault(db) ?? countFault(db)] as const);
        assert.deepEqual([counted?.sequence, cheap === null], [sequence, byCount]);
        assert.match(counted?.detail ?? '', detail);
      }));
  }

  it('hold in a journal that is being written, and in an empty one', () =>
    inCopy((home) => {
      assert.deepEqual(
        inFile(home, (db) => [boundsFault(db), countFault(db)]),
        [null, null],
      );
      alter(home, exec('DELETE FROM events; DELETE FROM checkpoint; DELETE FROM tile'));
      assert.deepEqual(
        inFile(home, (db) => [boundsFault(db), countFault(db)]),
        [null, null],
      );
      return Promise.resolve();
    }));
});

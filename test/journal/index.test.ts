/** An index that hides an entry of a stream, or leads elsewhere, while the table and the schema are as they were. */
import assert from 'node:assert/strict';
import { entriesOfStream } from '../../src/journal/reader.js';
import { openDatabase } from '../../src/store/database.js';
import { uuidOf } from '../support/app/temporary-home.js';
import { blobsFilledFrom, type Case, filledBy, filledFrom, inCopy, newest, suite } from './tamper-suite.js';
import { alter, findingOf } from './tamper.js';
import { membersOf } from '../support/lists.js';

const hidden = 330;
const cases: readonly Case[] = [
  ['lacks an entry', filledBy(`(mission, seq) WHERE seq <> ${hidden}`), /does not lead to the entry/, hidden],
  ['is in another order', filledBy('(mission DESC, seq)'), /does not lead/, 1],
  [
    'leads to another entry',
    filledFrom(
      `SELECT CASE seq WHEN ${hidden} THEN ${hidden + 1} WHEN ${hidden + 1} THEN ${hidden} ELSE seq END, mission, seq FROM events`,
    ),
    /does not lead/,
    hidden,
  ],
  [
    'has a row too many',
    filledFrom(`SELECT seq, mission, seq FROM events UNION ALL SELECT ${newest + 1}, '${uuidOf(3)}', ${newest + 1}`),
    /holds rows of no entry/,
    0,
  ],
];

suite('the index by which a stream is read', {}, cases);

describe('the index by which a stream is read', () => {
  it('is in order after these alterations when they alter nothing', () =>
    inCopy(async (home) => {
      alter(home, filledBy('(mission, seq)'));
      assert.equal(await findingOf(home, { deep: true }), null);
      alter(home, filledFrom('SELECT seq, mission, seq FROM events'));
      assert.equal(await findingOf(home, { deep: false }), null);
    }));

  it('hides an entry from a reader of its stream', () =>
    inCopy((home) => {
      alter(home, filledBy('(mission, seq) WHERE seq <> 2'));
      const db = openDatabase(`${home.directory}/journal.sqlite3`, { readonly: true });
      assert.deepEqual(membersOf(entriesOfStream(db, '@control'), 'sequence'), [1, 3, 4]);
      db.close();
      return Promise.resolve();
    }));
});

suite('the index of the blobs', {}, [
  [
    'lacks a blob',
    blobsFilledFrom('SELECT rowid, hash FROM blob WHERE rowid < (SELECT max(rowid) FROM blob)'),
    /index of the blobs does not lead to each/,
    0,
  ],
  [
    'has a row too many',
    blobsFilledFrom("SELECT rowid, hash FROM blob UNION ALL SELECT 9, 'ff'"),
    /index of the blobs does not lead to each/,
    0,
  ],
]);

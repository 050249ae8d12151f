/** The blobs that entries use, against the rows of the table. */
import assert from 'node:assert/strict';
import { Database } from '../../src/store/sqlite.js';
import type { BlobUse } from '../../src/journal/blob-uses.js';
import { BlobCheck } from '../../src/journal/join-ranges.js';
import { salted } from '../../src/journal/salted.js';
import type { Failure } from '../../src/journal/verify-range.js';
import { migrate } from '../../src/store/migrations.js';

const [first, second] = ['first', 'second'].map((text) => {
  const bytes = Buffer.from(text);
  return { ...salted(bytes), bytes };
}) as [Blob, Blob];
type Blob = ReturnType<typeof salted> & { readonly bytes: Buffer };

const use = (sequence: number, kind: BlobUse['use'], { hash }: Blob = first): BlobUse => ({ sequence, hash, use: kind });

/** Checks a table of these blobs against uses in every order in which they can be added. */
function failureOf(uses: readonly BlobUse[], stored: readonly Blob[]): Failure | null {
  const db = new Database(':memory:');
  try {
    migrate(db, 0);
    const insert = db.prepare('INSERT INTO blob VALUES (?, ?, ?)');
    for (const { hash, salt, bytes } of stored) insert.run(hash, Buffer.from(salt), bytes);
    const [failure = null, ...others] = [uses, uses.toReversed()].map((added) => {
      const check = new BlobCheck();
      for (const one of added) check.add([one]);
      const found = check.failure(db);
      check.close();
      return found;
    });
    for (const other of others) assert.deepEqual(other, failure);
    return failure;
  } finally {
    db.close();
  }
}

const failed = (sequence: number, { hash }: Blob, detail: string): Failure => ({
  sequence,
  detail: `blob ${hash.slice(0, 16)} ${detail}`,
  isOfBlobs: true,
});
const altered = { ...first, bytes: Buffer.from('other') };

describe('the check of blobs', () => {
  const cases: readonly (readonly [string, readonly BlobUse[], readonly Blob[], Failure | null])[] = [
    ['accepts a blob to which an entry refers', [use(3, 'refers')], [first], null],
    ['accepts none', [], [], null],
    ['accepts that an erased blob is gone', [use(3, 'refers'), use(5, 'erases')], [], null],
    ['accepts a blob that was erased and is used again', [use(3, 'refers'), use(5, 'erases'), use(7, 'refers')], [first], null],
    ['accepts that an entry erases what it refers to', [use(3, 'refers'), use(3, 'erases')], [], null],
    ['accepts a blob that only a newer entry names', [use(3, 'names')], [first], null],
    ['accepts that a blob that a newer entry names is gone', [use(3, 'refers'), use(5, 'names')], [], null],
    ['reports a missing blob', [use(3, 'refers'), use(4, 'refers')], [], failed(4, first, 'is missing')],
    [
      'reports an erased blob that is there',
      [use(3, 'refers'), use(5, 'erases')],
      [first],
      failed(0, first, 'belongs to no entry'),
    ],
    ['reports a blob of no entry', [use(3, 'refers')], [first, second], failed(0, second, 'belongs to no entry')],
    ['reports an altered blob', [use(3, 'refers')], [altered], failed(3, first, 'does not match its hash')],
    ['reports an altered blob that is only named', [use(3, 'names')], [altered], failed(3, first, 'does not match its hash')],
    [
      'reports an altered blob before a missing one',
      [use(2, 'refers', second), use(3, 'refers')],
      [altered],
      failed(3, first, 'does not match its hash'),
    ],
  ];
  for (const [name, uses, stored, expected] of cases) it(name, () => assert.deepEqual(failureOf(uses, stored), expected));
});

import assert from 'node:assert/strict';
import { contentsOf, content, limitsFor, openingOf, refused, withB } from '../support/archive/zip-attack.js';
import {
  buildZip,
  endRecord,
  nothing,
  u32,
  type EndFields,
  type ZipMember,
  type ZipShape,
} from '../support/archive/zip-builder.js';

const good = withB({});
const limits = limitsFor(['a', 'b']);
const bytes = buildZip(good);
const directory_at = bytes.readUInt32LE(bytes.length - 6);
const directory_bytes = bytes.readUInt32LE(bytes.length - 10);
const counts = { entries_here: 2, entries: 2 };
const whole: EndFields = {
  signature: 0x06054b50,
  disk: 0,
  directory_disk: 0,
  ...counts,
  directory_bytes,
  directory_at,
  comment_bytes: 0,
};
const junk = Buffer.from('junk that nobody declared');

type Case = readonly [title: string, why: string, shape: ZipShape, members?: readonly ZipMember[]];
function suite(title: string, cases: readonly Case[]): void {
  describe(title, () => {
    // As many as the end record counts, so that the count alone refuses none.
    for (const [name, why, shape, members = good] of cases)
      it(name, () => refused(members, why, shape, limitsFor(shape.end?.entries === 3 ? ['a', 'b', 'c'] : ['a', 'b'])));
  });
}
const end = (fields: Partial<EndFields>): ZipShape => ({ end: fields });
const count = (entries: number): ZipShape => end({ entries_here: entries, entries });

const otherEnd = 'does not end with its central directory and a record that describes it';
const beyond = 'refers to bytes that it does not have';
const unread = (why: string): string => `is no ZIP archive that is read here: ${why}`;
const comment = unread('Invalid comment length');
const header = (found: string): string => unread(`invalid central directory file header signature: 0x${found}`);
const noEnd = unread('End of central directory record signature not found');
suite('archive: the end record', [
  ['a comment', otherEnd, { comment: junk }],
  ['a comment that holds an end record', otherEnd, { comment: endRecord(whole) }],
  ['bytes behind it', comment, { suffix: junk }],
  ['two of them', otherEnd, { suffix: endRecord(whole) }],
  ['no signature', noEnd, end({ signature: 0 })],
  ['the directory is on another disk', otherEnd, end({ directory_disk: 1 })],
  ['a member on another disk', 'has a member "b" that is on another disk', {}, withB({ central: { disk: 1 } })],
  ['two counts', otherEnd, end({ entries_here: 1 })],
  ['a count too low', otherEnd, count(1)],
  ['a count too high', beyond, count(3)],
]);

suite('archive: the central directory', [
  ['begins earlier', header('14b5000'), end({ directory_at: directory_at - 1 })],
  ['is shorter', otherEnd, end({ directory_bytes: directory_bytes - 47 })],
  ['is followed by bytes', otherEnd, { afterDirectory: junk }],
  ['is cut inside a name', beyond, {}, withB({ central: { name_bytes: 99 } })],
  ['has a header in a header', header('0'), {}, [{ ...good[0]!, central: { extra: Buffer.alloc(4), extra_bytes: 0 } }, good[1]!]],
]);

const zip64End = Buffer.concat([u32(0x06064b50), Buffer.alloc(52)]);
const zip64Locator = Buffer.concat([u32(0x07064b50), Buffer.alloc(16)]);
/** A locator that names an end record at the beginning of the file, which describes the directory of the archive. */
const secondDirectory = (): Buffer => {
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  for (const [at, value] of [
    [24, 2],
    [32, 2],
    [40, directory_bytes],
    [48, directory_at + 56],
  ] as const)
    record.writeBigUInt64LE(BigInt(value), at);
  return record;
};
const noRecord = unread('invalid zip64 end of central directory record signature');
const memberRefers = 'has a member "b" that refers to a Zip64 record, which is not read';
suite('archive: Zip64', [
  ['marked in the size of a member', memberRefers, {}, withB({ both: { bytes: 0xffffffff } })],
  ['marked in the offset of a member', memberRefers, {}, withB({ central: { local_at: 0xffffffff } })],
  ['records that nothing refers to', noRecord, { afterDirectory: Buffer.concat([zip64End, zip64Locator]) }],
  [
    'an end record that describes the directory',
    'has a Zip64 locator, which is not read',
    { afterDirectory: zip64Locator },
    [{ ...good[0]!, before: secondDirectory() }, good[1]!],
  ],
]);

/** The local header and the data of a `b` that lies inside a stored `a`. */
const inner = buildZip([{ name: 'b', content }]).subarray(0, -22 - 47);
const aWith = (altered: Partial<ZipMember>): readonly ZipMember[] => [{ ...good[0]!, ...altered }, good[1]!];
const overlap = 'has members that overlap: "b" begins inside another';
suite('archive: gaps and overlaps', [
  ['bytes before the first member', 'has 25 bytes that belong to nothing before "a"', {}, aWith({ before: junk })],
  ['bytes between members', 'has 25 bytes that belong to nothing before "b"', {}, withB({ before: junk })],
  ['bytes before the directory', 'has 25 bytes between its members and its central directory', { beforeDirectory: junk }],
  ['two members on one local header', overlap, {}, withB({ central: { local_at: 0 } })],
  [
    'a member inside another',
    overlap,
    {},
    [
      { name: 'a', method: 0, content: inner },
      { ...good[1]!, central: { local_at: 31 } },
    ],
  ],
  ['a member that runs into the next', overlap, {}, aWith({ both: { packed_bytes: 45 } })],
  ['a member that ends early', 'has 1 bytes that belong to nothing before "b"', {}, aWith({ both: { packed_bytes: 42 } })],
  [
    'a member that runs into the directory',
    'has a member "b" that runs into the central directory',
    {},
    withB({ both: { packed_bytes: 400 } }),
  ],
  [
    'a member beyond the file',
    'has 4294967220 bytes that belong to nothing before "b"',
    {},
    withB({ central: { local_at: 0xfffffffe } }),
  ],
]);

describe('archive: layout', () => {
  it('refuses junk before the archive, another archive too', async () => {
    assert.equal(await openingOf(Buffer.concat([junk, bytes]), limits), `malformed: the archive ${header('cf2851d6')}`);
    assert.equal(await openingOf(Buffer.concat([bytes, bytes]), limits), `malformed: the archive ${otherEnd}`);
  });

  it('refuses bytes that are not an archive', async () => {
    assert.equal(await openingOf(nothing, limits), `malformed: the archive ${noEnd}`);
    assert.equal(await openingOf(Buffer.alloc(100_000, 'PK'), limits), `malformed: the archive ${noEnd}`);
    assert.equal(await openingOf(endRecord({ ...whole, comment_bytes: 25 }, junk), limits), `malformed: the archive ${beyond}`);
    assert.equal(
      await openingOf(
        endRecord({ ...whole, ...counts, entries_here: 0, entries: 0, directory_bytes: 0, directory_at: 0 }),
        limits,
      ),
      'malformed: the archive lacks a, b',
    );
  });

  it('accepts members in another order than the directory', async () => {
    const contents = await contentsOf(buildZip(good, { directoryOrder: [1, 0] }), limits);
    assert.deepEqual(
      [...contents],
      [
        ['b', content],
        ['a', content],
      ],
    );
  });

  it('refuses an archive cut at any byte, or with any byte more', async () => {
    for (const method of [0, 8]) {
      const archive = buildZip(withB({ method, descriptor: true }));
      for (let length = 0; length < archive.length; length++) {
        const why = await openingOf(archive.subarray(0, length), limits);
        assert.match(why, /^malformed: /, `${length} bytes`);
      }
      for (let byte = 0; byte < 256; byte++) {
        const why = await openingOf(Buffer.concat([archive, Buffer.from([byte])]), limits);
        assert.equal(why, `malformed: the archive ${comment}`);
      }
    }
  });
});

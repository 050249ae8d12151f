import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { contentsOf, content, limitsFor, openingOf, refused, withB } from '../support/zip-attack.js';
import { buildZip, endRecord, nothing, u32, type EndFields, type ZipMember, type ZipShape } from '../support/zip-builder.js';

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
    for (const [name, why, shape, members = good] of cases) it(name, () => refused(members, why, shape));
  });
}
const end = (fields: Partial<EndFields>): ZipShape => ({ end: fields });
const count = (entries: number): ZipShape => end({ entries_here: entries, entries });

const between = (n: number): string => `has ${n} bytes between its central directory and its end record`;
const into = (n: number): string => `has a central directory that runs ${n} bytes into its end record`;
const several = 'is one disk of an archive on several';
const twoEnds = 'has more than one end of central directory record';
suite('archive: the end record', [
  ['a comment', 'has an archive comment of 25 bytes', { comment: junk }],
  ['a comment that holds an end record', twoEnds, { comment: endRecord(whole) }],
  [
    'a comment that is not there',
    'is cut short: its end record declares a comment of 7 bytes, 0 are there',
    end({ comment_bytes: 7 }),
  ],
  [
    'a comment that is cut',
    'is cut short: its end record declares a comment of 26 bytes, 25 are there',
    { comment: junk, ...end({ comment_bytes: 26 }) },
  ],
  ['bytes behind it', 'has 25 bytes after its end of central directory record', { suffix: junk }],
  ['bytes behind a comment', 'has 25 bytes after its end of central directory record', { comment: junk, suffix: junk }],
  ['two of them', twoEnds, { suffix: endRecord(whole) }],
  ['three of them', twoEnds, { suffix: Buffer.concat([endRecord(whole), endRecord(whole)]) }],
  [
    'half of a second one',
    'is cut short inside its end of central directory record',
    { suffix: endRecord(whole).subarray(0, 12) },
  ],
  ['no signature', 'has no end of central directory record: it is cut short, or not a ZIP archive', end({ signature: 0 })],
  ['this disk is another', several, end({ disk: 1 })],
  ['the directory is on another disk', several, end({ directory_disk: 1 })],
  ['a member on another disk', 'has a member "b" that lies on another disk', {}, withB({ central: { disk: 1 } })],
  ['two counts', 'counts its members twice and differently: 1 and 2', end({ entries_here: 1 })],
  ['a count too low', 'counts 1 members, but its central directory continues after them', count(1)],
  ['a count of none', 'counts 0 members, but its central directory continues after them', count(0)],
  ['a count too high', 'counts 3 members and its central directory holds 2', count(3)],
  ['a count of 65 534', 'counts 65534 members, at most 3 belong in it', count(65_534)],
]);

suite('archive: the central directory', [
  ['begins later', into(1), end({ directory_at: directory_at + 1 })],
  ['begins earlier', 'has 1 bytes before its archive begins', end({ directory_at: directory_at - 1 })],
  ['begins beyond the file', into(0x7fffffff - directory_at), end({ directory_at: 0x7fffffff })],
  ['is longer', into(1), end({ directory_bytes: directory_bytes + 1 })],
  ['is shorter', between(47), end({ directory_bytes: directory_bytes - 47 })],
  [
    'is the whole file',
    'has no header where its central directory counts one',
    end({ directory_at: 0, directory_bytes: directory_at + directory_bytes }),
  ],
  ['is followed by bytes', between(25), { afterDirectory: junk }],
  [
    'is cut inside a header',
    'has a central directory that ends inside a header',
    { ...count(3), afterDirectory: junk, ...end({ ...count(3).end, directory_bytes: directory_bytes + 25 }) },
  ],
  ['is cut inside a name', 'has a central directory that ends inside a header', {}, withB({ central: { name_bytes: 99 } })],
  ['has junk for a header', 'has no header where its central directory counts one', {}, withB({ central: { signature: 0 } })],
  [
    'has a header in a header',
    'has no header where its central directory counts one',
    {},
    [{ ...good[0]!, central: { extra: Buffer.alloc(4), extra_bytes: 0 } }, good[1]!],
  ],
]);

const zip64End = Buffer.concat([u32(0x06064b50), Buffer.alloc(52)]);
const zip64Locator = Buffer.concat([u32(0x07064b50), Buffer.alloc(16)]);
const refers = 'refers to Zip64 records, which are not read';
const memberRefers = 'has a member "b" that refers to a Zip64 record, which is not read';
suite('archive: Zip64', [
  ['marked in the count', refers, count(65_535)],
  ['marked in one count', refers, end({ entries_here: 65_535 })],
  ['marked in the size of the directory', refers, end({ directory_bytes: 0xffffffff })],
  ['marked in the offset of the directory', refers, end({ directory_at: 0xffffffff })],
  ['marked in a disk', refers, end({ disk: 65_535 })],
  ['marked in the size of a member', memberRefers, {}, withB({ both: { bytes: 0xffffffff } })],
  ['marked in the packed size of a member', memberRefers, {}, withB({ both: { packed_bytes: 0xffffffff } })],
  ['marked in the offset of a member', memberRefers, {}, withB({ central: { local_at: 0xffffffff } })],
  ['marked in the disk of a member', memberRefers, {}, withB({ central: { disk: 65_535 } })],
  [
    'records that nothing refers to',
    'has a Zip64 locator, which is not read',
    { afterDirectory: Buffer.concat([zip64End, zip64Locator]) },
  ],
  ['a locator alone', 'has a Zip64 locator, which is not read', { afterDirectory: zip64Locator }],
  ['an end record alone', 'has a Zip64 end record, which is not read', { afterDirectory: zip64End }],
]);

/** The local header and the data of a `b` that lies inside a stored `a`. */
const inner = buildZip([{ name: 'b', content }]).subarray(0, -22 - 47);
const aWith = (altered: Partial<ZipMember>): readonly ZipMember[] => [{ ...good[0]!, ...altered }, good[1]!];
const overlap = 'has members that overlap: "b" begins inside another';
suite('archive: gaps and overlaps', [
  ['bytes before the first member', 'has 25 bytes before its first member', {}, aWith({ before: junk })],
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
    'a member of 4 GiB less two',
    'has a member "b" that runs into the central directory',
    {},
    withB({ both: { packed_bytes: 0xfffffffe } }),
  ],
  [
    'a member in the directory',
    'has a member "b" that begins behind the place for members',
    {},
    withB({ central: { local_at: directory_at } }),
  ],
  [
    'a member beyond the file',
    'has a member "b" that begins behind the place for members',
    {},
    withB({ central: { local_at: 0xfffffffe } }),
  ],
]);

describe('archive: layout', () => {
  it('refuses junk before the archive, another archive too', () => {
    assert.equal(
      openingOf(Buffer.concat([junk, bytes]), limits),
      'malformed: the archive has 25 bytes before its archive begins',
    );
    assert.equal(openingOf(Buffer.concat([bytes, bytes]), limits), `malformed: the archive ${twoEnds}`);
  });

  it('refuses bytes that are not an archive', () => {
    assert.equal(openingOf(nothing, limits), 'malformed: the archive has 0 bytes, too few for a ZIP archive');
    const why = 'malformed: the archive has no end of central directory record: it is cut short, or not a ZIP archive';
    assert.equal(openingOf(Buffer.alloc(100_000, 'PK'), limits), why);
    assert.equal(
      openingOf(endRecord({ ...whole, comment_bytes: 25 }, junk), limits),
      'malformed: the archive has an archive comment of 25 bytes',
    );
    assert.equal(
      openingOf(endRecord({ ...whole, ...counts, entries_here: 0, entries: 0, directory_bytes: 0, directory_at: 0 }), limits),
      'malformed: the archive lacks a, b',
    );
  });

  it('finds records at the very edges', () => {
    const none: EndFields = { ...whole, entries_here: 0, entries: 0, directory_bytes: 0, directory_at: 0 };
    const locator = Buffer.concat([zip64Locator, endRecord({ ...none, directory_at: 20 })]);
    assert.equal(openingOf(locator, limits), 'malformed: the archive has a Zip64 locator, which is not read');
    const second = Buffer.concat([u32(0x06054b50), endRecord(none)]);
    assert.equal(openingOf(second, limits), `malformed: the archive ${twoEnds}`);
    const short = Buffer.concat([u32(0x06054b50).subarray(0, 3), endRecord(none)]);
    assert.equal(openingOf(short, limits), `malformed: the archive ${between(3)}`);
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

  it('reads an archive inside a stored member as content', async () => {
    const nested = buildZip([
      { name: 'a', method: 0, content: bytes },
      { name: 'b', method: 0, content: endRecord(whole) },
    ]);
    assert.equal((await contentsOf(nested, limits)).get('a'), bytes.toString('latin1'));
  });

  it('refuses an archive cut at any byte, or with any byte more', () => {
    for (const method of [0, 8]) {
      const archive = buildZip(withB({ method, descriptor: true }));
      for (let length = 0; length < archive.length; length++) {
        const why = openingOf(archive.subarray(0, length), limits);
        assert.match(why, length < 22 ? /too few for a ZIP archive$/ : /cut short/, `${length} bytes`);
      }
      for (let byte = 0; byte < 256; byte++) {
        const why = openingOf(Buffer.concat([archive, Buffer.from([byte])]), limits);
        assert.equal(why, 'malformed: the archive has 1 bytes after its end of central directory record');
      }
    }
  });

  it('refuses an archive cut at the front by any number of bytes', () => {
    for (let length = 1; length < bytes.length; length++) {
      assert.match(
        openingOf(bytes.subarray(length), limits),
        /^malformed: the archive (?:has|lacks|runs|is) /,
        `${length} bytes`,
      );
    }
  });
});

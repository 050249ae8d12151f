import assert from 'node:assert/strict';
import { deflateRawSync } from 'node:zlib';
import { contentsOf, content, limitsFor, refused, withB } from '../support/archive/zip-attack.js';
import {
  buildZip,
  extraField,
  unixMode,
  u32,
  type CentralFields,
  type HeaderFields,
  type ZipMember,
} from '../support/archive/zip-builder.js';

const both = (fields: Partial<HeaderFields>): readonly ZipMember[] => withB({ both: fields });
const central = (fields: Partial<CentralFields>): readonly ZipMember[] => withB({ central: fields });
const local = (fields: Partial<HeaderFields>): readonly ZipMember[] => withB({ local: fields });
const descriptor = (fields: ZipMember['descriptor']): readonly ZipMember[] => withB({ descriptor: fields! });

const notFile = 'that is no regular file';
const dos = 'that is a directory or a volume label of MS-DOS';
const extra = 'that has an extra field';
const differ = 'whose two headers differ';
const zip64 = extraField(1, Buffer.concat([u32(41), u32(0), u32(41), u32(0)]));
const path = extraField(0x7075, Buffer.concat([Buffer.from([1]), u32(0), Buffer.from('../b')]));

/** One row for each rule; archive/fuzz flips every bit of every header besides. */
const cases: readonly (readonly [title: string, why: string, members: readonly ZipMember[]])[] = [
  ['a symbolic link', notFile, central({ external: unixMode(0o120777) })],
  ['a directory', notFile, central({ external: unixMode(0o040755) })],
  ['a link made on MS-DOS', notFile, central({ made_by: 20, external: unixMode(0o120777) })],
  ['a directory of MS-DOS', dos, central({ made_by: 20, external: 0x10 })],
  ['a volume label of MS-DOS', dos, central({ external: 0x08 })],
  ['a member made on VM/CMS', 'that was made on a system that is neither Unix nor MS-DOS', central({ made_by: 0x0714 })],
  ['records of variable length', 'that has internal attributes', central({ internal: 2 })],
  ['an encrypted member', 'that is encrypted', both({ flags: 1 })],
  ...[1, 2, 4, 5, 12, 13, 15].map(
    (bit) =>
      [
        `the flag of bit ${bit}`,
        `that has the flags 0x${(1 << bit).toString(16)}, which no archive that is read here has`,
        both({ flags: 1 << bit }),
      ] as const,
  ),
  ...[1, 9, 99, 65_535].map(
    (method) =>
      [
        `method ${method}`,
        `that is packed by method ${method}; only stored and deflated members are read`,
        withB({ method }),
      ] as const,
  ),
  ['version 6.3', 'that needs version 6.3 of the format, at most 2 is read', both({ version_needed: 63 })],
  ['a deflate stream of one byte', 'that is too short for a deflate stream', withB({ data: Buffer.from([3]) })],
  ['a Zip64 record', extra, both({ extra: zip64 })],
  ['another name in an extra field', extra, central({ extra: path })],
  ['three bytes of an extra field', extra, both({ extra: Buffer.alloc(3) })],
  ['a comment', 'that has a comment', central({ comment: Buffer.from('PK\x05\x06') })],
  ['another local name', differ, local({ name: Buffer.from('../b') })],
  ['another local flag', differ, local({ flags: 8 })],
  ['sizes beside a data descriptor', differ, withB({ descriptor: true, local: { bytes: 41 } })],
  ['a local extra field with another name', differ, local({ extra: path })],
  ['a local extra field beyond the file', differ, local({ extra_bytes: 65_535 })],
  ['no local header', differ, local({ signature: 0x02014b50 })],
  ['another CRC in the data descriptor', 'whose data descriptor is missing or differs', descriptor({ crc: 0 })],
  ['no data descriptor', 'that runs into the central directory', descriptor(Buffer.alloc(0))],
];

describe('archive: headers that are refused', () => {
  for (const [title, why, members] of cases) it(title, () => refused(members, `has a member "b" ${why}`));

  const reader = 'is no ZIP archive that is read here: ';
  const withDescriptor = Buffer.concat([deflateRawSync(content), Buffer.alloc(16)]);
  for (const [title, why, members] of [
    ['strong encryption', `${reader}strong encryption is not supported`, both({ flags: 64 })],
    [
      'a stored member with two sizes',
      `${reader}compressed/uncompressed size mismatch for stored file: 41 != 39`,
      withB({ method: 0, both: { bytes: 39 } }),
    ],
    [
      'a data descriptor without its flag',
      'has 16 bytes between its members and its central directory',
      withB({ data: withDescriptor, both: { packed_bytes: withDescriptor.length - 16 } }),
    ],
  ] as const)
    it(title, () => refused(members, why));
});

describe('archive: headers that are accepted', () => {
  const taken: readonly (readonly [title: string, altered: Partial<ZipMember>])[] = [
    ['stored with a descriptor', { method: 0, descriptor: true }],
    ['a regular file with any permissions', { central: { external: unixMode(0o106777) } }],
    ['made on MS-DOS, read-only', { central: { made_by: 20, external: 0x21 } }],
    ['the UTF-8 flag on an ASCII name', { both: { flags: 0x800 } }],
    ['version 1.0', { method: 0, both: { version_needed: 10 } }],
    ['any time', { both: { time: 0xbf7d, date: 0xff9f } }],
  ];
  for (const [title, altered] of taken) {
    it(title, async () => {
      const contents = await contentsOf(buildZip(withB(altered)), limitsFor(['a', 'b']));
      assert.deepEqual(Object.fromEntries(contents), { a: content, b: altered.content ?? content });
    });
  }
});

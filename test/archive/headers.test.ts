import assert from 'node:assert/strict';
import { deflateRawSync } from 'node:zlib';
import { describe, it } from 'mocha';
import { contentsOf, content, limitsFor, refused, withB } from '../support/archive/zip-attack.js';
import {
  buildZip,
  extraField,
  nothing,
  unixMode,
  u32,
  type CentralFields,
  type HeaderFields,
  type ZipMember,
} from '../support/archive/zip-builder.js';

const b = 'has a member "b"';
const both = (fields: Partial<HeaderFields>): readonly ZipMember[] => withB({ both: fields });
const central = (fields: Partial<CentralFields>): readonly ZipMember[] => withB({ central: fields });
const local = (fields: Partial<HeaderFields>): readonly ZipMember[] => withB({ local: fields });

type Case = readonly [title: string, members: readonly ZipMember[]];
/** Cases that are refused in the same words. */
function suite(title: string, why: string, cases: readonly Case[]): void {
  describe(title, () => {
    for (const [name, members] of cases) it(name, () => refused(members, why));
  });
}

suite('archive: the type of a member', `${b} that is no regular file`, [
  ['a symbolic link', central({ external: unixMode(0o120777) })],
  ['a directory', central({ external: unixMode(0o040755) })],
  ['a character device', central({ external: unixMode(0o020600) })],
  ['a block device', central({ external: unixMode(0o060600) })],
  ['a pipe', central({ external: unixMode(0o010600) })],
  ['a socket', central({ external: unixMode(0o140600) })],
  ['no type that there is', central({ external: unixMode(0o170600) })],
  ['a link made on MS-DOS', central({ made_by: 20, external: unixMode(0o120777) })],
]);
suite('archive: MS-DOS attributes', `${b} that is a directory or a volume label of MS-DOS`, [
  ['a directory', central({ made_by: 20, external: 0x10 })],
  ['a volume label', central({ external: 0x08 })],
]);
suite('archive: a member of a foreign system', `${b} that was made on a system that is neither Unix nor MS-DOS`, [
  ['VM/CMS', central({ made_by: 0x0714 })],
]);
suite('archive: a member of records', `${b} that has internal attributes`, [['of variable length', central({ internal: 2 })]]);

suite('archive: flags of encryption', `${b} that is encrypted`, [['bit 0', both({ flags: 1 })]]);
suite('archive: flags of strong encryption', 'is no ZIP archive that is read here: strong encryption is not supported', [
  ['bit 6', both({ flags: 64 })],
]);
for (const bit of [1, 2, 4, 5, 12, 13, 15]) {
  suite('archive: flags', `${b} that has the flags 0x${(1 << bit).toString(16)}, which no archive that is read here has`, [
    [`bit ${bit}`, both({ flags: 1 << bit })],
  ]);
}

for (const method of [1, 6, 9, 12, 14, 93, 95, 98, 99, 65_535]) {
  suite('archive: methods', `${b} that is packed by method ${method}; only stored and deflated members are read`, [
    [`${method}`, withB({ method })],
  ]);
}
suite('archive: a later version of the format', `${b} that needs version 6.3 of the format, at most 2 is read`, [
  ['6.3', both({ version_needed: 63 })],
]);
suite(
  'archive: a stored member with two sizes',
  'is no ZIP archive that is read here: compressed/uncompressed size mismatch for stored file: 41 != 39',
  [['fewer bytes', withB({ method: 0, both: { bytes: 39 } })]],
);
suite('archive: a deflated member', `${b} that is too short for a deflate stream`, [
  ['of one byte', withB({ data: Buffer.from([3]) })],
]);

const zip64 = extraField(1, Buffer.concat([u32(41), u32(0), u32(41), u32(0)]));
const path = extraField(0x7075, Buffer.concat([Buffer.from([1]), u32(0), Buffer.from('../b')]));
suite('archive: extra fields', `${b} that has an extra field`, [
  ['Zip64', both({ extra: zip64 })],
  ['another name', central({ extra: path })],
  ['another name behind a time', central({ extra: Buffer.concat([extraField(0x5455, Buffer.alloc(5)), path]) })],
  ['another comment', both({ extra: extraField(0x6375, path) })],
  ['strong encryption', both({ extra: extraField(0x17, zip64) })],
  ['AES', both({ extra: extraField(0x9901, zip64) })],
  ['a time', both({ extra: extraField(0x5455, Buffer.alloc(5)) })],
  ['an empty one of a known kind', both({ extra: extraField(0x7075, nothing) })],
  ['an empty one', both({ extra: extraField(0xcafe, nothing) })],
  ['three bytes', both({ extra: Buffer.alloc(3) })],
]);
suite('archive: comments', `${b} that has a comment`, [['an end record', central({ comment: Buffer.from('PK\x05\x06') })]]);

suite('archive: local headers that say something else', `${b} whose two headers differ`, [
  ['name', local({ name: Buffer.from('c') })],
  ['a name that leads out', local({ name: Buffer.from('../b') })],
  ['length of the name', local({ name_bytes: 2 })],
  ['version needed', local({ version_needed: 10 })],
  ['flags', local({ flags: 1 })],
  ['the descriptor flag', local({ flags: 8 })],
  ['method', local({ method: 0 })],
  ['time', local({ time: 1 })],
  ['date', local({ date: 1 })],
  ['CRC', local({ crc: 0 })],
  ['packed size', local({ packed_bytes: 1 })],
  ['size', local({ bytes: 40 })],
  ['sizes beside a data descriptor', withB({ descriptor: true, local: { bytes: 41 } })],
  ['an extra field with another name', local({ extra: path })],
  ['an extra field that claims more than the file has', local({ extra_bytes: 65_535 })],
  ['no local header at all', local({ signature: 0x02014b50 })],
]);

const withDescriptor = Buffer.concat([deflateRawSync(content), Buffer.alloc(16)]);
const descriptor = (fields: ZipMember['descriptor']): readonly ZipMember[] => withB({ descriptor: fields! });
suite('archive: data descriptors that say something else', `${b} whose data descriptor is missing or differs`, [
  ['CRC', descriptor({ crc: 0 })],
  ['packed size', descriptor({ packed_bytes: 0 })],
  ['size', descriptor({ bytes: 0 })],
  ['no signature', descriptor({ signature: 0 })],
]);
suite('archive: no data descriptor', `${b} that runs into the central directory`, [['none', descriptor(Buffer.alloc(0))]]);
suite('archive: a data descriptor without its flag', 'has 16 bytes between its members and its central directory', [
  ['16 bytes', withB({ data: withDescriptor, both: { packed_bytes: withDescriptor.length - 16 } })],
]);

describe('archive: headers that are accepted', () => {
  const taken: readonly (readonly [title: string, altered: Partial<ZipMember>])[] = [
    ['stored', { method: 0 }],
    ['deflated', { method: 8 }],
    ['with a descriptor', { descriptor: true }],
    ['stored with a descriptor', { method: 0, descriptor: true }],
    ['a regular file with any permissions', { central: { external: unixMode(0o106777) } }],
    ['made on MS-DOS, read-only', { central: { made_by: 20, external: 0x21 } }],
    ['the UTF-8 flag on an ASCII name', { both: { flags: 0x800 } }],
    ['version 1.0', { method: 0, both: { version_needed: 10 } }],
    ['any time', { both: { time: 0xbf7d, date: 0xff9f } }],
    ['empty', { content: '' }],
    ['empty and stored', { method: 0, content: '' }],
  ];
  for (const [title, altered] of taken) {
    it(title, async () => {
      const contents = await contentsOf(buildZip(withB(altered)), limitsFor(['a', 'b']));
      assert.deepEqual(Object.fromEntries(contents), { a: content, b: altered.content ?? content });
    });
  }
});

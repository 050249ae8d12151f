import assert from 'node:assert/strict';
import { deflateRawSync } from 'node:zlib';
import { describe, it } from 'mocha';
import { contentsOf, content, limitsFor, refused, withB } from '../support/zip-attack.js';
import {
  buildZip,
  extraField,
  nothing,
  unixMode,
  u32,
  type CentralFields,
  type HeaderFields,
  type ZipMember,
} from '../support/zip-builder.js';

const b = 'has a member "b"';
const both = (fields: Partial<HeaderFields>): readonly ZipMember[] => withB({ both: fields });
const central = (fields: Partial<CentralFields>): readonly ZipMember[] => withB({ central: fields });
const local = (fields: Partial<HeaderFields>): readonly ZipMember[] => withB({ local: fields });

type Case = readonly [title: string, members: readonly ZipMember[], why: string];
function suite(title: string, cases: readonly Case[]): void {
  describe(title, () => {
    for (const [name, members, why] of cases) it(name, () => refused(members, why));
  });
}

suite('archive: the kind of a member', [
  ['a symbolic link', central({ external: unixMode(0o120777) }), `${b} that is a symbolic link`],
  ['a directory', central({ external: unixMode(0o040755) }), `${b} that is a directory`],
  ['a character device', central({ external: unixMode(0o020600) }), `${b} that is a character device`],
  ['a block device', central({ external: unixMode(0o060600) }), `${b} that is a block device`],
  ['a pipe', central({ external: unixMode(0o010600) }), `${b} that is a pipe`],
  ['a socket', central({ external: unixMode(0o140600) }), `${b} that is a socket`],
  ['no type that there is', central({ external: unixMode(0o170600) }), `${b} that is no regular file`],
  ['a link made on MS-DOS', central({ made_by: 20, external: unixMode(0o120777) }), `${b} that is a symbolic link`],
  ['an MS-DOS directory', central({ made_by: 20, external: 0x10 }), `${b} that is a directory (MS-DOS attribute)`],
  ['a volume label', central({ external: 0x08 }), `${b} that is a volume label`],
  ['of a foreign system', central({ made_by: 0x0714 }), `${b} that was made on host system 7, neither Unix nor MS-DOS`],
  ['records', central({ internal: 2 }), `${b} that has internal attributes`],
]);

const flags: readonly (readonly [bit: number, why: string])[] = [
  [0, 'is encrypted (flag bit 0)'],
  [1, 'sets flag bit 1, which no archive that is read here does'],
  [2, 'sets flag bit 2, which no archive that is read here does'],
  [4, 'sets flag bit 4, which no archive that is read here does'],
  [5, 'is patch data (flag bit 5)'],
  [6, 'is strongly encrypted (flag bit 6)'],
  [12, 'sets flag bit 12, which no archive that is read here does'],
  [13, 'has its header masked (flag bit 13)'],
  [15, 'sets flag bit 15, which no archive that is read here does'],
];
suite(
  'archive: flags',
  flags.map(([bit, why]) => [`bit ${bit}`, both({ flags: 1 << bit }), `${b} that ${why}`]),
);

const packed = (method: number, name: string): Case => [
  name,
  withB({ method }),
  `${b} that is packed by method ${method} (${name}); only stored and deflated members are read`,
];
suite('archive: methods', [
  packed(1, 'shrink'),
  packed(6, 'implode'),
  packed(9, 'deflate64'),
  packed(12, 'bzip2'),
  packed(14, 'LZMA'),
  packed(93, 'Zstandard'),
  packed(95, 'XZ'),
  packed(98, 'PPMd'),
  packed(99, 'AES encryption'),
  packed(65_535, 'unknown'),
  ['a later version of the format', both({ version_needed: 63 }), `${b} that needs version 6.3 of the format, at most 2 is read`],
  ['stored with two sizes', withB({ method: 0, both: { bytes: 39 } }), `${b} that is stored, with two sizes: 41 and 39 bytes`],
  ['deflated to one byte', withB({ data: Buffer.from([3]) }), `${b} that is too short for a deflate stream`],
]);

const zip64 = extraField(1, Buffer.concat([u32(41), u32(0), u32(41), u32(0)]));
const path = extraField(0x7075, Buffer.concat([Buffer.from([1]), u32(0), Buffer.from('../b')]));
suite('archive: extra fields and comments', [
  ['Zip64', both({ extra: zip64 }), `${b} that has a Zip64 extra field (0x0001)`],
  ['another name', central({ extra: path }), `${b} that has an extra field that claims another name (0x7075)`],
  [
    'another name behind a time',
    central({ extra: Buffer.concat([extraField(0x5455, Buffer.alloc(5)), path]) }),
    `${b} that has an extra field that claims another name (0x7075)`,
  ],
  [
    'another name, in the local header only',
    local({ extra: path }),
    `${b} that has an extra field that claims another name (0x7075) in its local header`,
  ],
  [
    'another comment',
    both({ extra: extraField(0x6375, path) }),
    `${b} that has an extra field that claims another comment (0x6375)`,
  ],
  ['strong encryption', both({ extra: extraField(0x17, zip64) }), `${b} that has a strong encryption extra field (0x0017)`],
  ['AES', both({ extra: extraField(0x9901, zip64) }), `${b} that has an AES encryption extra field (0x9901)`],
  ['a time', both({ extra: extraField(0x5455, Buffer.alloc(5)) }), `${b} that has an extra field (0x5455)`],
  [
    'an empty one of that kind',
    both({ extra: extraField(0x7075, nothing) }),
    `${b} that has an extra field that claims another name (0x7075)`,
  ],
  ['an empty one', both({ extra: extraField(0xcafe, nothing) }), `${b} that has an extra field (0xcafe)`],
  ['three bytes', both({ extra: Buffer.alloc(3) }), `${b} that has an extra field that is cut short`],
  [
    'a local one that claims more than the file has',
    local({ extra_bytes: 65_535 }),
    `${b} that has an extra field (0xcfcb) in its local header`,
  ],
  ['a comment', central({ comment: Buffer.from('PK\x05\x06') }), `${b} that has a comment of 4 bytes`],
]);

const differ = (what: string): string => `${b} whose two headers differ in ${what}`;
suite('archive: local headers that say something else', [
  ['name', local({ name: Buffer.from('c') }), `${b} whose local header has another name, "c"`],
  ['a name that leads out', local({ name: Buffer.from('../b') }), differ('the length of its name')],
  ['length of the name', local({ name_bytes: 2 }), differ('the length of its name')],
  ['version needed', local({ version_needed: 10 }), differ('the version needed')],
  ['flags', local({ flags: 1 }), differ('flags')],
  ['the descriptor flag', local({ flags: 8 }), differ('flags')],
  ['method', local({ method: 0 }), differ('method')],
  ['time', local({ time: 1 }), differ('time')],
  ['date', local({ date: 1 }), differ('date')],
  ['CRC', local({ crc: 0 }), differ('CRC')],
  ['packed size', local({ packed_bytes: 1 }), differ('packed size')],
  ['size', local({ bytes: 40 }), differ('size')],
  ['no local header at all', local({ signature: 0x02014b50 }), `${b} without a local header where the central directory has it`],
]);

const withDescriptor = Buffer.concat([deflateRawSync(content), Buffer.alloc(16)]);
const descriptor = (fields: ZipMember['descriptor']): readonly ZipMember[] => withB({ descriptor: fields! });
suite('archive: data descriptors that say something else', [
  ['CRC', descriptor({ crc: 0 }), `${b} whose data descriptor differs from the central directory`],
  ['packed size', descriptor({ packed_bytes: 0 }), `${b} whose data descriptor differs from the central directory`],
  ['size', descriptor({ bytes: 0 }), `${b} whose data descriptor differs from the central directory`],
  ['no signature', descriptor({ signature: 0 }), `${b} whose data descriptor is missing`],
  ['none', descriptor(Buffer.alloc(0)), `${b} that runs into the central directory`],
  [
    'without the flag',
    withB({ data: withDescriptor, both: { packed_bytes: withDescriptor.length - 16 } }),
    'has 16 bytes between its members and its central directory',
  ],
  ['sizes in the local header as well', withB({ descriptor: true, local: { bytes: 41 } }), differ('size')],
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

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackWithin, type UnpackLimits } from '../../src/archive/foreign.js';
import { RefusalError } from '../../src/base/refusal.js';
import { buildZip, extraField, nothing, type ZipMember, type ZipShape } from '../support/archive/zip-builder.js';
import { sha256Hex } from '../../src/base/bytes.js';
import { prng } from '../../src/base/prng.js';
import { openArchive } from '../../src/archive/read.js';
import { writeArchive } from '../../src/archive/write.js';
import { folderForEach } from '../support/app/temporary-home.js';
import { real } from '../support/real.js';
import { roomy } from '../support/archive/zip-attack.js';

const limits: UnpackLimits = { members_max: 5, bytes_max: 4_000_000, ratio_max: 100 };
const unpack = async (bytes: Buffer): Promise<ReadonlyMap<string, Buffer>> =>
  unpackWithin(bytes, 'a.docx', limits, (name) => name !== 'unread');
const refused = async (bytes: Buffer, code: string, detail: RegExp): Promise<void> =>
  assert.rejects(unpack(bytes), (error) => {
    assert(error instanceof RefusalError, String(error));
    assert.equal(error.refusal.code, code);
    assert.match(error.refusal.detail, detail);
    return true;
  });
const two: readonly ZipMember[] = [
  { name: 'a', content: 'first' },
  { name: 'b', content: 'second' },
];

describe('archive: archives of other programs', () => {
  const accepted: readonly (readonly [string, readonly ZipMember[], ZipShape?])[] = [
    ['as they are', two],
    ['with extra fields', two.map((member) => ({ ...member, both: { extra: extraField(0x5455, Buffer.alloc(5)) } }))],
    ['with extra fields in one header only', two.map((member) => ({ ...member, local: { extra: extraField(0xcafe, nothing) } }))],
    ['with data descriptors', two.map((member) => ({ ...member, descriptor: true as const }))],
    ['with flags of the compression', two.map((member) => ({ ...member, both: { flags: 6 } }))],
    ['with bytes between members', two.map((member) => ({ ...member, before: Buffer.alloc(9) }))],
    ['with a comment', two, { comment: Buffer.from('made by a program') }],
  ];
  for (const [title, members, shape] of accepted) {
    it(`unpacks members ${title}`, async () => {
      const unpacked = await unpack(buildZip([...members, { name: 'unread', content: 'x' }], shape));
      assert.deepEqual(
        [...unpacked].map(([name, bytes]) => [name, bytes.toString()]),
        [
          ['a', 'first'],
          ['b', 'second'],
        ],
      );
    });
  }

  it('admits any ratio of a small member', async () => {
    const unpacked = await unpack(buildZip([{ name: 'a', content: Buffer.alloc(1_000_000) }]));
    assert.equal(unpacked.get('a')?.length, 1_000_000);
  });

  const zeros = Buffer.alloc(2_000_000);
  const refusals: readonly (readonly [string, Buffer, string, RegExp])[] = [
    [
      'a member over the ratio, also where nobody reads it',
      buildZip([{ name: 'unread', content: zeros }]),
      'too_large',
      /"unread" that unpacks to more than 100 times/,
    ],
    ['more members than the limit', buildZip([...'abcdef'].map((name) => ({ name }))), 'too_large', /more than 5 members/],
    [
      'more bytes than the limit',
      buildZip([1, 2, 3].map((n) => ({ name: `${n}`, content: zeros, method: 0 }))),
      'too_large',
      /more than 4000000 bytes/,
    ],
    [
      'a member that holds more than it declares',
      buildZip([{ name: 'a', content: zeros, both: { bytes: 10 } }]),
      'malformed',
      /more than the 10 bytes/,
    ],
    ['members that overlap', buildZip([two[0]!, { name: 'b', central: { local_at: 0 } }]), 'malformed', /overlap/],
    ['two members of a name', buildZip([two[0]!, two[0]!]), 'malformed', /two members "a"/],
    ['an encrypted member', buildZip([{ name: 'a', content: 'x', both: { flags: 1 } }]), 'malformed', /encrypted/],
    ['content without its CRC', buildZip([{ name: 'a', content: 'x', both: { crc: 1 } }]), 'malformed', /CRC/],
    ['an archive that is cut off', buildZip(two).subarray(0, 60), 'malformed', /damaged or cut off/],
    ['a method that nobody reads', buildZip([{ name: 'a', method: 12 }]), 'malformed', /method 12/],
  ];
  for (const [title, bytes, code, detail] of refusals) it(`refuses ${title}`, async () => refused(bytes, code, detail));
});

const folder = folderForEach();
const at = (name: string): string => join(folder.get(), name);
const big = Buffer.alloc(3_000_001, 'PK\x03\x04PK\x01\x02PK\x07\x08PK\x05\x06', 'latin1');

function python(script: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('python3', ['-c', script, ...args], { encoding: 'utf8' });
  assert.deepEqual([status, stderr], [0, '']);
  return stdout;
}

real('python', "archive: Python's zipfile", () => {
  it('reads what was written', async function () {
    const script = `
import hashlib, json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    print(json.dumps([[i.filename, i.date_time, i.external_attr, i.create_system, len(i.extra), i.compress_type,
        hashlib.sha256(archive.read(i)).hexdigest()] for i in archive.infolist()]))
`;
    const members = [
      { name: 'a.txt', source: Buffer.from('hello') },
      { name: 'x/empty', source: Buffer.alloc(0) },
      { name: 'big', source: big },
      { name: 'último', source: Buffer.from('4') },
      { name: 'random', source: Buffer.from(Array.from({ length: 1_100_000 }, prng(1).uint32)) },
    ];
    writeFileSync(at('x.zip'), '');
    await writeArchive(at('x.zip'), members);
    const fixed = [[1980, 1, 1, 0, 0, 0], 0o600 * 0x10000, 3, 0, 0];
    assert.deepEqual(
      JSON.parse(python(script, at('x.zip'))),
      members.map(({ name, source }) => [name, ...fixed, sha256Hex(source)]),
    );
  });

  it('writes what can be read, also into a pipe', async function () {
    const script = `
import sys, zipfile
class Pipe:
    def __init__(self, file): self.file = file
    def write(self, data): return self.file.write(data)
    def flush(self): self.file.flush()
with open(sys.argv[1], 'wb') as file:
    with zipfile.ZipFile(Pipe(file) if sys.argv[2] == 'pipe' else file, 'w') as archive:
        archive.writestr('deflated', 'text ' * 1000, zipfile.ZIP_DEFLATED)
        archive.writestr('stored \u00fc', 'text', zipfile.ZIP_STORED)
        archive.write(sys.argv[3], 'x/file', zipfile.ZIP_DEFLATED)
`;
    writeFileSync(at('file'), big);
    for (const kind of ['file', 'pipe']) {
      python(script, at('x.zip'), kind, at('file'));
      const archive = await openArchive(at('x.zip'), { members: ['deflated', 'stored ü', 'x/file'], ...roomy });
      assert.equal((await archive.read('deflated', 5_000)).toString(), 'text '.repeat(1_000));
      assert.equal((await archive.read('stored ü', 5_000)).toString(), 'text');
      assert.ok((await archive.read('x/file', big.length)).equals(big), kind);
      archive.close();
    }
  });
});

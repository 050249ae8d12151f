import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { unpackWithin, type UnpackLimits } from '../../src/archive/foreign.js';
import { RefusalError } from '../../src/base/result.js';
import { buildZip, extraField, nothing, type ZipMember, type ZipShape } from '../support/archive/zip-builder.js';

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

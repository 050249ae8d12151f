/** Altered archives: each is refused by a refusal, or read as what it was. TEST_EFFORT=full runs 100 000 mutants. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { openArchiveBytes } from '../../src/archive/read.js';
import { archiveBytes } from '../../src/archive/write.js';
import { RefusalError } from '../../src/base/refusal.js';
import { atEffort, effort } from '../support/effort.js';
import { contentsOf, content, limitsFor, roomy, withB } from '../support/archive/zip-attack.js';
import { buildZip } from '../support/archive/zip-builder.js';
import { mutateZip, partsOfZip } from '../support/archive/zip-mutate.js';

const limits = limitsFor(['a', 'b']);
const kinds = {
  deflated: buildZip(withB({})),
  stored: buildZip(withB({ method: 0 })),
  'with a descriptor': buildZip(withB({ descriptor: true })),
};

/** Whether an archive is read: then its contents are `expected`. Anything but a refusal of two codes fails. */
async function taken(bytes: Buffer, expected: ReadonlyMap<string, string>, what: string): Promise<boolean> {
  try {
    const contents = await contentsOf(bytes, limits);
    assert.deepEqual(Object.fromEntries(contents), Object.fromEntries(expected), what);
    return true;
  } catch (error) {
    if (!(error instanceof RefusalError)) throw new Error(what, { cause: error });
    assert.match(error.refusal.code, /^(?:malformed|too_large)$/, what);
    assert.match(error.refusal.detail, /^the archive [ -~…]+$/, what);
    return false;
  }
}

/**
 * The offsets of bytes in which a change may be taken: the version of the maker, permissions and attributes; and deflate data, where
 * a text has many forms and the last byte may have bits that nobody reads (RFC 1951, section 3.2.3).
 */
function free(bytes: Buffer): ReadonlySet<number> {
  const { centrals } = partsOfZip(bytes);
  const deflated = centrals.filter((at) => bytes.readUInt16LE(at + 10) === 8);
  const data = deflated.flatMap((at) => {
    const from = bytes.readUInt32LE(at + 42) + 30 + bytes.readUInt16LE(at + 28);
    return Array.from({ length: bytes.readUInt32LE(at + 20) }, (_, n) => from + n);
  });
  return new Set([...centrals.flatMap((at) => [4, 5, 38, 39, 40, 41].map((offset) => at + offset)), ...data]);
}

describe('archive: each bit of a small archive', () => {
  for (const [kind, bytes] of Object.entries(kinds)) {
    it(`is refused or changes nothing when it is flipped: ${kind}`, async () => {
      const expected = await contentsOf(bytes, limits);
      const harmless = free(bytes);
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const flipped = Buffer.from(bytes);
        flipped[bit >> 3]! ^= 1 << (bit & 7);
        const what = `bit ${bit & 7} of byte ${bit >> 3}`;
        if (await taken(flipped, expected, what)) assert.ok(harmless.has(bit >> 3), what);
      }
    });
  }
});

describe('archive: mutants', () => {
  const seed = 20_261_120;
  const total = atEffort(6_000, 100_000);

  it(`are refused or read unchanged: ${total} of them`, async () => {
    const bases = Object.values(kinds);
    const expected = await contentsOf(bases[0]!, limits);
    let read = 0;
    for (let index = 0; index < total; index++) {
      const { bytes, what } = mutateZip(bases[index % bases.length]!, seed, index, bases);
      if (await taken(bytes, expected, what)) read++;
    }
    console.log(`      ${read} of ${total} were read`);
    assert.ok(read > 0 && read < total / 4, `${read} read`);
  });
});

describe('archive: properties', () => {
  const part = fc.stringMatching(/^[a-z0-9_]{1,8}(?:\.[a-z0-9]{1,4})?$/);
  const name = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
  const members = fc.uniqueArray(fc.record({ name, source: fc.uint8Array({ maxLength: 3_000 }) }), {
    selector: (member) => member.name,
    maxLength: 8,
  });

  it('reads back what is written', async () => {
    const property = fc.asyncProperty(members, async (given) => {
      const bytes = await archiveBytes(given.map(({ name, source }) => ({ name, source: Buffer.from(source) })));
      const archive = await openArchiveBytes(bytes, { members: given.map((member) => member.name), ...roomy });
      assert.deepEqual(
        archive.names,
        given.map((member) => member.name),
      );
      for (const { name, source } of given) assert.ok((await archive.read(name, 3_000)).equals(source), name);
    });
    await fc.assert(property, { numRuns: 100 * effort });
  });

  it('refuses any bytes without a fault, also before an end record', async () => {
    const end = kinds.stored.subarray(-22);
    const property = fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
      assert.equal(await taken(Buffer.from(bytes), new Map(), 'bytes'), false);
      assert.equal(await taken(Buffer.concat([bytes, end]), new Map(), 'bytes and an end record'), false);
    });
    await fc.assert(property, { numRuns: 300 * effort });
  });

  it('refuses any other deflate data', async () => {
    const property = fc.asyncProperty(fc.uint8Array({ minLength: 2, maxLength: 60 }), async (data) => {
      const bytes = buildZip(withB({ content, data: Buffer.from(data) }));
      assert.equal(await taken(bytes, new Map(), 'deflate data'), false);
    });
    await fc.assert(property, { numRuns: 300 * effort });
  });
});

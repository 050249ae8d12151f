import assert from 'node:assert/strict';
import { crc32, deflateRawSync } from 'node:zlib';
import { sha256Hex } from '../../src/base/bytes.js';
import { openArchiveBytes } from '../../src/archive/read.js';
import { contentsOf, content, limitsFor, openingOf, refusalOf, roomy, withB } from '../support/archive/zip-attack.js';
import { buildZip, type ZipMember } from '../support/archive/zip-builder.js';

const limits = limitsFor(['a', 'b']);
const open = async (members: readonly ZipMember[], bytes_max = roomy.bytes_max) =>
  await openArchiveBytes(buildZip(members), { ...limits, bytes_max });
const refused = async (altered: Partial<ZipMember>, why: string): Promise<void> => {
  const bytes = buildZip(withB(altered));
  // The structure has nothing wrong: only what is inside does.
  (await openArchiveBytes(bytes, limits)).close();
  assert.equal(await refusalOf(bytes, limits), `malformed: the archive has a member "b" ${why}`);
};

/** Blocks of RFC 1951, section 3.2.4: stored, `final` marks the last one. */
function storedBlocks(content: Buffer, length: number): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < content.length; at += length) {
    const block = content.subarray(at, at + length);
    const final = at + length >= content.length ? 1 : 0;
    const head = Buffer.alloc(5);
    head.writeUInt8(final, 0);
    head.writeUInt16LE(block.length, 1);
    head.writeUInt16LE(block.length ^ 0xffff, 3);
    pieces.push(head, block);
  }
  return Buffer.concat(pieces);
}

describe('archive: content', () => {
  const big = Buffer.alloc(300_000, 'a text that does not fit into one piece; ');

  it('is returned whole, stored or deflated', async () => {
    for (const method of [0, 8]) {
      for (const expected of [Buffer.alloc(0), Buffer.from('x'), big.subarray(0, 65_536), big]) {
        const archive = await open(withB({ method, content: expected }));
        const pieces: Buffer[] = [];
        await archive.extract('b', (chunk) => void pieces.push(chunk));
        assert.ok(Buffer.concat(pieces).equals(expected));
        assert.ok(pieces.every((piece) => piece.length > 0 && piece.length <= 65_536));
        assert.ok((await archive.read('b', expected.length)).equals(expected));
      }
    }
  });

  it('is read twice, and by several at once', async () => {
    const archive = await open(withB({ content: big }));
    const all = await Promise.all(['b', 'a', 'b', 'b'].map(async (name) => archive.read(name, 300_000)));
    assert.deepEqual(all.map(sha256Hex), [big, Buffer.from(content), big, big].map(sha256Hex));
  });

  it('is refused with another CRC, zero too', async () => {
    const why = 'whose content does not have its CRC';
    await refused({ both: { crc: crc32(content) ^ 1 } }, why);
    await refused({ both: { crc: 0 } }, why);
    await refused({ method: 0, both: { crc: 0 } }, why);
    await refused({ content: '', both: { crc: 1 } }, why);
    await refused({ descriptor: true, both: { crc: 5 }, local: { crc: 0 } }, why);
  });

  it('is refused when it is shorter than declared', async () => {
    await refused({ both: { bytes: 42 } }, 'that holds 41 bytes and declares 42');
    await refused({ data: Buffer.from([3, 0]) }, 'that holds 0 bytes and declares 41');
  });

  it('is refused when it is longer than declared', async () => {
    await refused({ both: { bytes: 40 } }, 'that holds more than the 40 bytes it declares');
    await refused({ both: { bytes: 0 } }, 'that holds more than the 0 bytes it declares');
  });

  it('is refused with a broken deflate stream', async () => {
    const whole = deflateRawSync(content);
    const cut = 'whose deflate stream is cut short';
    const broken = 'whose deflate stream is broken';
    await refused({ data: whole.subarray(0, -1) }, cut);
    await refused({ data: Buffer.from([0, 0]) }, cut);
    await refused(
      { data: Buffer.alloc(70_000, storedBlocks(Buffer.alloc(9), 5).subarray(0, 10)) },
      'that holds more than the 41 bytes it declares',
    );
    await refused({ data: Buffer.from([7, 0]) }, broken);
    await refused({ data: Buffer.concat([Buffer.from([1, 5, 0, 0, 0]), Buffer.alloc(9)]) }, broken);
  });

  it('is refused with bytes after the end of its deflate stream', async () => {
    const whole = deflateRawSync(content);
    for (const rest of [1, 2, 5, 70_000, 300_000]) {
      for (const fill of [0, 0xff]) {
        await refused(
          { data: Buffer.concat([whole, Buffer.alloc(rest, fill)]) },
          `with ${rest} bytes behind the end of its deflate stream`,
        );
      }
    }
    await refused({ data: Buffer.concat([whole, whole]) }, `with ${whole.length} bytes behind the end of its deflate stream`);
    // The stream ends where a piece of the input does.
    for (const pieces of [1, 2]) {
      const bytes = Buffer.alloc(pieces * 65_536 - 5 * pieces, 'x');
      const data = storedBlocks(bytes, 65_531);
      assert.equal(data.length, pieces * 65_536);
      for (const rest of [1, 65_536, 200_000]) {
        const longer = { content: bytes, data: Buffer.concat([data, Buffer.alloc(rest)]) };
        await refused(longer, `with ${rest} bytes behind the end of its deflate stream`);
      }
      assert.equal((await contentsOf(buildZip(withB({ content: bytes, data })), limits)).get('b')?.length, bytes.length);
    }
  });
});

describe('archive: bombs', () => {
  const bomb = deflateRawSync(Buffer.alloc(50_000_000), { level: 9 });

  it('are refused at the opening when they declare their size', async () => {
    const bytes = buildZip(withB({ data: bomb, both: { bytes: 50_000_000 } }));
    assert.equal(bytes.length < 60_000, true);
    assert.equal(
      await openingOf(bytes, limits),
      'too_large: the archive declares 50000041 bytes of members, at most 10000000 are read',
    );
  });

  it('are stopped before a byte too many is returned when they declare less', async () => {
    for (const declared of [0, 1, 65_535, 65_536, 65_537, 1_000_000]) {
      const archive = await open(withB({ data: bomb, both: { bytes: declared } }));
      let written = 0;
      const extracting = archive.extract('b', (chunk) => void (written += chunk.length));
      await assert.rejects(extracting, { message: new RegExp(`holds more than the ${declared} bytes it declares$`) });
      assert.ok(written <= declared, `${written} of ${declared}`);
      assert.ok(written > declared - 65_536);
    }
  });

  it('are counted over all members', async () => {
    const why = 'too_large: the archive declares 82 bytes of members, at most 81 are read';
    assert.equal(await openingOf(buildZip(withB({})), { ...limits, bytes_max: 81 }), why);
    (await open(withB({}), 82)).close();
  });

  it('are refused in one member when it is read whole', async () => {
    const archive = await open(withB({ content: 'twelve bytes' }));
    const why = 'too_large: the archive has a member "b" of 12 bytes, at most 11 are read';
    await assert.rejects(archive.read('b', 11), { name: 'RefusalError', message: why });
    assert.equal((await archive.read('b', 12)).toString(), 'twelve bytes');
  });
});

/** RFC 8785, section 3.2.2.3: the numbers of the RFC author's sequence, whose printed lines are compared by checksum. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { effort } from '../support/effort.js';
import { packageRoot } from '../support/package-root.js';

interface Numbers {
  /** Bits of the doubles that come first, in hexadecimal. */
  readonly first: readonly string[];
  readonly checksums: readonly { readonly lines: number; readonly sha256: string }[];
}
const file = join(packageRoot(import.meta.url), 'test', 'vectors', 'rfc8785', 'es6-numbers.json');
const { first, checksums } = JSON.parse(readFileSync(file, 'utf8')) as Numbers;

const smallest_normal = 0x0010_0000_0000_0000n;
const serial_count = 2_000;

/** The given doubles, 2000 from the smallest normal one upwards, then a chain of SHA-256 blocks as four little-endian doubles each. */
function* sequence(): Generator<number> {
  const bits = Buffer.alloc(8);
  const doubleOf = (u64: bigint): number => {
    bits.writeBigUInt64LE(u64);
    return bits.readDoubleLE(0);
  };
  for (const hex of first) yield doubleOf(BigInt(`0x${hex}`));
  for (let i = 0; i < serial_count; i++) yield doubleOf(smallest_normal + BigInt(i));
  for (let block: Buffer = Buffer.alloc(32); ; ) {
    block = createHash('sha256').update(block).digest();
    for (let at = 0; at < block.length; at += 8) {
      const value = block.readDoubleLE(at);
      if (value !== 0 && Number.isFinite(value)) yield value;
    }
  }
}

describe('canonical JSON: the sequence of ES6 numbers', () => {
  const most = effort > 1 ? 1_000_000 : 100_000;

  it(`prints the first ${most} as published`, () => {
    const bits = Buffer.alloc(8);
    const hash = createHash('sha256');
    const wanted = new Map(checksums.map(({ lines, sha256 }) => [lines, sha256]));
    const reached: number[] = [];
    let lines = 0;
    for (const value of sequence()) {
      bits.writeDoubleLE(value);
      hash.update(`${bits.readBigUInt64LE(0).toString(16)},${canonicalJson(value)}\n`);
      lines++;
      const sha256 = wanted.get(lines);
      if (sha256 === undefined) continue;
      assert.equal(hash.copy().digest('hex'), sha256, `the first ${lines}`);
      reached.push(lines);
      if (lines === most) break;
    }
    assert.deepEqual(
      reached,
      [1_000, 10_000, 100_000, 1_000_000].filter((each) => each <= most),
    );
  });
});

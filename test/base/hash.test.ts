import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { sha256, sha256Hex } from '../../src/base/hash.js';

/** FIPS 180-4 examples and NIST's SHA-2 additional vectors. */
const vectors: readonly (readonly [string, string | Uint8Array, string])[] = [
  ['the empty text', '', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc (one block)', 'abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    '448 bits (two blocks)',
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
  [
    '896 bits',
    'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
    'cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1',
  ],
  ['a million times a', 'a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
  ['the byte bd', Uint8Array.from([0xbd]), '68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b'],
  ['55 zero bytes', new Uint8Array(55), '02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7'],
  ['64 zero bytes', new Uint8Array(64), 'f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b'],
];

describe('hash: SHA-256', () => {
  for (const [name, data, expected] of vectors) {
    it(`hashes ${name}`, () => {
      assert.equal(sha256Hex(data), expected);
      assert.equal(sha256(data).toString('hex'), expected);
    });
  }

  it('hashes texts as UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.equal(sha256Hex(text), createHash('sha256').update(Buffer.from(text, 'utf8')).digest('hex'));
        assert.equal(sha256Hex(Buffer.from(text, 'utf8')), sha256Hex(text));
      }),
    );
  });

  it('hashes a view, not the buffer under it', () => {
    const whole = Buffer.from('xabcx');
    assert.equal(sha256Hex(whole.subarray(1, 4)), vectors[1]![2]);
  });
});

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { fromBase64, fromHex, fromUtf8, toBase64, toHex, utf8 } from '../../src/base/bytes.js';
import { sha256, sha256Hex } from '../../src/base/hash.js';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

describe('bytes: base64 (RFC 4648)', () => {
  it('reads and prints the vectors of section 10', () => {
    const table = [
      ['', ''],
      ['f', 'Zg=='],
      ['fo', 'Zm8='],
      ['foo', 'Zm9v'],
      ['foob', 'Zm9vYg=='],
      ['fooba', 'Zm9vYmE='],
      ['foobar', 'Zm9vYmFy'],
    ] as const;
    for (const [plain, encoded] of table) {
      assert.equal(toBase64(utf8(plain)), encoded);
      assert.equal(fromBase64(encoded)?.toString('latin1'), plain);
    }
  });

  it('reads what it prints', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) =>
        assert.deepEqual(fromBase64(toBase64(bytes)), Buffer.from(bytes)),
      ),
    );
  });

  it('prints a view, not the buffer under it', () => {
    const whole = Uint8Array.from([1, 2, 3, 4, 5, 6]);
    assert.equal(toBase64(whole.subarray(2, 4)), 'AwQ=');
    assert.equal(toHex(whole.subarray(2, 4)), '0304');
  });

  it('takes exactly the tails without stray bits', () => {
    for (const [i, c] of alphabet.split('').entries()) {
      assert.equal(fromBase64(`A${c}==`) !== null, i % 16 === 0, `A${c}==`);
      assert.equal(fromBase64(`AA${c}=`) !== null, i % 4 === 0, `AA${c}=`);
      assert.notEqual(fromBase64(`AAA${c}`), null);
    }
  });

  it('refuses every other spelling', () => {
    const others = [
      'Zg',
      'Zg=',
      'Z',
      '=',
      '==',
      '====',
      'Zg===',
      'Zm8',
      'Zm9v=',
      'Zg==Zg==',
      'Zm=v',
      '=Zm8',
      ' Zg==',
      'Zg==\n',
      'Zm9v\n',
      'Zm\n9v',
      'Zm-_',
      'Zm9.',
      'Zmé=',
      'A===',
      'Zm9vYg==AAAA',
    ];
    for (const text of others) assert.equal(fromBase64(text), null, JSON.stringify(text));
  });
});

describe('bytes: hexadecimal', () => {
  it('reads what it prints', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => assert.deepEqual(fromHex(toHex(bytes)), Buffer.from(bytes))),
    );
  });

  it('refuses odd lengths, upper case, prefixes and white space', () => {
    for (const text of ['0', '000', 'AB', 'aB', '0x00', 'zz', ' 00', '00 ', '00\n', '0 0', '٠٠'])
      assert.equal(fromHex(text), null, JSON.stringify(text));
    assert.deepEqual(fromHex(''), Buffer.alloc(0));
  });
});

describe('bytes: UTF-8', () => {
  it('reads what it prints, astral characters and byte order mark included', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => assert.equal(fromUtf8(utf8(text)), text)));
    assert.equal(fromUtf8(utf8('\ufeffa')), '\ufeffa');
  });

  it('refuses what is not UTF-8', () => {
    const table = [
      '80',
      'c0af',
      'c1bf',
      'c3',
      'e08080',
      'e282',
      'eda080',
      'edbfbf',
      'f08080af',
      'f09f98',
      'f4908080',
      'f5808080',
      'fe',
      'ff',
      '61ff62',
    ];
    for (const hex of table) assert.equal(fromUtf8(Buffer.from(hex, 'hex')), null, hex);
  });
});

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

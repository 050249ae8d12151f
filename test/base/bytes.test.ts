import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fromBase64, fromHex, sha256, sha256Hex, toBase64, toHex, utf8 } from '../../src/base/bytes.js';
import { fromUtf8 } from '../../src/base/text.js';

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
    const others = ['Zg', 'Zg=', 'Z', '=', 'Zg===', 'Zm9v=', 'Zg==Zg==', 'Zm=v', ' Zg==', 'Zg==\n', 'Zm\n9v', 'Zm-_', 'Zmé='];
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
    const table = ['80', 'c0af', 'c3', 'e08080', 'e282', 'eda080', 'f08080af', 'f09f98', 'f4908080', 'ff', '61ff62'];
    for (const hex of table) assert.equal(fromUtf8(Buffer.from(hex, 'hex')), null, hex);
  });
});

describe('hash: SHA-256', () => {
  it('hashes a view, not the buffer under it', () => {
    const whole = Buffer.from('xabcx');
    assert.equal(sha256Hex(whole.subarray(1, 4)), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    assert.deepEqual(sha256(whole.subarray(1, 4)).toString('hex'), sha256Hex('abc'));
  });
});

/** Signatures of messages (EIP-191): the same as ethers makes, one text for each, and nothing else. */
import assert from 'node:assert/strict';
import { hashMessage } from 'ethers';
import { personalHash, readPersonalSignature, signerOf } from '../../src/chain/personal-signature.js';
import { isRefused } from '../../src/base/result.js';
import { highS, owner, parts, stranger, withV } from '../support/chain/wallet.js';

const signer = (message: string, signature: string): string => {
  const read = readPersonalSignature(signature);
  if (isRefused(read)) return read.left.detail;
  const found = signerOf(message, read.right);
  return isRefused(found) ? found.left.detail : found.right;
};

const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';
const one = `${'0'.repeat(63)}1`;

describe('a personal signature', () => {
  const messages = ['', 'a', 'two\nlines', 'Grüße, 世界 🌍', 'x'.repeat(1_000), '19Ethereum'];

  it('is of the hash that ethers makes: the length counts bytes of UTF-8', () => {
    for (const message of messages) assert.equal(personalHash(message), hashMessage(message));
  });

  it('gives the address of its key, whichever v of the two ways to write it', async () => {
    for (const message of messages) {
      assert.equal(signer(message, await owner.signMessage(message)), owner.address);
      const made = parts(owner, message);
      for (const v of [made.v, made.v - 27]) assert.equal(signer(message, withV(made, v)), owner.address);
      for (const v of [55 - made.v, 28 - made.v]) assert.notEqual(signer(message, withV(made, v)), owner.address);
    }
  });

  it('gives another address, not a refusal, for another message', async () => {
    const signature = await owner.signMessage('this');
    assert.match(signer('that', signature), /^0x[0-9a-fA-F]{40}$/);
    assert.notEqual(signer('that', signature), owner.address);
    assert.equal(signer('this', await stranger.signMessage('this')), stranger.address);
  });

  it('is refused with a high s, though it would give the same address', () => {
    for (const message of messages) assert.match(signer(message, highS(parts(owner, message))), /high s/);
  });

  it('is refused with another v, another length or other characters', async () => {
    const good = await owner.signMessage('m');
    const made = parts(owner, 'm');
    for (const v of [2, 26, 29, 35, 37, 255]) assert.match(signer('m', withV(made, v)), /v = 0, 1, 27 or 28/, String(v));
    assert.match(signer('m', good.slice(0, -2)), /must have 65 bytes, has 64/);
    assert.match(signer('m', `${good}00`), /must have 65 bytes, has 66/);
    assert.match(signer('m', '0x'), /has 0$/);
    assert.match(signer('m', `${good}${good.slice(2)}`), /has 130; a contract wallet \(EIP-1271\) .* cannot be bound/);
    for (const text of ['', good.slice(2), `${good}0`, `${good} `, `${good.slice(0, -1)}g`]) {
      assert.match(signer('m', text), /must be 0x and hexadecimal digits/, text);
    }
    assert.equal(signer('m', `0x${good.slice(2).toUpperCase()}`), owner.address);
  });

  it('is refused with r or s of 0, or not below the order', () => {
    const [zero, { r, s }] = ['0'.repeat(64), parts(owner, 'm')];
    for (const bad of [`0x${zero}${s.slice(2)}1b`, `${r}${zero}1b`, `0x${order}${s.slice(2)}1b`, `${r}${order}1b`]) {
      assert.match(signer('m', bad), /outside the order/);
    }
  });

  it('is refused with an r that is on no point', () => {
    // 5^3 + 7 = 132 has no square root modulo the prime of secp256k1.
    const five = `${'0'.repeat(63)}5`;
    assert.match(signer('m', `0x${five}${one}1b`), /on no point/);
  });
});

/** Addresses (the vectors of EIP-55) and signatures of messages (EIP-191): the same as ethers makes, one text for each, and nothing else. */
import assert from 'node:assert/strict';
import { hashMessage } from 'ethers';
import { isRefused } from '../../src/base/refusal.js';
import { readAddress } from '../../src/chain/eth-address.js';
import { sameAddress } from '../../src/codec/chain.js';
import { personalHash, readPersonalSignature, signerOf } from '../../src/chain/personal-signature.js';
import { highS, owner, parts, stranger, withV } from '../support/chain/wallet.js';

const outcome = (text: string): string => {
  const read = readAddress('payer', text);
  return isRefused(read) ? read.left.detail : read.right;
};

/** EIP-55, "Test Cases". */
const vectors = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

describe('an address', () => {
  it('is read in one case or with its checksum (EIP-55), and is returned with the checksum', () => {
    for (const vector of vectors) {
      assert.equal(outcome(vector), vector);
      assert.equal(outcome(vector.toLowerCase()), vector);
      assert.equal(outcome(`0x${vector.slice(2).toUpperCase()}`), vector);
    }
  });

  it('is refused with one letter in the other case', () => {
    for (const vector of vectors.slice(4)) {
      const at = vector.search(/[a-f]/);
      const wrong = vector.slice(0, at) + (vector[at] ?? '').toUpperCase() + vector.slice(at + 1);
      assert.match(outcome(wrong), /^payer: has a wrong EIP-55 checksum/);
    }
  });

  it('is refused in another form, and so is the zero address', () => {
    const [good = ''] = vectors;
    const forms = ['', '0x', good.slice(2), `${good}0`, good.slice(0, -1), ` ${good}`, `${good}\n`, 'vitalik.eth'];
    for (const text of forms) assert.equal(outcome(text), 'payer: must be 0x and 40 hexadecimal digits', text);
    assert.match(outcome(`0x${'0'.repeat(40)}`), /zero address/);
  });

  it('equals another one whatever their case', () => {
    const [one = '', other = ''] = vectors;
    assert.equal(sameAddress(one, one.toLowerCase()), true);
    assert.equal(sameAddress(one, other), false);
  });
});

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

/** Addresses: the vectors of EIP-55, and what is refused. */
import assert from 'node:assert/strict';
import { isSameAddress, readAddress } from '../../src/chain/eth-address.js';
import { isRefused } from '../../src/base/result.js';

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
    const forms = [
      '',
      '0x',
      good.slice(2),
      `${good}0`,
      good.slice(0, -1),
      `0X${good.slice(2)}`,
      ` ${good}`,
      `${good}\n`,
      'vitalik.eth',
    ];
    for (const text of forms) assert.equal(outcome(text), 'payer: must be 0x and 40 hexadecimal digits', text);
    assert.match(outcome(`0x${'0'.repeat(40)}`), /zero address/);
  });

  it('equals another one whatever their case', () => {
    const [one = '', other = ''] = vectors;
    assert.equal(isSameAddress(one, one.toLowerCase()), true);
    assert.equal(isSameAddress(one, other), false);
  });
});

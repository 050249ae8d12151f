/** The shape of an export: what it must hold, what it may hold, and that nothing else is in it. */
import assert from 'node:assert/strict';
import { isRefused } from '../../src/base/refusal.js';
import { exportCodec } from '../../src/codec/export.js';
import { decode } from '../../src/codec/kit.js';
import { hex } from '../support/codec/given-events.js';

const receipt = { body: { any: ['thing'] }, hash: hex('a'), signature: `${'A'.repeat(86)}==` };
const whole = {
  schema: 1,
  public_key: hex('b'),
  receipt: { ...receipt, canonical_body: '{}', canonical_result: '{}' },
  request: null,
  proof: '',
};
const faults = (document: unknown): unknown => {
  const decoded = decode(exportCodec, document);
  return isRefused(decoded) ? decoded.left.errors?.map(({ path }) => path) : decoded.right;
};

describe('export codec', () => {
  it('accepts an export with every member, and one with only the required ones', () => {
    assert.deepEqual(faults(whole), whole);
    const least = { schema: 1, public_key: hex('b'), receipt };
    assert.deepEqual(faults(least), least);
  });

  it('requires schema, key, body, hash and signature', () => {
    assert.deepEqual(faults({}), ['schema', 'public_key', 'receipt']);
    assert.deepEqual(faults({ ...whole, receipt: {} }), ['receipt.body', 'receipt.hash', 'receipt.signature']);
  });

  it('refuses unknown members at both levels', () => {
    assert.deepEqual(faults({ ...whole, surplus: 1 }), ['surplus']);
    assert.deepEqual(faults({ ...whole, receipt: { ...receipt, surplus: 1 } }), ['receipt.surplus']);
  });

  it('refuses other types and forms', () => {
    for (const [member, values] of Object.entries({
      schema: [2, '1', null],
      public_key: [hex('B'), hex('b').slice(1), `${hex('b')}0`, 7],
      proof: [null, 7, ['']],
      receipt: [null, [], 'x'],
    })) {
      for (const value of values)
        assert.deepEqual(faults({ ...whole, [member]: value }), [member], `${member} ${JSON.stringify(value)}`);
    }
    for (const [member, values] of Object.entries({
      body: [null, [], '{}'],
      canonical_body: [null, {}],
      canonical_result: [null, {}],
      hash: [hex('A'), '', 7],
      signature: [
        '',
        'A'.repeat(88),
        `${'A'.repeat(86)}=`,
        `${'-'.repeat(86)}==`,
        ` ${'A'.repeat(86)}==`,
        `${'A'.repeat(86)}==\n`,
      ],
    })) {
      for (const value of values) {
        assert.deepEqual(
          faults({ ...whole, receipt: { ...receipt, [member]: value } }),
          [`receipt.${member}`],
          `${member} ${JSON.stringify(value)}`,
        );
      }
    }
  });
});

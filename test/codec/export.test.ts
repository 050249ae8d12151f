/** The shape of an export: what it must hold, what it may hold, and that nothing else is in it. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { isRefused } from '../../src/base/refusal.js';
import { decodeBody, placeOf } from '../../src/codec/entry.js';
import { exportCodec } from '../../src/codec/export.js';
import { decode } from '../../src/codec/kit.js';
import { signerFromSeed } from '../../src/journal/keys.js';
import { chainSchema1 } from '../journal/tamper.js';
import { effort } from '../support/effort.js';
import { hex } from '../support/codec/given-events.js';
import { uuidOf } from '../support/app/temporary-home.js';

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

describe('the place of an entry, from the end of its text', () => {
  const place = { stream: uuidOf(1), previous: 'ab'.repeat(32), sequence: 7 };
  const bodyWith = (document: unknown, stream = place.stream): string =>
    canonicalJson({
      document,
      identity: `urn:agialpha:ed25519:${'cd'.repeat(32)}`,
      incarnation: 'ef'.repeat(16),
      mission: stream,
      previous: place.previous,
      schema: 2,
      sequence: place.sequence,
      time: '2026-11-20T05:15:51.662365Z',
      type: 'mission.submitted',
      version: 1,
    });
  const nested = JSON.parse(bodyWith({})) as unknown;

  it('is that of the outermost object, whatever the document contains', () => {
    const likeness = fc.constantFrom(nested, bodyWith({}), ',"mission":"other', `${place.previous}","schema":2,"sequence":8`);
    const documents = fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), likeness));
    fc.assert(
      fc.property(documents, (document) => assert.deepEqual(placeOf(bodyWith(document)), place)),
      { numRuns: 100 * effort },
    );
  });

  it('is left to the decoder for streams with escapes, for schema 1 and for text after the members', () => {
    assert.equal(placeOf(bodyWith({}, 'a"b')), null);
    const [row] = chainSchema1(signerFromSeed(Buffer.alloc(32, 9)), [['x', `{"a":${bodyWith({})}}`]]);
    assert.notEqual(row, undefined);
    assert.equal(placeOf(row?.body ?? ''), null);
    assert.equal(decodeBody(row?.body ?? '')._tag, 'Right');
    assert.equal(placeOf(`${bodyWith({})}\n`), null);
    assert.equal(placeOf(bodyWith({}).replace('"version":1}', '"version":1,"x":{}}')), null);
  });
});

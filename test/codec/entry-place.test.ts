import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { decodeBody, placeOf } from '../../src/codec/entry.js';
import { signerFromSeed } from '../../src/journal/keys.js';
import { chainSchema1 } from '../journal/reference-journal.js';
import { effort } from '../support/effort.js';
import { uuidOf } from '../support/temporary-home.js';

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

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { canonicalOrNull } from '../../src/base/canonical-json.js';
import { sameJson } from '../../src/base/same-json.js';

describe('sameJson', () => {
  it('agrees with the canonical form of any two JSON values', () => {
    const value = fc.jsonValue({ maxDepth: 3, noUnicodeString: false });
    fc.assert(
      fc.property(value, value, (a, b) => {
        assert.equal(sameJson(a, b), canonicalOrNull(a) === canonicalOrNull(b));
        assert.equal(sameJson(a, structuredClone(a)), true);
      }),
    );
  });

  it('takes members in any order, and 0 for -0', () => {
    assert.equal(sameJson({ a: 1, b: [0] }, { b: [-0], a: 1 }), true);
  });

  for (const [a, b] of [
    [null, {}],
    [[], {}],
    [{}, []],
    [[1], [1, 2]],
    [{ a: 1 }, { a: 1, b: 1 }],
    [
      { a: 1, b: 1 },
      { a: 1, c: 1 },
    ],
    [{ a: undefined }, { b: undefined }],
    [{ a: 1 }, Object.create({ a: 1 })],
    ['1', 1],
    [null, undefined],
  ] as const) {
    it(`tells ${JSON.stringify(a)} from ${JSON.stringify(b)}`, () => {
      assert.equal(sameJson(a, b), false);
      assert.equal(sameJson(b, a), false);
    });
  }
});

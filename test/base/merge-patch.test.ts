import assert from 'node:assert/strict';
import type { Json } from '../../src/base/canonical-json.js';
import { applyMergePatch, mergePatchBetween } from '../../src/base/merge-patch.js';

/** RFC 7396, appendix A: original, patch, result. */
const rfc: readonly (readonly [Json, Json, Json])[] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

describe('JSON merge patches', () => {
  it('applies the examples of RFC 7396', () => {
    for (const [target, patch, result] of rfc) assert.deepEqual(applyMergePatch(target, patch), result);
  });

  it('changes no prototype', () => {
    const made = applyMergePatch({}, JSON.parse('{"__proto__": {"polluted": true}}') as Json);
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    assert.ok(Object.hasOwn(made as object, '__proto__'));
  });

  it('finds the patch between two documents, empty where they are the same', () => {
    const before = { goal: 'a', work: { budget: 5, items: [{ id: 'x' }], unit: 'EUR' } };
    const after = { goal: 'a', work: { budget: 6, items: [{ id: 'y' }] }, seed: 1 };
    const patch = mergePatchBetween(before, after);
    assert.deepEqual(patch, { work: { budget: 6, items: [{ id: 'y' }], unit: null }, seed: 1 });
    assert.deepEqual(applyMergePatch(before, patch), after);
    assert.deepEqual(mergePatchBetween(before, { ...before }), {});
  });
});

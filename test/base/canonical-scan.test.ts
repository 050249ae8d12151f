import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { canonicalObjectEnd, isCanonicalObject } from '../../src/base/canonical-scan.js';
import { effort } from '../support/effort.js';

/** The result that the scan must return, by building the values. */
function isCanonical(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) && canonicalJson(value) === text;
  } catch {
    return false;
  }
}

const members = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 }));
const pieces = [
  '"',
  '\\',
  '\\u0041',
  '\\u000A',
  '\\u000a',
  '\\n',
  '\\/',
  ' ',
  '\n',
  ',',
  ':',
  '{',
  '}',
  '[',
  ']',
  '0',
  '-',
  '-0',
  '1',
  '.',
  '1.0',
];
const more = [
  'e5',
  '1e+21',
  '1E5',
  '1e21',
  '00',
  'null',
  'true',
  'é',
  '\ud800',
  '\udc00',
  '\u007f',
  '\u0001',
  '9007199254740993',
  '',
];

describe('a scan for canonical JSON', () => {
  it('accepts the canonical form of every object, and finds its end in any text', () => {
    const around = fc.string({ unit: fc.constantFrom(...pieces, ...more) });
    fc.assert(
      fc.property(members, around, around, (value, before, after) => {
        fc.pre(Object.keys(value).every((key) => key.isWellFormed()));
        const text = canonicalJson(value);
        assert.ok(isCanonicalObject(text), text);
        assert.equal(canonicalObjectEnd(before + text + after, before.length, 0), before.length + text.length);
      }),
      { numRuns: 500 * effort },
    );
  });

  it('counts the levels around an object', () => {
    assert.equal(canonicalObjectEnd('{"a":{}}', 5, 63), 7);
    assert.equal(canonicalObjectEnd('{"a":{}}', 5, 64), -1);
    assert.equal(canonicalObjectEnd('{"a":{}}', 0, 63), -1);
  });

  it('agrees with parsing and printing on texts with one change', () => {
    const change = fc.tuple(members, fc.nat(), fc.nat(3), fc.constantFrom(...pieces, ...more));
    fc.assert(
      fc.property(change, ([value, at, drop, piece]) => {
        const text = canonicalJson(value);
        const i = at % (text.length + 1);
        const changed = text.slice(0, i) + piece + text.slice(i + drop);
        assert.equal(isCanonicalObject(changed), isCanonical(changed), changed);
      }),
      { numRuns: 3_000 * effort },
    );
  });

  it('refuses what is JSON but not canonical', () => {
    const refused = [
      '{"b":1,"a":2}',
      '{"a":1,"a":2}',
      '{ "a":1}',
      '{"a":1.0}',
      '{"a":-0}',
      '{"a":1e2}',
      '{"a":"\\u0061"}',
      '{"a":"\\/"}',
      '{"a":"\\u000A"}',
      '[1]',
      '1',
      '',
      '{"a":1}\n',
      '{"a":01}',
      '{"a":"\ud800"}',
    ];
    for (const text of refused) assert.equal(isCanonicalObject(text), false, text);
    const accepted = ['{}', '{"":{}}', '{"a":-1,"b":[1.5,1e+21,1e-7,0]}', '{"a":"\\u0001\\n\\"\\\\é😀"}', '{"\\n":1,"a":2}'];
    for (const text of accepted) assert.ok(isCanonicalObject(text), text);
  });

  it('ends at 64 levels, as the printer does', () => {
    const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    assert.ok(isCanonicalObject(nested(64)));
    assert.equal(isCanonicalObject(nested(65)), false);
    assert.throws(() => canonicalJson(JSON.parse(nested(65))));
  });
});

import assert from 'node:assert/strict';
import * as t from 'io-ts';
import { isRefused, unwrap } from '../../src/base/refusal.js';
import { proofCodec } from '../../src/codec/api-journal.js';
import { missionRecordCodec } from '../../src/codec/api-missions.js';
import { agentsCodec, progressMessage, resultsCodec, runPageCodec } from '../../src/codec/api-simulation.js';
import { statusCodec } from '../../src/codec/api-status.js';
import { toolListCodec } from '../../src/codec/api-tools.js';
import type { Fields } from '../../src/codec/field.js';
import {
  choice,
  decode,
  either,
  integer,
  list,
  mapOf,
  nullable,
  object,
  optional,
  required,
  tagged,
  text,
  withDefault,
  refined,
} from '../../src/codec/kit.js';
import { tolerant } from '../../src/codec/tolerant.js';

const inner = object('Inner', { n: required(integer(0, 5)) });
const known = { n: 1 };
const newer = { n: 1, later: true };

describe('tolerant: unknown members', () => {
  const cases: readonly (readonly [string, t.Mixed, unknown, unknown])[] = [
    ['an object', inner, newer, known],
    ['a member', object('A', { a: required(inner) }), { a: newer }, { a: known }],
    ['an optional member', object('A', { a: optional(inner) }), { a: newer }, { a: known }],
    ['a member with a default', object('A', { a: withDefault(inner, known) }), { x: 1 }, { a: known }],
    ['a list, of whatever length', list(inner, 3, 3), [newer], [known]],
    ['either of two', nullable(inner), newer, known],
    ['null', nullable(inner), null, null],
    ['the second of two', either(choice('x'), inner), newer, known],
    ['a variant', tagged('T', 'k', { a: object('Va', { k: required(choice('a')) }) }), { k: 'a', later: 1 }, { k: 'a' }],
    ['a map', mapOf(inner), { a: known }, { a: known }],
    ['any value', t.unknown, { anything: [1] }, { anything: [1] }],
    ['a refined one', refined(inner, ({ n }) => ({ _tag: 'Right', right: n + 1 })), newer, 2],
    [
      'several levels',
      object('L', { l: required(list(object('M', { i: required(inner) }), 0, 1)) }),
      { l: [{ i: newer }] },
      { l: [{ i: known }] },
    ],
  ];
  for (const [what, codec, value, expected] of cases) {
    it(`leaves them out of ${what}`, () => assert.deepEqual(unwrap(decode(tolerant(codec), value)), expected));
  }

  it('leaves the codec itself unchanged', () => {
    tolerant(inner);
    assert.equal(isRefused(decode(inner, newer)), true);
  });
});

describe('tolerant: known members', () => {
  it('decodes as the codec does, with the path of what does not fit', () => {
    const codec = tolerant(object('A', { a: required(list(inner, 0, 2)), b: required(text()) }));
    const decoded = decode(codec, { a: [{ n: 9, later: 1 }], later: 2 });
    assert.ok(isRefused(decoded));
    assert.deepEqual(
      decoded.left.errors?.map(({ path, message }) => `${path} ${message}`),
      ['a[0].n must be an integer from 0 to 5', 'b required'],
    );
  });

  it('keeps the rules of an object and refusals of a refinement', () => {
    const fields = { a: required(integer(0, 9)), b: required(integer(0, 9)) };
    const ordered = object('Ordered', fields, ({ a, b }) => (a <= b ? [] : [{ path: 'b', message: 'must not be below a' }]));
    assert.deepEqual(unwrap(decode(tolerant(ordered), { a: 1, b: 2, c: 3 })), { a: 1, b: 2 });
    assert.equal(isRefused(decode(tolerant(ordered), { a: 2, b: 1, c: 3 })), true);
    const even = refined(inner, ({ n }) =>
      n % 2 === 0 ? { _tag: 'Right', right: n } : { _tag: 'Left', left: { code: 'invalid', detail: 'must be even' } },
    );
    assert.equal(isRefused(decode(tolerant(even), newer)), true);
  });
});

/** Every object below a codec, with the members that it has. */
function objectsIn(codec: t.Mixed, seen = new Set<t.Mixed>()): Fields[] {
  if (seen.has(codec)) return [];
  seen.add(codec);
  const one = codec as unknown as Record<string, unknown>;
  const fields = one['fields'] as Fields | undefined;
  const parts = [one['item'], one['first'], one['second'], one['base'], ...Object.values(one['variants'] ?? {})];
  const below = [...parts, ...Object.values(fields ?? {}).map(({ codec: part }) => part)].filter((part) => part !== undefined);
  return [...(fields === undefined ? [] : [fields]), ...below.flatMap((part) => objectsIn(part as t.Mixed, seen))];
}

describe('tolerant: the shapes of responses', () => {
  const ofSimulation: readonly t.Mixed[] = [runPageCodec, resultsCodec, agentsCodec, progressMessage];
  const responses: readonly t.Mixed[] = [missionRecordCodec, statusCodec, toolListCodec, proofCodec, ...ofSimulation];
  for (const codec of responses) {
    it(`keeps every member at every level of ${codec.name}`, () => {
      const names = (of: t.Mixed): string[] => objectsIn(of).map((fields) => Object.keys(fields).join(' '));
      assert.notEqual(names(codec).length, 0);
      assert.deepEqual(names(tolerant(codec)), names(codec));
    });
  }
});

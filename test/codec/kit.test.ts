import assert from 'node:assert/strict';
import type * as t from 'io-ts';
import { isRefused, ok, unwrap } from '../../src/base/refusal.js';
import {
  choice,
  decode,
  either,
  eitherBy,
  flag,
  integer,
  list,
  mapOf,
  nullable,
  number,
  object,
  optional,
  refined,
  required,
  tagged,
  text,
  withDefault,
} from '../../src/codec/kit.js';

function errors<A>(codec: t.Type<A, unknown>, value: unknown): (readonly [string, string])[] {
  const decoded = decode(codec, value);
  if (!isRefused(decoded)) return [];
  assert.equal(decoded.left.code, 'invalid');
  return (decoded.left.errors ?? []).map((e) => [e.path, e.message] as const);
}

describe('codec kit: scalars', () => {
  it('checks the bounds of number and integer, which never coerce', () => {
    const message = 'must be an integer from -2 to 5';
    for (const value of [-2, 0, 5]) assert.equal(unwrap(decode(integer(-2, 5), value)), value);
    for (const value of [-3, 6, 0.5, '1', true, null, [1], 1n, Number.NaN])
      assert.deepEqual(errors(integer(-2, 5), value), [['', message]]);
    assert.deepEqual(errors(number(0, 1), 1.01), [['', 'must be a number from 0 to 1']]);
    assert.deepEqual(errors(number(0, 1), '0,5'), [['', 'must be a number from 0 to 1, in digits and a decimal point only']]);
    assert.deepEqual(errors(integer(0, 1e300), 2 ** 53), [['', 'must be an integer from 0 to 1e+300']]);
  });

  it('checks length, blankness and pattern of text, and reports which', () => {
    const codec = text({ min: 2, max: 3, pattern: /^[a-z ]*$/, notBlank: true });
    assert.equal(unwrap(decode(codec, ' a')), ' a');
    const table = [
      [1, 'must be a string'],
      ['a', 'must have 2 to 3 characters, has 1'],
      ['abcd', 'must have 2 to 3 characters, has 4'],
      ['  ', 'must not be blank'],
      ['A1', 'must match ^[a-z ]*$'],
    ] as const;
    for (const [value, message] of table) assert.deepEqual(errors(codec, value), [['', message]]);
    assert.deepEqual(errors(text({ min: 2 }), ''), [['', 'must have at least 2 characters, has 0']]);
    // Two code points of two UTF-16 units each.
    assert.equal(unwrap(decode(text({ min: 2, max: 2 }), '😀😀')), '😀😀');
    assert.deepEqual(errors(text({ min: 2 }), '😀'), [['', 'must have at least 2 characters, has 1']]);
    assert.deepEqual(errors(text({ max: 1 }), '😀😀'), [['', 'must have 0 to 1 characters, has 2']]);
  });

  it('accepts exactly the values of choice and flag', () => {
    assert.deepEqual(errors(choice('a', 'b'), 'A'), [['', 'must be one of a, b']]);
    assert.deepEqual(errors(choice(1), '1'), [['', 'must be 1']]);
    assert.equal(unwrap(decode(flag, false)), false);
    for (const value of [0, 1, 'true', null]) assert.equal(errors(flag, value).length, 1);
  });

  it('reports the faults of the last shape of either, names its words beside them, and accepts null for nullable', () => {
    assert.equal(unwrap(decode(either(choice('auto'), integer(1, 9)), 'auto')), 'auto');
    assert.deepEqual(errors(either(choice('auto'), integer(1, 9)), 'x'), [['', 'must be "auto", or an integer from 1 to 9']]);
    assert.deepEqual(errors(either(choice('auto'), integer(1, 9)), 10), [['', 'must be an integer from 1 to 9']]);
    const day = either(refined(text({ pattern: /^d/, form: 'a day' }), ok), integer(1, 9));
    assert.deepEqual([errors(day, 'x'), errors(day, 10)], [[['', 'must be a day']], [['', 'must be an integer from 1 to 9']]]);
    assert.equal(unwrap(decode(nullable(text()), null)), null);
    assert.deepEqual(errors(nullable(text()), 1), [['', 'must be a string']]);
  });

  it('reports the faults of the shape that a member tells', () => {
    const drafted = object('Drafted', { draft: required(text()) });
    const codec = eitherBy('draft', drafted, object('Whole', { goal: required(text()) }));
    assert.deepEqual(unwrap(decode(codec, { draft: 'x' })), { draft: 'x' });
    assert.deepEqual(errors(codec, { draft: 1 }), [['draft', 'must be a string']]);
    assert.deepEqual(errors(codec, {}), [['goal', 'required']]);
    assert.deepEqual(errors(codec, null), [['', 'must be an object']]);
  });
});

describe('codec kit: containers', () => {
  const point = object('Point', { x: required(integer(0, 9)), y: withDefault(integer(0, 9), 7), note: optional(text()) });

  it('fills defaults of object, leaves out what is absent and refuses the rest', () => {
    assert.deepEqual(unwrap(decode(point, { x: 1 })), { x: 1, y: 7 });
    assert.deepEqual(unwrap(decode(point, { x: 1, note: '' })), { x: 1, y: 7, note: '' });
    assert.deepEqual(errors(point, { y: null, z: 1 }), [
      ['z', 'unknown member'],
      ['x', 'required'],
      ['y', 'must be an integer from 0 to 9'],
    ]);
    for (const value of [null, [], 'x', 1]) assert.deepEqual(errors(point, value), [['', 'must be an object']]);
  });

  it('runs rules on a sound object only, which may name the object itself', () => {
    const ordered = object('Range', { from: required(integer(0, 9)), to: required(integer(0, 9)) }, (range) =>
      range.from <= range.to ? [] : [{ path: '', message: 'runs backwards' }],
    );
    assert.deepEqual(errors(ordered, { from: 2, to: 1 }), [['', 'runs backwards']]);
    assert.deepEqual(errors(ordered, { from: 2, to: 'x' }), [['to', 'must be an integer from 0 to 9']]);
    assert.deepEqual(errors(list(ordered, 0, 3), [{ from: 2, to: 1 }]), [['[0]', 'runs backwards']]);
  });

  it('chooses the shape of tagged by its tag', () => {
    const shape = tagged('Shape', 'kind', {
      dot: object('Dot', { kind: required(choice('dot')) }),
      disc: object('Disc', { kind: required(choice('disc')), radius: required(integer(1, 9)) }),
    });
    assert.deepEqual(unwrap(decode(shape, { kind: 'dot' })), { kind: 'dot' });
    assert.deepEqual(errors(shape, { kind: 'disc' }), [['radius', 'required']]);
    for (const kind of ['square', 'toString', 1, undefined])
      assert.deepEqual(errors(shape, { kind }), [['kind', 'must be one of dot, disc']]);
    assert.deepEqual(errors(shape, []), [['', 'must be an object']]);
  });

  it('counts the items of list, where a hole is not an item', () => {
    assert.deepEqual(errors(list(flag, 1, 2), []), [['', 'must have 1 to 2 items, has 0']]);
    assert.deepEqual(errors(list(flag, 1, 2), [true, false, true]), [['', 'must have 1 to 2 items, has 3']]);
    const sparse: unknown[] = [];
    sparse[1] = true;
    assert.deepEqual(errors(list(flag, 1, 2), sparse), [['[0]', 'must be one of true, false']]);
    assert.deepEqual(errors(list(flag, 0, 2), { length: 0 }), [['', 'must be an array']]);
  });

  it('accepts any names in map, and distinguishes a member called 0 from an item', () => {
    assert.deepEqual(unwrap(decode(mapOf(flag), { a: true, 0: false })), { a: true, 0: false });
    assert.deepEqual(errors(mapOf(list(flag, 0, 9)), { '0': [1], 'a b': [true, 1] }), [
      ['0[0]', 'must be one of true, false'],
      ['a b[1]', 'must be one of true, false'],
    ]);
    assert.deepEqual(errors(mapOf(mapOf(flag)), { a: { '1': 0 } }), [['a.1', 'must be one of true, false']]);
  });

  it('guards with every codec as it decodes', () => {
    const guards = <A>(codec: t.Type<A, unknown>, good: A, bad: unknown): void => {
      assert.equal(codec.is(good), true, codec.name);
      assert.equal(codec.is(bad), false, codec.name);
      assert.deepEqual(codec.encode(good), good);
    };
    guards(point, { x: 1, y: 2 }, { x: 10 });
    guards(list(point, 1, 2), [{ x: 1, y: 2 }], []);
    guards(mapOf(flag), { a: true }, { a: 1 });
    guards(either(flag, text()), 'a', 1);
    guards(integer(0, 1), 1, 2);
    guards(text({ max: 1 }), 'a', 'ab');
    guards(choice('a'), 'a', 'b');
  });
});

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { canonicalJson, CanonicalJsonError } from '../../src/base/canonical-json.js';
import { canonicalObjectEnd, isCanonicalObject } from '../../src/base/canonical-scan.js';
import { parseJsonBytes } from '../../src/base/json.js';
import { unwrap } from '../../src/base/refusal.js';
import { effort } from '../support/effort.js';
import { packageRoot } from '../support/package-root.js';

const vectors = join(packageRoot(import.meta.url), 'test', 'vectors', 'rfc8785');

/** Member names of every kind that sorting, escaping and prototypes could trip over. */
const key = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('__proto__', 'constructor', '', '10', '9', '\u20ac', '\u{1f600}', '\ufb33'),
);
const leaf = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(key, tie('value'), { maxKeys: 6 }),
  ),
})).value;

function nested(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = wrap(1);
  for (let i = 1; i < levels; i++) value = wrap(value);
  return value;
}

const refused = (value: unknown, path: string, reason: RegExp): void => {
  assert.throws(
    () => canonicalJson(value),
    (error: unknown) => {
      assert.ok(error instanceof CanonicalJsonError);
      assert.equal(error.path, path);
      assert.match(error.reason, reason);
      return true;
    },
  );
};

describe('canonical JSON: RFC 8785 vectors', () => {
  const names = readdirSync(join(vectors, 'input')).sort();

  it('has the six published documents', () => {
    assert.deepEqual(names, ['arrays.json', 'french.json', 'structures.json', 'unicode.json', 'values.json', 'weird.json']);
  });

  for (const name of names) {
    it(`prints ${name} byte for byte`, () => {
      const parsed = unwrap(parseJsonBytes(readFileSync(join(vectors, 'input', name)), { bigIntegers: 'round' }));
      const printed = Buffer.from(canonicalJson(parsed), 'utf8');
      assert.deepEqual(printed, readFileSync(join(vectors, 'output', name)));
      const hex = readFileSync(join(vectors, 'outhex', name.replace('.json', '.txt')), 'latin1').replaceAll(/\s/g, '');
      assert.equal(printed.toString('hex'), hex);
    });
  }
});

describe('canonical JSON: properties', () => {
  it('agrees with another implementation', () => {
    fc.assert(
      fc.property(json, (value) => assert.equal(canonicalJson(value), canonicalize(value))),
      { numRuns: 1000 },
    );
  });

  it('is a fixed point: printing its parse prints the same text', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);
        assert.equal(canonicalJson(JSON.parse(text)), text);
      }),
      { numRuns: 500 },
    );
  });

  it('does not depend on the order of members', () => {
    fc.assert(
      fc.property(fc.dictionary(key, leaf), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        assert.equal(canonicalJson(reversed), canonicalJson(value));
      }),
    );
  });
});

describe('canonical JSON: refusals', () => {
  const sparse: unknown[] = [1];
  sparse[2] = 3;
  const table: readonly (readonly [string, unknown, string, RegExp])[] = [
    ['NaN', { a: [0, Number.NaN] }, 'a[1]', /NaN is not a JSON number/],
    ['Infinity', { a: Number.POSITIVE_INFINITY }, 'a', /Infinity is not a JSON number/],
    ['-Infinity', [Number.NEGATIVE_INFINITY], '[0]', /-Infinity is not a JSON number/],
    ['undefined alone', undefined, '', /undefined is not a JSON value/],
    ['an undefined member', { a: { b: undefined } }, 'a.b', /undefined is not a JSON value/],
    ['a hole', { list: sparse }, 'list[1]', /undefined is not a JSON value/],
    ['a bigint', [1n], '[0]', /bigint is not a JSON value/],
    ['a symbol', [Symbol('s')], '[0]', /symbol is not a JSON value/],
    ['a function', { f: () => 1 }, 'f', /function is not a JSON value/],
    ['a high surrogate in a value', { a: 'x\ud800' }, 'a', /unpaired surrogate/],
    ['a low surrogate in a value', ['\udc00x'], '[0]', /unpaired surrogate/],
    ['a reversed pair in a value', '\udc00\ud800', '', /unpaired surrogate/],
    ['a lone surrogate in a key', { a: { '\ud83d': 1 } }, 'a.\ud83d', /unpaired surrogate/],
    ['a Date', { at: new Date(0) }, 'at', /not a plain object/],
    ['a Map', [new Map([['a', 1]])], '[0]', /not a plain object/],
    ['a Set', new Set([1]), '', /not a plain object/],
    ['a boxed number', { n: Object(1) as unknown }, 'n', /not a plain object/],
    ['bytes', { b: new Uint8Array(2) }, 'b', /not a plain object/],
    ['a class instance with toJSON', [new URL('https://example.org/')], '[0]', /not a plain object/],
  ];
  for (const [name, value, path, reason] of table) it(`refuses ${name}`, () => refused(value, path, reason));

  it('takes 64 levels and refuses 65, in arrays and in objects', () => {
    const array = (inner: unknown): unknown => [inner];
    const member = (inner: unknown): unknown => ({ a: inner });
    assert.equal(canonicalJson(nested(64, array)), `${'['.repeat(64)}1${']'.repeat(64)}`);
    assert.equal(canonicalJson(nested(64, member)), `${'{"a":'.repeat(64)}1${'}'.repeat(64)}`);
    refused(nested(65, array), '[0]'.repeat(64), /deeper than 64 levels/);
    refused(nested(65, member), Array<string>(64).fill('a').join('.'), /deeper than 64 levels/);
  });

  it('refuses a cycle as too deep', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    assert.throws(() => canonicalJson(cycle), CanonicalJsonError);
  });

  it('prints -0 as 0 and an object without a prototype as any other', () => {
    assert.equal(canonicalJson({ a: -0, b: [-0] }), '{"a":0,"b":[0]}');
    const bare = Object.assign(Object.create(null) as object, { b: 1, a: 2 });
    assert.equal(canonicalJson(bare), '{"a":2,"b":1}');
  });

  it('keeps a member named __proto__', () => {
    assert.equal(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":1}}')), '{"__proto__":{"a":1},"b":1}');
  });
});

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
  [...'"\\ \n,:{}[]0-1.é\u007f\u0001'],
  ['\\u0041', '\\u000A', '\\u000a', '\\n', '\\/', '-0', '1.0', 'e5', '1e+21', '1E5', '1e21', '00', '9007199254740993'],
  ['null', 'true', '\ud800', '\udc00', ''],
].flat();

describe('a scan for canonical JSON', () => {
  it('accepts the canonical form of every object, and finds its end in any text', () => {
    const around = fc.string({ unit: fc.constantFrom(...pieces) });
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
    const change = fc.tuple(members, fc.nat(), fc.nat(3), fc.constantFrom(...pieces));
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
    const refused = ['{"b":1,"a":2}', '{"a":1,"a":2}', '{ "a":1}', '{"a":1.0}', '{"a":-0}', '{"a":1e2}', '{"a":"\\u0061"}'];
    const more = ['{"a":"\\/"}', '{"a":"\\u000A"}', '[1]', '1', '', '{"a":1}\n', '{"a":01}', '{"a":"\ud800"}'];
    for (const text of [...refused, ...more]) assert.equal(isCanonicalObject(text), false, text);
    const accepted = ['{}', '{"":{}}', '{"a":-1,"b":[1.5,1e+21,1e-7,0]}', '{"a":"\\u0001\\n\\"\\\\é😀"}', '{"\\n":1,"a":2}'];
    for (const text of accepted) assert.ok(isCanonicalObject(text), text);
  });
});

interface Numbers {
  /** Bits of the doubles that come first, in hexadecimal. */
  readonly first: readonly string[];
  readonly checksums: readonly { readonly lines: number; readonly sha256: string }[];
}
const file = join(packageRoot(import.meta.url), 'test', 'vectors', 'rfc8785', 'es6-numbers.json');
const { first, checksums } = JSON.parse(readFileSync(file, 'utf8')) as Numbers;

const smallest_normal = 0x0010_0000_0000_0000n;
const serial_count = 2_000;

/**
 * The given doubles (those of RFC 8785, appendix B, are among them), 2000 from the smallest normal one upwards, then a chain of SHA-256 blocks as
 * four little-endian doubles each.
 */
function* sequence(): Generator<number> {
  const bits = Buffer.alloc(8);
  const doubleOf = (u64: bigint): number => {
    bits.writeBigUInt64LE(u64);
    return bits.readDoubleLE(0);
  };
  for (const hex of first) yield doubleOf(BigInt(`0x${hex}`));
  for (let i = 0; i < serial_count; i++) yield doubleOf(smallest_normal + BigInt(i));
  for (let block: Buffer = Buffer.alloc(32); ; ) {
    block = createHash('sha256').update(block).digest();
    for (let at = 0; at < block.length; at += 8) {
      const value = block.readDoubleLE(at);
      if (value !== 0 && Number.isFinite(value)) yield value;
    }
  }
}

describe('canonical JSON: the sequence of ES6 numbers', () => {
  const most = effort > 1 ? 1_000_000 : 100_000;

  it(`prints the first ${most} as published`, () => {
    const bits = Buffer.alloc(8);
    const hash = createHash('sha256');
    const wanted = new Map(checksums.map(({ lines, sha256 }) => [lines, sha256]));
    const reached: number[] = [];
    let lines = 0;
    for (const value of sequence()) {
      bits.writeDoubleLE(value);
      hash.update(`${bits.readBigUInt64LE(0).toString(16)},${canonicalJson(value)}\n`);
      lines++;
      const sha256 = wanted.get(lines);
      if (sha256 === undefined) continue;
      assert.equal(hash.copy().digest('hex'), sha256, `the first ${lines}`);
      reached.push(lines);
      if (lines === most) break;
    }
    assert.deepEqual(
      reached,
      [1_000, 10_000, 100_000, 1_000_000].filter((each) => each <= most),
    );
  });
});

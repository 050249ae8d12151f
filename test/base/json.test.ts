import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type JsonNode, type JsonOptions, parseJson, parseJsonBytes, parseJsonNode } from '../../src/base/json.js';
import { isRefused, type Refusal, unwrap } from '../../src/base/refusal.js';

function refusal(input: string | Uint8Array, options: JsonOptions = {}): Refusal {
  const parsed = typeof input === 'string' ? parseJson(input, options) : parseJsonBytes(input, options);
  return isRefused(parsed) ? parsed.left : assert.fail(`accepted ${JSON.stringify(input)}`);
}

function refused(input: string, path: string, message: RegExp, options: JsonOptions = {}): void {
  const { code, errors } = refusal(input, options);
  assert.equal(code, 'malformed');
  assert.equal(errors?.length, 1);
  assert.equal(errors?.[0]?.path, path);
  assert.match(errors?.[0]?.message ?? '', message);
}

const spaces = fc.stringMatching(/^[ \t\n\r]{0,3}$/);

describe('JSON reader: documents that are accepted', () => {
  it('accepts every zero as 0', () => {
    assert.ok(Object.is(unwrap(parseJson('-0')), 0));
    assert.ok(Object.is(unwrap(parseJson('-0.0e5')), 0));
    assert.equal(unwrap(parseJson('1e-400')), 0);
    for (const zero of ['-0', '-0.0e5', '-1e-400', `-0.${'0'.repeat(400)}1`]) {
      assert.deepStrictEqual(unwrap(parseJson(`{"é€":[${zero},1],"__proto__":${zero},"1":-0.5}`)), {
        'é€': [0, 1],
        ['__proto__']: 0,
        '1': -0.5,
      });
    }
  });

  it('accepts integers up to 2^53 − 1 and 64 levels', () => {
    assert.equal(unwrap(parseJson('9007199254740991')), Number.MAX_SAFE_INTEGER);
    assert.equal(unwrap(parseJson('-9007199254740991')), Number.MIN_SAFE_INTEGER);
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const text = (levels: number): string => `${open.repeat(levels)}1${close.repeat(levels)}`;
      assert.deepEqual(unwrap(parseJson(text(64))), JSON.parse(text(64)));
      assert.match(refusal(text(65)).detail, /deeper than 64 levels/);
    }
  });

  it('accepts members named __proto__ and constructor as members', () => {
    const value = unwrap(parseJson('{"__proto__":{"polluted":true},"constructor":1}'));
    assert.deepEqual(Object.keys(value as object), ['__proto__', 'constructor']);
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
  });

  it('ignores a byte order mark on request, but not a second one', () => {
    assert.deepEqual(unwrap(parseJson('\ufeff {"a":1}', { byteOrderMark: 'ignore' })), { a: 1 });
    assert.equal(unwrap(parseJsonNode('\ufeff1', { byteOrderMark: 'ignore' })).start, 1);
    assert.match(refusal('\ufeff\ufeff{}', { byteOrderMark: 'ignore' }).detail, /expected a value \(line 1, column 2\)/);
  });

  it('counts values up to a limit, containers included', () => {
    const text = '{"a":[1,{}],"b":"x","c":null}';
    assert.deepEqual(unwrap(parseJson(text, { valuesMax: 6 })), JSON.parse(text));
    const { code, errors } = refusal(text, { valuesMax: 3 });
    assert.equal(code, 'invalid');
    assert.deepEqual(errors, [{ path: 'a[1]', message: 'more than 3 values in the document (line 1, column 9)' }]);
  });

  it('accepts a string of four million characters', () => {
    const long = 'ä'.repeat(4_000_000);
    assert.equal(unwrap(parseJson(`"${long}"`)), long);
    assert.equal(unwrap(parseJson(`"${'\\n'.repeat(1_000_000)}"`)), '\n'.repeat(1_000_000));
  });
});

describe('JSON reader: documents that are refused', () => {
  const table: readonly (readonly [string, string, string, RegExp])[] = [
    ['a duplicate member', '{"a":{"b":1,"b":1}}', 'a.b', /duplicate member/],
    ['a duplicate behind an escape', '{"a":1,"\\u0061":2}', 'a', /duplicate member/],
    ['a duplicate __proto__', '[{"__proto__":1,"__proto__":2}]', '[0].__proto__', /duplicate member/],
    ['a duplicate empty name', '{"":1,"":2}', '', /duplicate member/],
    ['a raw high surrogate', '["\ud800"]', '[0]', /unpaired surrogate/],
    ['an escaped surrogate', '["\\ud83d"]', '[0]', /unpaired surrogate/],
    ['an escaped surrogate in a name', '{"a":{"\\udc00":1}}', 'a', /unpaired surrogate/],
    ['a raw surrogate in a name', '{"\ud800":1}', '', /unpaired surrogate/],
    ['1e400', '{"a":[1,1e400]}', 'a[1]', /number out of range/],
    ['2^53', '{"n":9007199254740992}', 'n', /beyond 2\^53/],
    ['1e16', '1e16', '', /beyond 2\^53/],
    ['text after the document', '{} x', '', /unexpected text after the document \(line 1, column 4\)/],
    ['a trailing comma in an array', '[1,]', '[1]', /expected a value/],
    ['a trailing comma in an object', '{"a":1,}', '', /expected a member name/],
    ['a missing colon', '{"a" 1}', '', /expected ":"/],
    ['an unquoted name', '{a:1}', '', /expected a member name/],
    ['single quotes', "['a']", '[0]', /expected a value/],
    ['a comment', '[1] // one', '', /unexpected text/],
    ['a leading zero', '[01]', '', /expected "]"/],
    ['hexadecimal', '0x10', '', /unexpected text/],
    ['NaN', 'NaN', '', /expected a value/],
    ['an unknown escape', '["\\x41"]', '[0]', /malformed string/],
    ['a short escape', '["\\u12"]', '[0]', /malformed string/],
    ['a byte order mark', '\ufeff{}', '', /a byte order mark \(BOM\) is not allowed \(line 1, column 1\)/],
    ['nothing', '', '', /the document ends too early/],
    ['white space alone', ' \n', '', /the document ends too early \(line 2, column 1\)/],
  ];
  for (const [name, input, path, message] of table) it(name, () => refused(input, path, message));

  it('refuses overflow also where large integers are rounded', () => {
    assert.equal(unwrap(parseJson('9007199254740993', { bigIntegers: 'round' })), 9_007_199_254_740_992);
    refused('1e400', '', /number out of range/, { bigIntegers: 'round' });
  });

  it('refuses bytes that are not UTF-8, a byte order mark and UTF-16', () => {
    for (const hex of ['22ff22', '22c0af22', '22eda08022', '22f0', 'efbbbf7b7d', 'fffe7b007d00']) {
      assert.equal(refusal(Buffer.from(hex, 'hex')).code, 'malformed', hex);
    }
    assert.equal(refusal(Buffer.from('22ff22', 'hex')).detail, 'not valid UTF-8');
  });

  it('refuses each of the 32 control characters in a string, and no other character', () => {
    for (let code = 0; code < 0x100; code++) {
      const text = `"${String.fromCharCode(code)}"`;
      if (code < 0x20) refused(text, '', /malformed string/);
      else if (code !== 0x22 && code !== 0x5c) assert.equal(unwrap(parseJson(text)), String.fromCharCode(code));
    }
  });

  it('names line and column', () => {
    assert.match(refusal('{\n  "a": 1,\n  "a": 2\n}').detail, /^a: duplicate member \(line 3, column 3\)$/);
  });

  it('refuses a hundred thousand open brackets without exhausting the stack', () => {
    for (const open of ['[', '{"a":', '[{"a":']) assert.match(refusal(open.repeat(100_000)).detail, /deeper than 64 levels/);
  });

  it('refuses a sample cut at every byte, or with a byte inserted, without throwing', () => {
    const sample = Buffer.from('{"a":[1,-2.5e3,"b\\u00e9\\n","€😀",true,false,null],"c":{"d":{}},"e":[]}');
    unwrap(parseJsonBytes(sample));
    for (let cut = 0; cut < sample.length; cut++) {
      assert.equal(refusal(sample.subarray(0, cut)).code, 'malformed');
      for (const byte of [0x00, 0x22, 0x2c, 0x5c, 0x7b, 0xff]) {
        parseJsonBytes(Buffer.concat([sample.subarray(0, cut), Buffer.from([byte]), sample.subarray(cut)]));
      }
    }
  });
});

describe('JSON reader: ranges', () => {
  const walk = (node: JsonNode, text: string): void => {
    const cut = text.slice(node.start, node.end);
    assert.deepEqual(unwrap(parseJson(cut, { bigIntegers: 'round' })), node.value);
    assert.equal(cut, cut.trim());
    assert.equal(node.members === null, typeof node.value !== 'object' || node.value === null || Array.isArray(node.value));
    for (const member of node.members?.values() ?? []) walk(member, text);
  };

  it('cut every value out of the text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), spaces, fc.integer({ min: 0, max: 3 }), (value, around, indent) => {
        const text = `${around}${JSON.stringify(value, null, indent)}${around}`;
        const node = unwrap(parseJsonNode(text, { bigIntegers: 'round' }));
        assert.equal(text.slice(node.start, node.end), text.trim());
        walk(node, text);
      }),
    );
  });

  it('keep the tokens and the order of a foreign document', () => {
    const text = ' {"time_ns": 1723372036854775807 , "x": 1e-05, "a" : [ 1.50 ]} ';
    const { members } = unwrap(parseJsonNode(text, { bigIntegers: 'round' }));
    const cuts = [...(members ?? [])].map(([name, node]) => [name, text.slice(node.start, node.end)]);
    assert.deepEqual(cuts, [
      ['time_ns', '1723372036854775807'],
      ['x', '1e-05'],
      ['a', '[ 1.50 ]'],
    ]);
  });
});

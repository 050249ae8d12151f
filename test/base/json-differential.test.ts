/** Compares the strict JSON reader with JSON.parse on generated texts, and finds the fault that was put into a sound document. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type JsonOptions, parseJson, parseJsonNode } from '../../src/base/json.js';
import { isRefused } from '../../src/base/refusal.js';
import { atEffort } from '../support/effort.js';
import { packageRoot } from '../support/package-root.js';

const seed = 20_261;
const allOptions: readonly JsonOptions[] = [{}, { bigIntegers: 'round' }, { bigIntegers: 'round', overflow: 'infinite' }];

/** What the reader refuses and JSON.parse does not; each needs something in the text. */
const strictness: readonly (readonly [message: RegExp, cause: RegExp])[] = [
  [/duplicate member/, /"[^]*:[^]*"[^]*:/],
  [/unpaired surrogate/, /[\ud800-\udfff]|\\u[dD][89a-fA-F]/],
  [/integer beyond/, /[0-9]{16}|[0-9][eE]/],
  [/number out of range/, /[eE]/],
];

function compare(text: string, options: JsonOptions): void {
  const read = parseJson(text, options);
  const node = parseJsonNode(text, options);
  if (isRefused(read)) assert.deepStrictEqual(node, read, text);
  else assert.deepStrictEqual(isRefused(node) ? node : node.right.value, read.right, text);
  let known: { readonly value: unknown } | null;
  try {
    known = { value: JSON.parse(text, (_, value: unknown) => (value === 0 ? 0 : value)) };
  } catch {
    known = null;
  }
  if (!isRefused(read)) return assert.deepStrictEqual(known, { value: read.right }, text);
  assert.equal(read.left.code, 'malformed', text);
  if (known === null) return;
  const cause = strictness.find(([message]) => message.test(read.left.detail))?.[1];
  assert.match(text, cause ?? assert.fail(`${text} is refused: ${read.left.detail}`));
}

function compareAll(text: string): void {
  for (const options of allOptions) compare(text, options);
}

const pick = (...parts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...parts);
const space = fc.oneof(
  { weight: 20, arbitrary: pick('', '', ' ', '\n', '\t\r\n  ') },
  pick(' '.repeat(70), '\f', '\u0000', '\u00a0'),
);
const unit = fc.oneof(
  {
    weight: 3,
    arbitrary: pick('a', 'b', 'é', '€', '😀', ' ', '/', '\\n', '\\"', '\\\\', '\\u0061', '\\u0062', '\\u00E9', '\\/'),
  },
  pick('\\ud83d', '\\ude00', '\ud83d', '\ude00', '\\ud83d\\ude00', '\\uD83D\ude00', '\\uDFFF', '\\ud7ff', '\ue000', '\uffff'),
);
const badUnit = pick('\u0001', '\n', '\\', '\\x', '\\u12', '\\u12g4', '\u0000', '\\é', '"');
const content = fc.oneof(
  { weight: 6, arbitrary: fc.array(unit, { maxLength: 4 }).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.tuple(unit, badUnit, unit).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.tuple(pick('k'.repeat(31), 'k'.repeat(32), 'k'.repeat(60)), unit).map((parts) => parts.join('')) },
);
const name = fc.oneof(
  { weight: 5, arbitrary: pick('a', 'b', 'c', '\\u0061', '__proto__', '1', '0', 'constructor', '') },
  content,
);
const digits = fc.stringMatching(/^(0|[1-9][0-9]{0,3}|900719925474099[0-9]|[1-9][0-9]{14,18}|0{1,3}[0-9]?)$/);
const fraction = fc.oneof(
  { weight: 3, arbitrary: pick('', '.', '.0', '.5', '.25', '.000') },
  fc.stringMatching(/^\.[0-9]{1,20}$/),
);
const power = fc.oneof({ weight: 3, arbitrary: pick('') }, fc.stringMatching(/^[eE][+-]?([0-9]{0,2}|30[0-9]|3[2-4][0-9])$/));
const number = fc.tuple(pick('', '', '-', '+'), digits, fraction, power).map((parts) => parts.join(''));
const word = pick('true', 'false', 'null', 'nul', 'truex', 'NaN', 'tru', '-0', '-0.0e-5', '-1e-400', '-', '');

/** Text of documents, most of them valid, with names that repeat. */
const { document } = fc.letrec<{ document: string; value: string; pair: string }>((tie) => ({
  document: fc.tuple(space, tie('value'), space).map((parts) => parts.join('')),
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    number,
    content.map((text) => `"${text}"`),
    word,
    fc.array(tie('document'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc.array(tie('pair'), { maxLength: 4 }).map((pairs) => `{${pairs.join(',')}}`),
    fc.array(tie('pair'), { minLength: 10, maxLength: 18 }).map((pairs) => `{${pairs.join(',')}}`),
  ),
  pair: fc
    .tuple(space, name, space, tie('document'))
    .map(([before, text, after, value]) => `${before}"${text}"${after}:${value}`),
}));

const edit = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(2), pick(...'{}[]",:\\u01-.eE \n\f\u0000a\ud800'));

const edited = (text: string, edits: readonly (readonly [number, number, string])[]): string =>
  edits.reduce((now, [where, removed, put]) => {
    const at = Math.floor(where * now.length);
    return now.slice(0, at) + put + now.slice(at + removed);
  }, text);

type Steps = readonly (string | number)[];

/** Returns the objects with members in a document, and the way to each. */
const objectsIn = (value: unknown, steps: Steps = []): readonly (readonly [Steps, object])[] => {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) || Object.keys(value).length === 0 ? [] : [[steps, value] as const];
  const step = (key: string): string | number => (Array.isArray(value) ? Number(key) : key);
  return [...own, ...Object.entries(value).flatMap(([key, inner]) => objectsIn(inner, [...steps, step(key)]))];
};

/** Returns the text of a document in which the first member of an object is written again behind the others. */
function withTwice(value: unknown, at: object): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => withTwice(item, at)).join(',')}]`;
  const members = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}:${withTwice(inner, at)}`);
  return `{${(value === at ? [...members, members[0]] : members).join(',')}}`;
}

const pathOf = (steps: Steps): string =>
  steps.reduce<string>(
    (path, step) => (typeof step === 'number' ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`),
    '',
  );

describe('JSON reader: like JSON.parse, and stricter', () => {
  const runs = { seed, numRuns: atEffort(1_000, 80_000) };

  it('reads and refuses documents', () => {
    fc.assert(fc.property(document, compareAll), runs);
  });

  it('reads and refuses edited documents', () => {
    fc.assert(
      fc.property(document, fc.array(edit, { minLength: 1, maxLength: 3 }), (text, edits) => compareAll(edited(text, edits))),
      runs,
    );
  });

  it('reads and refuses any tokens', () => {
    const token = fc.oneof(pick('{', '}', '[', ']', ':', ',', '"', '{"a":', '[[', '"a"'), number, word, space, unit, badUnit);
    fc.assert(
      fc.property(fc.array(token, { maxLength: 12 }), (tokens) => compareAll(tokens.join(''))),
      runs,
    );
  });

  it('reads the test vectors, and refuses them cut or doubled', () => {
    const folder = join(packageRoot(import.meta.url), 'test', 'vectors');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
    assert.ok(files.length > 20);
    for (const file of files) {
      // A byte order mark is taken off where files are read, before the reader.
      const text = readFileSync(join(folder, file), 'utf8')
        .replace(/^\uFEFF/, '')
        .slice(0, 200_000);
      for (const each of [text, `{"a":${text},"a":1}`, text.slice(0, text.length / 2)]) compareAll(each);
    }
  });

  it('names the member that was written twice, wherever it is', () => {
    const objects = fc.jsonValue({ maxDepth: 4 }).filter((value) => objectsIn(value).length > 0);
    fc.assert(
      fc.property(objects, fc.nat(), (value, place) => {
        const all = objectsIn(value);
        const [steps, at] = all[place % all.length] ?? assert.fail();
        const [name = ''] = Object.keys(at);
        const read = parseJson(withTwice(value, at), { bigIntegers: 'round' });
        const [error] = (isRefused(read) ? read.left.errors : undefined) ?? assert.fail('it is accepted');
        assert.equal(error?.path, pathOf([...steps, name]));
        assert.match(error?.message ?? '', /^duplicate member \(line 1, column [0-9]+\)$/);
      }),
      runs,
    );
  });

  it('refuses the first fault when there are several', () => {
    const cases: readonly (readonly [text: string, path: string, reason: string, column: number])[] = [
      ['{"a":1,"a":[{"b":1,"b":2}]}', 'a', 'duplicate member', 8],
      ['{"a":[{"b":1,"b":2,"c":1e400}],"a":1}', 'a[0].b', 'duplicate member', 14],
      ['{"x":{"a":1,"b":{"c":1,"c":', 'x.b.c', 'duplicate member', 24],
      ['{"a":{"a":1},"b":{"b":{"a":1,"\\u0061":2,"a":', 'b.b.a', 'duplicate member', 30],
      ['{"a":1,"b":"\f","a":2}', 'b', 'malformed string', 12],
      ['{"a":1,\f"b":1,"a":2}', '', 'expected a member name', 8],
      ['{"a":1,"a":2,\f"b":1}', 'a', 'duplicate member', 8],
      ['[\f1e400]', '[0]', 'expected a value', 2],
      ['[1e400\f]', '[0]', 'number out of range', 2],
      [`{"a":1,"a":${'['.repeat(70)}`, 'a', 'duplicate member', 8],
      [`[[0],{"q":[0,1,{"a":1,"b":2,"b":${'{"x":'.repeat(70)}`, '[1].q[2].b', 'duplicate member', 29],
    ];
    for (const [text, path, reason, column] of cases) {
      const read = parseJson(text);
      const errors = isRefused(read) ? read.left.errors : assert.fail(text);
      assert.deepEqual(errors, [{ path, message: `${reason} (line 1, column ${column})` }], text);
      compareAll(text);
    }
  });
});

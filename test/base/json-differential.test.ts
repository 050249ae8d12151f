/** Compares the strict JSON reader with a second one: same values, same refusals. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { type JsonOptions, parseJson, parseJsonNode } from '../../src/base/json.js';
import { atEffort } from '../support/effort.js';
import { parseJsonNode as expected } from '../support/base/json-reader.js';
import { packageRoot } from '../support/package-root.js';

const seed = 20_261;
const allOptions: readonly JsonOptions[] = [{}, { bigIntegers: 'round' }, { bigIntegers: 'round', overflow: 'infinite' }];

function compare(text: string, options: JsonOptions): void {
  const node = expected(text, options);
  assert.deepStrictEqual(parseJsonNode(text, options), node, text);
  const value = node._tag === 'Left' ? node : { _tag: 'Right', right: node.right.value };
  assert.deepStrictEqual(parseJson(text, options), value, text);
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

function edited(text: string, edits: readonly (readonly [number, number, string])[]): string {
  return edits.reduce((now, [where, removed, put]) => {
    const at = Math.floor(where * now.length);
    return now.slice(0, at) + put + now.slice(at + removed);
  }, text);
}

describe('JSON reader: like a second reader', () => {
  const runs = { seed, numRuns: atEffort(2_000, 80_000) };

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

  it('refuses the first fault when there are several', () => {
    const texts = [
      '{"a":1,"a":[{"b":1,"b":2}]}',
      '{"a":[{"b":1,"b":2,"c":1e400}],"a":1}',
      '{"x":{"a":1,"b":{"c":1,"c":',
      '{"a":{"a":1},"b":{"b":{"a":1,"\\u0061":2,"a":',
      '{"a":1,"b":"\f","a":2}',
      '{"a":1,\f"b":1,"a":2}',
      '{"a":1,"a":2,\f"b":1}',
      '[\f1e400]',
      '[1e400\f]',
      `{"a":1,"a":${'['.repeat(70)}`,
      `[[0],{"q":[0,1,{"a":1,"b":2,"b":${'{"x":'.repeat(70)}`,
    ];
    for (const text of texts) compareAll(text);
  });
});

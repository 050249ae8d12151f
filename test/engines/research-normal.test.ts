import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { normalise, originalRange } from '../../src/kinds/research/engine/normal.js';

/** Characters that this Node's Unicode knows: their normal forms never change. */
const assigned = /^\p{Assigned}+$/u;
const isSurrogate = (point: number): boolean => point >= 0xd800 && point <= 0xdfff;

const marks =
  '\u0300\u0301\u0304\u0307\u0308\u0316\u0323\u0327\u0328\u0338\u0345\u05b4\u064b\u0651\u093c\u094d\u0e38\u0e48\u3099\u{1d165}';
const letters =
  'aeoAEIsKΩαιάñéǖệ¨<=क\u0958ড\u09be\u09c7日が漢\uf900\u{2f800}\u1100\u1161\u11a8가각\u0f73\u0f71\u0f72\u{1d15e}\u{16d67}\u{16d63}\u{16d68}\u212b\u0344 .\n';
const piece = fc.constantFrom(...marks, ...marks, ...letters, 'x'.repeat(40), '\u0301'.repeat(40));
const text = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(''));

describe('Normalization Form C by frozen tables', () => {
  it('is that of Unicode for every assigned character, alone and with marks around it', () => {
    for (let point = 0x80; point < 0x110000; point++) {
      if (isSurrogate(point) || (point > 0x32000 && point % 64 !== 0)) continue;
      const character = String.fromCodePoint(point);
      if (!assigned.test(character)) continue;
      const decomposed = character.normalize('NFD');
      for (const form of [character, decomposed, `${character}\u0323\u0301`, `e\u0301${character}`]) {
        if (normalise(form).text === form.normalize('NFC')) continue;
        assert.fail(`U+${point.toString(16)}: ${JSON.stringify(form)} gives ${JSON.stringify(normalise(form).text)}`);
      }
    }
  });

  it('is that of Unicode for any order of letters and marks', () => {
    const few = fc.array(fc.constantFrom(...marks, ...letters), { maxLength: 20 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(few, (source) => {
        fc.pre(assigned.test(source));
        const expected = source.normalize('NFC');
        assert.equal(normalise(source).text, expected);
        assert.equal(normalise(source.normalize('NFD')).text, expected);
      }),
      { numRuns: 2000 },
    );
  });

  it('maps every place to a place of the original, in order, and whole words exactly', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const source = `${before} word ${after}`;
        const normal = normalise(source);
        let last = 0;
        for (let at = 0; at <= normal.text.length; at++) {
          if (isSurrogate(normal.text.charCodeAt(at - 1)) && isSurrogate(normal.text.charCodeAt(at))) continue;
          const { start, end } = originalRange(normal, { start: at, end: normal.text.length });
          assert.ok(start >= last && end === source.length);
          last = start;
        }
        const at = normal.text.indexOf(' word ');
        const { start, end } = originalRange(normal, { start: at, end: at + 5 });
        assert.equal(source.slice(start, end), ' word');
      }),
      { numRuns: 1000 },
    );
  });

  it('leaves a normal text unchanged, without a table', () => {
    for (const normal of ['', 'plain', 'déjà vu', 'Пример', 'สวัสดี', 'हिन्दी', '漢字かな', '한국어', '\u{1f600}'])
      assert.deepEqual(normalise(normal), { text: normal, edits: [] });
  });

  it('works through a long run of marks in bounded time', () => {
    const long = `a${'\u0323\u0301'.repeat(20_000)}`;
    const { text: once } = normalise(long);
    assert.equal(once.length, long.length - 1);
  });
});

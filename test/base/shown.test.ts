import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { hiddenIn, shownJson, shownOf, shownText } from '../../src/base/shown.js';
import { atEffort } from '../support/effort.js';
import { assertNone } from '../support/lists.js';

const points = Array.from({ length: 0x110000 }, (_, i) => String.fromCodePoint(i));

describe('a text that others wrote', () => {
  it('is shown with the code points of characters that order, hide or control', () => {
    strictEqual(shownText('pay \u202e0001\u202c now'), 'pay <U+202E>0001<U+202C> now');
    strictEqual(shownText('\u200b\u3164\u00ad'), '<U+200B><U+3164><U+00AD>');
    deepStrictEqual(shownOf('a\u202eb\u{e0041}'), {
      direction: 'ltr',
      parts: ['a', { name: 'U+202E', kind: 'direction' }, 'b', { name: 'U+E0041', kind: 'tag' }],
    });
    strictEqual(shownOf('as it is'), null);
    strictEqual(shownOf(''), null);
  });

  it('names the kind of each', () => {
    const kinds = { direction: '\u2066', control: '\u0085\u2028', joiner: '\u200d', selector: '\ufe0f', tag: '\u{e0001}' };
    for (const [kind, characters] of Object.entries({ ...kinds, invisible: '\u115f\u2800', foreign: '\ue000\ud800\uffff' }))
      for (const each of characters) {
        const name = `U+${each.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
        deepStrictEqual(shownOf(each)?.parts, [{ name, kind }]);
      }
  });

  it('has none of them left, alone or between letters', () => {
    const hidden = /[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}\p{Cc}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;
    const wanted = points.filter((point) => hidden.test(point) && !'\t\n'.includes(point));
    ok(wanted.length > 130_000);
    // Nearly all are of private use, of which one in so many is tried.
    const tried = wanted.filter((point, i) => i % atEffort(16, 1) === 0 || !/\p{Co}/u.test(point));
    assertNone(tried, (point) => hidden.test(shownText(point)) || hidden.test(shownText(`a${point}b1${point}2`)));
  });

  it('stays as it is where every character is seen', () => {
    const unseen = /[\p{C}\p{DI}\p{Zl}\p{Zp}\u2800\u{16fe4}\u{13441}\u{13442}\u{1d159}\ufffc]/u;
    assertNone(points, (point) => !unseen.test(point) && shownText(point) !== point);
  });

  const legitimate: readonly (readonly [string, string])[] = [
    ['Latin with accents and a narrow space', 'Prévoir l’année\u00a0: 12\u202f000 €, na\u0308ive'],
    ['lines and tabulators', 'a\tb\r\nc\n'],
    ['Arabic', 'السلام عليكم ۝١'],
    ['Hebrew with points', 'שָׁלוֹם עוֹלָם'],
    ['Persian with non-joiners', 'می\u200cخواهم خانه\u200cها'],
    ['Hindi with joiners', 'क्\u200dष क्\u200cष'],
    ['Bengali ya-phalaa', 'র\u200d্যাম'],
    ['Malayalam chillu', 'അവന\u0d4d\u200d'],
    ['Sinhala', 'ශ්\u200dරී'],
    ['Thai and Japanese', 'สวัสดี 日本語の目標'],
    [
      'emoji families, skin tones and flags',
      '👩\u200d👩\u200d👧 👍🏽 🇫🇷 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    ],
    ['emoji with styles and keycaps', '❤\ufe0f ⭐\ufe0f ↩\ufe0e 1\ufe0f\u20e3 🏳\ufe0f\u200d🌈'],
  ];
  for (const [name, text] of legitimate) it(`stays as it is: ${name}`, () => strictEqual(shownText(text), text));

  const misplaced: readonly (readonly [string, string, string])[] = [
    ['a joiner between Latin letters', 'pay\u200dpal', 'pay<U+200D>pal'],
    ['a second joiner', 'می\u200c\u200cخواهم', 'می<U+200C><U+200C>خواهم'],
    ['a non-joiner that changes nothing', 'دا\u200cد', 'دا<U+200C>د'],
    ['a joiner between emoji that do not join', '🍎\u200d🍏', '🍎<U+200D>🍏'],
    ['a selector on a digit', '1\ufe0f2', '1<U+FE0F>2'],
    ['a second selector', '❤\ufe0f\ufe0f', '❤\ufe0f<U+FE0F>'],
    ['tags without a flag', '🍎\u{e0067}\u{e007f}', '🍎<U+E0067><U+E007F>'],
    ['a lone carriage return', 'a\rb', 'a<U+000D>b'],
    ['marks piled over the line above', `a${'\u0301'.repeat(6)}`, `a${'\u0301'.repeat(4)}<U+0301><U+0301>`],
  ];
  for (const [name, text, expected] of misplaced) it(`shows ${name}`, () => strictEqual(shownText(text), expected));

  it('names each character that is not seen once', () => {
    deepStrictEqual(hiddenIn('a\u202eb\u202e\u200b'), ['U+202E', 'U+200B']);
    deepStrictEqual(hiddenIn('naïve'), []);
  });

  it('is the same JSON with escapes', () => {
    const value = { 'a\u202eb': ['\u{e0041}', '\u009b', '\u0007', 'שלום', '👩\u200d👧'] };
    const json = shownJson(JSON.stringify(value));
    strictEqual(json, String.raw`{"a\u202eb":["\udb40\udc41","\u009b","\u0007","שלום","👩‍👧"]}`);
    deepStrictEqual(JSON.parse(json), value);
  });

  it('isolates letters from right to left, and has the direction of most of its letters', () => {
    deepStrictEqual(shownOf('paid by שלום עולם, 12 of 30'), {
      direction: 'ltr',
      parts: ['paid by ', { run: 'שלום עולם' }, ', 12 of 30'],
    });
    deepStrictEqual(shownOf('א pay 12'), { direction: 'ltr', parts: [{ run: 'א' }, ' pay 12'] });
    deepStrictEqual(shownOf('שלום, 12 abc עולם!'), { direction: 'rtl', parts: ['שלום, 12 abc עולם!'] });
    deepStrictEqual(shownOf('"שלום": 12', true), { direction: 'ltr', parts: ['"', { run: 'שלום' }, '": 12'] });
    deepStrictEqual(shownOf('سلام\u202e'), { direction: 'rtl', parts: ['سلام', { name: 'U+202E', kind: 'direction' }] });
  });

  it('takes time in proportion to its length', () => {
    const hostile = ['\u202e', '\u0301', 'क\u094d\u200d', '\u200c', '👩\u200d', 'ی\u200c', '1\ufe0f', 'א. ', 'אa'];
    const { user: before } = process.cpuUsage();
    for (const each of hostile) shownOf(`a${each.repeat(20_000)}`);
    ok(process.cpuUsage().user - before < 10_000_000);
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sha256Hex } from '../../src/base/bytes.js';
import { english } from '../../src/engines/text/english.js';
import { languages } from '../../src/engines/text/languages.js';
import { answer_factor, findings_max, frame_weight } from '../../src/kinds/research/constants.js';
import { answerFactors, readGoal } from '../../src/kinds/research/engine/goal.js';
import { kindred } from '../../src/kinds/research/engine/ranking.js';
import { normalise, originalRange } from '../../src/kinds/research/engine/normal.js';
import { type Mission, readMission } from '../../src/kinds/research/engine/read.js';
import { stem } from '../../src/kinds/research/engine/stem.js';
import type { Finding } from '../../src/kinds/research/result.js';
import { researched, researchInput as input } from './inputs.js';
import { membersOf } from '../support/lists.js';

const pilot =
  'The pilot processed 1200 requests over 20 days. Reviewers accepted 1116 resolutions.\nDr. Vega led the review.\n\n' +
  'Security found three open issues. Traces held personal data. Rollout stays blocked until a re-test.';
const cost = 'Compute cost 96 USD in all. Review by people cost 1050 USD. No net saving was observed.';

describe('research engine', () => {
  it('quotes the sentences that match the goal, word for word', () => {
    const mission = input('Who led the review of the pilot?', pilot, cost);
    const { findings, sources, coverage } = researched(mission);
    assert.equal(findings[0]?.quote, 'Dr. Vega led the review.');
    assert.deepEqual(findings[0]?.terms, ['lead', 'review']);
    assert.deepEqual(membersOf(sources, 'sha256'), [sha256Hex(pilot), sha256Hex(cost)]);
    assert.deepEqual(coverage, { terms: ['lead', 'review', 'pilot'], uncovered: [] });
  });

  it('finds codes that are written with a hyphen or without', () => {
    const codes = ['Error E-17 means low oil.', 'Error E-18 means a blocked filter.', 'Pump P101 is old.'];
    const found = ['Meaning of E18', 'state of p-101'].map((goal) => researched(input(goal, codes.join(' '))).findings[0]?.quote);
    assert.deepEqual(found, codes.slice(1));
  });

  it('quotes a sentence without a word of the goal, which ranks far above the others, with its neighbour in the paragraph', () => {
    const [home, reopened] = ['Warsaw is home to the largest stock exchange of the region.', 'It was reopened in April 1991.'];
    const others = Array.from({ length: 20 }, (_, i) => `Town ${i} has a market. People like it.`);
    const quotesOf = (...texts: readonly string[]): string[] => {
      const { findings } = researched(input('When did the Warsaw stock exchange begin to trade?', ...texts));
      return findings.map(({ quote }) => quote);
    };
    assert.deepEqual(quotesOf(`${home} ${reopened}`, ...others), [`${home} ${reopened}`]);
    assert.deepEqual(quotesOf(`${reopened} ${home}`, ...others), [`${reopened} ${home}`]);
    assert.deepEqual(quotesOf(`${home} ${reopened}`), [home], 'among few sentences each is near the mean');
    assert.deepEqual(quotesOf(`${home}\n\n${reopened}`, ...others), [home], 'another paragraph');
    const long = `It was reopened in April 1991${' by the city'.repeat(45)}.`;
    assert.ok(long.length < 600 && home.length + long.length > 600);
    assert.deepEqual(quotesOf(`${home} ${long}`, ...others), [home], 'longer than a quote');
  });

  it('returns no finding when nothing is relevant', () => {
    for (const goal of ['Describe quark confinement', 'the of and', '???']) {
      const { findings, coverage } = researched(input(goal, pilot, cost));
      assert.deepEqual([findings, coverage.uncovered], [[], coverage.terms]);
    }
  });

  it('does not repeat a sentence that several sources share before others have had their turn', () => {
    const echo = 'The reactor was shut down in 1999. ';
    const { findings } = researched(
      input('When was the reactor shut down?', echo, echo, echo, 'The reactor shut down again in 2004 for repairs.'),
    );
    assert.equal(new Set(findings.slice(0, 2).map((f) => f.quote)).size, 2);
  });

  it('keeps the largest findings within the bound on bytes', () => {
    const goal = Array.from({ length: 64 }, (_, i) => `${'漢'.repeat(1)}x${'é'.repeat(27)}${i}`).join(' ');
    const texts = Array.from({ length: 20 }, (_, i) => `${goal.slice(i * 65, i * 65 + 590)}。`);
    assert.equal(researched(input(goal.slice(0, 2000), ...texts)).findings.length, findings_max);
  });
});

const findings = (goal: string, ...texts: readonly string[]): readonly Finding[] => researched(input(goal, ...texts)).findings;

const goal = 'What happened to the reactor during the spring inspection?';
const base =
  'During the spring inspection the old reactor was shut down by the operators for repairs of both coolant pumps, all valves and every turbine';

describe('copies', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['the same sentence', `${base}.`, true],
    ['other case, punctuation and white space', `${base.toUpperCase().replace('INSPECTION', 'INSPECTION, ')}!`, true],
    ['another form of a word', `${base.replace('operators', 'operator')}.`, true],
    ['one word more', `${base} again.`, true],
    ['a word in place of another', `${base.replace('shut', 'slowed')}.`, false],
    ['a negation more', `${base.replace('was', 'was not')}.`, false],
    ['a figure more', `${base} twice in 14 days.`, false],
    ['a name more', `${base.replace('operators', 'operators Vega')}.`, false],
    ['a name as the first word', `Vega ${base.toLowerCase()}.`, false],
    [
      'the words in another order',
      'The operators for repairs by the spring was during old inspection reactor the shut down of both coolant pumps, all valves and every turbine.',
      false,
    ],
    ['other words', 'The reactor was closed for two months after an inspection in spring.', false],
  ];
  for (const [name, other, isCopy] of cases) {
    it(`are found or not, with ${name}: ${isCopy ? 'one finding' : 'two findings'}`, () => {
      const found = findings(goal, `${base}.`, other);
      assert.equal(found.length, isCopy ? 1 : 2);
      assert.deepEqual(
        found.map(({ copies, also_in }) => [copies, also_in]),
        isCopy
          ? [[1, [found[0]?.source_id === 's0' ? 's1' : 's0']]]
          : [
              [0, []],
              [0, []],
            ],
      );
    });
  }

  it('leave room for all other findings, however often a source is repeated', () => {
    const source = 'The reactor was shut down in 1999. It was repaired in 2001. The reactor was inspected again in 2004.';
    const [first, ...others] = findings(
      'When was the reactor shut down, repaired and inspected?',
      ...Array.from({ length: 30 }, () => source),
    );
    assert.equal(others.length, 2);
    for (const finding of [first, ...others]) {
      assert.equal(finding?.copies, 29);
      assert.equal(finding?.also_in.length, 20);
    }
  });

  it('have the same characters in scripts without spaces', () => {
    const text = '反应堆在检查期间被操作员关闭以进行维修并在两个月后重新启动。';
    assert.equal(findings('反应堆何时关闭？', text, text.replace('两', '三')).length, 2);
    assert.equal(findings('反应堆何时关闭？', text, text).length, 1);
  });
});

const kin = (one: string, other: string): boolean => kindred([one], english)(other).length > 0;

describe('kindred words', () => {
  const pairs: readonly (readonly [string, string, boolean])[] = [
    ['performance', 'performed', true],
    ['celebration', 'celebrates', true],
    ['nation', 'national', true],
    ['third', '3', true],
    ['third', '3rd', true],
    ['three', 'third', true],
    ['1990s', '1990', true],
    ['purchase', 'bought', true],
    ['owned', 'possesses', true],
    ['film', 'movies', true],
    ['port', 'portrait', false],
    ['film', 'films', false],
    ['third', 'thirty', false],
    ['30', '3', false],
    ['film', 'car', false],
  ];
  for (const [one, other, expected] of pairs) {
    it(`include or exclude ${one} and ${other}: ${expected ? 'kindred' : 'not, or the same'}`, () => {
      assert.equal(kin(stem(one), stem(other)), expected);
    });
  }

  const german = languages.find(({ id }) => id === 'de') ?? english;
  it('are compounds too in German', () => {
    assert.deepEqual(kindred(['theater'], german)('sommertheater'), [0]);
    assert.deepEqual(kindred(['theater'], english)('sommertheater'), []);
  });
});

describe('the question of a goal', () => {
  const missionOf = (goal: string, text: string): Mission => readMission(goal, [{ text }], () => undefined);
  const factorOf = (goal: string, text: string): number => {
    const mission = missionOf(goal, text);
    const [sentence] = mission.sentences;
    return sentence === undefined ? 1 : answerFactors(mission, readGoal(mission))(sentence);
  };
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['Wann wurde die Brücke eröffnet?', 'Die Brücke wurde 1957 eröffnet.', false],
    ['When did it open?', 'It opened in 1957.', true],
    ['When did it open?', 'It opened in early March of that spring.', true],
    ['When did it open?', 'It opened with 30 rooms.', false],
    ['When in 1957 did it open?', 'It opened in 1957.', false],
    ['How many rooms has it?', 'There are 30 rooms.', true],
    ['How many rooms has it?', 'A dozen rooms are open.', true],
    ['How many rooms has it?', 'The rooms opened in 1957.', false],
    ['Who opened it?', 'It was opened by Ada Lovelace.', true],
    ['Who was Ada Lovelace?', 'It was opened by Ada Lovelace.', false],
    ['Where is it?', 'It stands in Lyon.', true],
    ['What is it?', 'It stands in Lyon since 1957.', false],
  ];
  for (const [goal, text, expected] of cases) {
    it(`is recognised or not in a text: ${goal} ${text}`, () => {
      assert.equal(factorOf(goal, text), expected ? answer_factor : 1);
    });
  }

  it('weighs words that frame a question less', () => {
    const { terms, weights } = readGoal(missionOf('What kind of bridge was named after him?', ''));
    assert.deepEqual(terms, ['kind', 'bridg', 'nam']);
    assert.deepEqual(weights, [frame_weight, 1, frame_weight]);
  });
});

/** Characters that this Node's Unicode knows: their normal forms never change. */
const assigned = /^\p{Assigned}+$/u;
const isSurrogate = (point: number): boolean => point >= 0xd800 && point <= 0xdfff;

const marks =
  '\u0300\u0301\u0304\u0307\u0308\u0316\u0323\u0327\u0328\u0338\u0345\u05b4\u064b\u0651\u093c\u094d\u0e38\u0e48\u3099\u{1d165}';
const letters =
  'ﬁＡ５ｶﾞ²ªﬃㄱㅏ①㌔ﷲﷺ…．aeoAEIsKΩαιάñéǖệ¨<=क\u0958ড\u09be\u09c7日が漢\uf900\u{2f800}\u1100\u1161\u11a8가각\u0f73\u0f71\u0f72\u{1d15e}\u{16d67}\u{16d63}\u{16d68}\u212b\u0344 .\n';
const piece = fc.constantFrom(...marks, ...marks, ...letters, 'x'.repeat(40), '\u0301'.repeat(40));
const text = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(''));

/** Returns the canonical form in which letters, figures, marks and wide forms are plain ones, by this Node. */
const compared = (source: string): string =>
  Array.from(source.normalize('NFD'), (character) => {
    const form = character.normalize('NFKD');
    const isRare = /[\u0e33\u0eb3\ufbea-\ufdc7\u1d2c-\u1dbf\u{10780}-\u{107ba}\u{1e000}-\u{10ffff}]/u.test(character);
    const isFolded = /[\p{L}\p{M}\p{N}\uff01-\uffee]/u.test(character) && !isRare;
    return isFolded && !/[\p{Z}.!?…]/u.test(form) ? form : character;
  })
    .join('')
    .normalize('NFC');

describe('the form in which words are compared, by frozen tables', () => {
  it('is that of Unicode for every assigned character, alone and with marks around it', () => {
    for (let point = 0x80; point < 0x110000; point++) {
      if (isSurrogate(point) || (point > 0x32000 && point % 64 !== 0)) continue;
      const character = String.fromCodePoint(point);
      if (!assigned.test(character)) continue;
      const decomposed = character.normalize('NFD');
      for (const form of [character, decomposed, `${character}\u0323\u0301`, `e\u0301${character}`]) {
        if (normalise(form).text === compared(form)) continue;
        assert.fail(`U+${point.toString(16)}: ${JSON.stringify(form)} gives ${JSON.stringify(normalise(form).text)}`);
      }
    }
  });

  it('is that of Unicode for any order of letters and marks', () => {
    const few = fc.array(fc.constantFrom(...marks, ...letters), { maxLength: 20 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(few, (source) => {
        fc.pre(assigned.test(source));
        const expected = compared(source);
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

  it('works through a long run of marks in bounded time', () => {
    const long = `a${'\u0323\u0301'.repeat(20_000)}`;
    const { text: once } = normalise(long);
    assert.equal(once.length, long.length - 1);
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { answerFactors, readGoal } from '../../src/kinds/research/engine/goal.js';
import { kindred } from '../../src/kinds/research/engine/kin.js';
import { readMission, type Mission } from '../../src/kinds/research/engine/read.js';
import { answer_factor, frame_weight } from '../../src/kinds/research/constants.js';
import { stem } from '../../src/kinds/research/engine/stem.js';
import { scoreAll } from '../../src/kinds/research/engine/ranking.js';
import { kinOf, questions } from '../../src/kinds/research/verify/asked.js';
import { judge } from '../../src/kinds/research/verify/score.js';
import { readingOf, writtenWords } from '../../src/kinds/research/verify/text.js';
import { languages } from '../../src/engines/text/languages.js';
import * as english from '../../src/engines/text/english.js';

const kin = (one: string, other: string): boolean => kindred([one], null)(other).length > 0;

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
      assert.equal(kinOf(stem(one), null)(stem(other)), expected);
    });
  }

  const listed = [...english.synonyms.flat(), ...english.ordinals, ...english.frame_words, ...english.months];
  const parts = fc.constantFrom(
    ...'1~2~10~07~st~nd~rd~th~s~.5~é~при~веты~موسم~स्कूल~owned~meetings~abc~abcd~abcde~abcdef~abcdex~first~second'.split('~'),
  );
  const word = fc.oneof(
    fc.constantFrom(...listed.map(stem)),
    fc.array(parts, { minLength: 1, maxLength: 3 }).map((p) => stem(p.join(''))),
  );
  const german = languages.find(({ id }) => id === 'de') ?? null;
  const latin = fc.constantFrom(null, german);
  it('are compounds too in German', () => {
    assert.deepEqual(kindred(['theater'], german)('sommertheater'), [0]);
    assert.deepEqual(kindred(['theater'], null)('sommertheater'), []);
    assert.equal(kinOf('sommertheater', german)('theater'), true);
  });

  it('are the same for engine and verifier', () => {
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 30 }), latin, (one, others, language) => {
        const related = kinOf(one, language);
        const engine = kindred([one], language);
        assert.deepEqual(
          others.filter((other) => engine(other).length > 0),
          others.filter(related),
        );
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the question of a goal', () => {
  const missionOf = (goal: string, text: string): Mission => readMission(goal, [text], () => undefined);
  const factorOf = (goal: string, text: string): number => {
    const mission = missionOf(goal, text);
    const [sentence] = mission.sentences;
    return sentence === undefined ? 1 : answerFactors(mission, readGoal(mission))(sentence);
  };
  /** Asserts that the verifier finds the same terms, scores and shares. */
  const agree = (goal: string, text: string): void => {
    const mission = missionOf(goal, text);
    const asked = readGoal(mission);
    const { terms, rated } = judge(goal, [text]);
    assert.deepEqual(asked.terms, terms);
    assert.deepEqual(
      scoreAll(mission, asked).map(({ sentence: { start, end }, score, matched }) => [start, end, score, matched]),
      rated.map(({ start, end, score, matched }) => [start, end, score, matched]),
    );
  };
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['Когда открылся мост?', 'Мост открылся в 1957 году.', true],
    ['Сколько комнат в доме?', 'В этом доме 30 комнат.', true],
    ['Wann wurde die Brücke eröffnet?', 'Die Brücke wurde 1957 eröffnet.', true],
    ['大桥是什么时候开放的？', '大桥于1957年开放。', true],
    ['สะพานเปิดเมื่อไร', 'สะพานเปิดในปี ๑๙๕๗', true],
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
      agree(goal, text);
    });
  }

  it('weighs words that frame a question less, in engine and verifier', () => {
    const { terms, weights } = readGoal(missionOf('What kind of bridge was named after him?', ''));
    assert.deepEqual(terms, ['kind', 'bridg', 'nam']);
    assert.deepEqual(weights, [frame_weight, 1, frame_weight]);
    const words = writtenWords('What kind of bridge was named after him?');
    const { framing } = readingOf(words, []);
    assert.deepEqual(
      terms.map((term) => (framing.has(term) ? frame_weight : 1)),
      weights,
    );
  });

  it('is read identically by engine and verifier', () => {
    const phrases = [...english.date_questions, ...english.figure_questions, ...english.name_questions.map(([w]) => w)];
    const piece = fc.constantFrom(
      ...phrases,
      'Alan',
      'May',
      '1999',
      '30',
      '2100',
      'hundred',
      'the',
      'x’s',
      'Third',
      '12th',
      '.',
      'Der',
      'und',
      'wann',
      'Кто',
      'в 1999 г.',
      '何时',
      'คน',
    );
    const text = fc.array(piece, { maxLength: 12 }).map((list) => list.join(' '));
    fc.assert(
      fc.property(text, text, (goal, sentence) => {
        const { asksDate, asksFigure, asksNames } = readGoal(missionOf(goal, sentence));
        const { spoken } = readingOf(writtenWords(goal), writtenWords(sentence));
        assert.deepEqual({ date: asksDate, figure: asksFigure, names: asksNames }, questions(goal, spoken));
        agree(goal, sentence);
      }),
      { numRuns: 300 },
    );
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { answerFactor, readGoal } from '../../src/kinds/research/engine/goal.js';
import { kindred } from '../../src/kinds/research/engine/kin.js';
import { answer_factor, frame_weight } from '../../src/kinds/research/constants.js';
import { stem } from '../../src/kinds/research/engine/stem.js';
import { readTerms } from '../../src/kinds/research/engine/tokens.js';
import { bonus, kinOf, questions, weightOf } from '../../src/kinds/research/verify/asked.js';
import { goalTerms } from '../../src/kinds/research/verify/score.js';
import { tokens } from '../../src/kinds/research/verify/text.js';
import * as english from '../../src/engines/text/english.js';

const kin = (one: string, other: string): boolean => (kindred([one], [other])[0] ?? []).length > 0;

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
    it(`${one} and ${other}: ${expected ? 'kindred' : 'not, or the same'}`, () => {
      assert.equal(kin(stem(one), stem(other)), expected);
      assert.equal(kinOf(stem(one))(stem(other)), expected);
    });
  }

  const listed = [...english.synonyms.flat(), ...english.ordinals, ...english.frame_words, ...english.months];
  const parts = fc.constantFrom(
    ...'1~2~10~07~st~nd~rd~th~s~.5~é~owned~meetings~abc~abcd~abcde~abcdef~abcdex~first~second'.split('~'),
  );
  const word = fc.oneof(
    fc.constantFrom(...listed.map(stem)),
    fc.array(parts, { minLength: 1, maxLength: 3 }).map((p) => stem(p.join(''))),
  );
  it('are the same for engine and verifier', () => {
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 30 }), (one, others) => {
        const related = kinOf(one);
        assert.deepEqual(kindred([one], others)[0], others.filter(related));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('what a goal asks for', () => {
  const factorOf = (goal: string, text: string): number => {
    const { terms, names } = readTerms(text, 0, text.length, new Map());
    const asked = readGoal(goal);
    return answerFactor({ counts: new Map(terms.map((term) => [term, 1])), names }, asked, new Set(asked.terms));
  };
  const cases: readonly (readonly [string, string, boolean])[] = [
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
    it(`${goal} ${text}`, () => {
      assert.equal(factorOf(goal, text), expected ? answer_factor : 1);
      assert.equal(bonus(tokens(text), goalTerms(goal), questions(goal)), expected ? answer_factor : 1);
    });
  }

  it('weighs words that frame a question less, in engine and verifier', () => {
    const { terms, weights } = readGoal('What kind of bridge was named after him?');
    assert.deepEqual(terms, ['kind', 'bridg', 'nam']);
    assert.deepEqual(weights, [frame_weight, 1, frame_weight]);
    assert.deepEqual(terms.map(weightOf), weights);
  });

  it('is read alike by engine and verifier', () => {
    const phrases = [...english.date_questions, ...english.figure_questions, ...english.name_questions.map(([w]) => w)];
    const piece = fc.constantFrom(...phrases, 'Alan', 'May', '1999', '30', '2100', 'hundred', 'the', 'x’s', 'Third', '12th', '.');
    const text = fc.array(piece, { maxLength: 12 }).map((list) => list.join(' '));
    fc.assert(
      fc.property(text, text, (goal, sentence) => {
        const { asksDate, asksFigure, asksNames, terms } = readGoal(goal);
        const asked = questions(goal);
        assert.deepEqual({ date: asksDate, figure: asksFigure, names: asksNames }, asked);
        assert.equal(factorOf(goal, sentence), bonus(tokens(sentence), terms, asked));
      }),
      { numRuns: 1000 },
    );
  });
});

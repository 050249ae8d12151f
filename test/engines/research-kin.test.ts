import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { answerFactors, readGoal } from '../../src/kinds/research/engine/goal.js';
import { kindred } from '../../src/kinds/research/engine/kin.js';
import { readMission, type Mission } from '../../src/kinds/research/engine/read.js';
import { answer_factor, frame_weight } from '../../src/kinds/research/constants.js';
import { stem } from '../../src/kinds/research/engine/stem.js';
import { languages } from '../../src/engines/text/languages.js';

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
    });
  }

  const german = languages.find(({ id }) => id === 'de') ?? null;
  it('are compounds too in German', () => {
    assert.deepEqual(kindred(['theater'], german)('sommertheater'), [0]);
    assert.deepEqual(kindred(['theater'], null)('sommertheater'), []);
  });
});

describe('the question of a goal', () => {
  const missionOf = (goal: string, text: string): Mission => readMission(goal, [text], () => undefined);
  const factorOf = (goal: string, text: string): number => {
    const mission = missionOf(goal, text);
    const [sentence] = mission.sentences;
    return sentence === undefined ? 1 : answerFactors(mission, readGoal(mission))(sentence);
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
    });
  }

  it('weighs words that frame a question less', () => {
    const { terms, weights } = readGoal(missionOf('What kind of bridge was named after him?', ''));
    assert.deepEqual(terms, ['kind', 'bridg', 'nam']);
    assert.deepEqual(weights, [frame_weight, 1, frame_weight]);
  });
});

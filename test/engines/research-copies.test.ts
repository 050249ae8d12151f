/** Copies of a sentence: folded into one finding with a count. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { unwrap } from '../../src/base/result.js';
import type { EngineInput } from '../../src/engines/engine.js';
import { researchEngine } from '../../src/kinds/research/engine/engine.js';
import type { Finding, ResearchResult } from '../../src/kinds/research/result.js';
import { verifyResearch } from '../../src/kinds/research/verify/verify.js';
import type { ResearchWork } from '../../src/kinds/research/work.js';

const input = (goal: string, texts: readonly string[]): EngineInput<ResearchWork> => ({
  goal,
  work: { kind: 'research', sources: texts.map((text, i) => ({ id: `s${i}`, title: `Source ${i}`, text, url: '' })) },
  seed: 1,
  population: 20,
  generations: 12,
  effort: { max_evaluations: 100 },
  warm_start: null,
});

const run = (mission: EngineInput<ResearchWork>): ResearchResult => {
  const { result } = unwrap(researchEngine.run(mission, () => undefined));
  assert.equal(verifyResearch(mission, result).failure, null);
  return result;
};
const findings = (goal: string, ...texts: readonly string[]): readonly Finding[] => run(input(goal, texts)).findings;

const goal = 'What happened to the reactor during the spring inspection?';
const base = 'During the spring inspection the old reactor was shut down by the operators for repairs';

describe('copies', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['the same sentence', `${base}.`, true],
    ['other case, punctuation and white space', `${base.toUpperCase().replace('INSPECTION', 'INSPECTION, ')}!`, true],
    ['another form of a word', `${base.replace('operators', 'operator')}.`, true],
    ['one word more', `${base} again.`, true],
    ['a negation more', `${base.replace('was', 'was not')}.`, false],
    ['a figure more', `${base} twice in 14 days.`, false],
    ['a name more', `${base.replace('operators', 'operators Vega')}.`, false],
    [
      'the words in another order',
      'The operators for repairs by the spring was during old inspection reactor the shut down.',
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

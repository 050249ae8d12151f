/** Outputs are compared as JSON of the same types: what is the same, what is not, and what is no value at all. */
import { deepStrictEqual } from 'node:assert';
import { unwrap } from '../../../src/base/refusal.js';
import { parseJsonNode } from '../../../src/base/json.js';
import { benchmarkHash, benchmarkOf, numberFaults } from '../../../src/kinds/code/cases.js';
import { judge, verdictOf, type Output, type Verdict } from '../../../src/kinds/code/judge.js';
import { heldoutFailure } from '../../../src/kinds/code/benchmark.js';

const returned = (text: string): Output => ({ outcome: 'returned', text });

/** Expected, output, the verdict for Python, and that for JavaScript where it differs. */
const table: readonly (readonly [string, string, Verdict, Verdict?])[] = [
  ['1', '1', 'passed'],
  ['1', '1.0', 'wrong', 'passed'],
  ['1', '1e0', 'wrong', 'passed'],
  ['1', 'true', 'wrong'],
  ['true', '1', 'wrong'],
  ['0', '-0', 'wrong', 'passed'],
  ['0', '-0.0', 'wrong', 'passed'],
  ['2.5', '2.5', 'passed'],
  ['2.5', '25e-1', 'passed'],
  ['2.5', '2.50000000000000000001', 'passed'],
  ['2.5', '2.5000001', 'wrong'],
  ['5.0', '5.0', 'passed'],
  ['5.0', '5', 'wrong', 'passed'],
  ['9007199254740991', '9007199254740992', 'invalid'],
  ['9007199254740991', '9007199254740991.0', 'wrong', 'passed'],
  ['1', '1e400', 'invalid'],
  ['1', 'NaN', 'invalid'],
  ['1', '1 2', 'invalid'],
  ['"1"', '1', 'wrong'],
  ['"é"', '"\\u00e9"', 'passed'],
  ['"é"', '"e\u0301"', 'wrong'],
  ['"a"', '"\\ud800"', 'invalid'],
  ['[]', '{}', 'wrong'],
  ['[1,2]', '[ 1 , 2 ]', 'passed'],
  ['[1,2]', '[2,1]', 'wrong'],
  ['[1,2]', '[1]', 'wrong'],
  ['[[1]]', '[[1.0]]', 'wrong', 'passed'],
  ['{"a":1,"b":2}', '{"b":2,"a":1}', 'passed'],
  ['{"a":1}', '{"a":1,"b":2}', 'wrong'],
  ['{"a":1,"b":2}', '{"a":1}', 'wrong'],
  ['{"a":1}', '{"a":1,"a":1}', 'invalid'],
  ['{"__proto__":1}', '{"__proto__":1}', 'passed'],
  ['{"__proto__":1}', '{}', 'wrong'],
  ['null', 'null', 'passed'],
  ['1', `${'['.repeat(70)}${']'.repeat(70)}`, 'invalid'],
];

describe('verdicts', () => {
  for (const [expected, output, python, javascript = python] of table) {
    it(`compare ${output.slice(0, 40)} with ${expected}: ${python}${javascript === python ? '' : `, in JavaScript ${javascript}`}`, () => {
      const verdicts = (['python', 'javascript'] as const).map((language) =>
        verdictOf({ args: '[]', expected }, returned(output), language),
      );
      deepStrictEqual(verdicts, [python, javascript]);
    });
  }

  it('repeat what the runner reports for a case without a value', () => {
    const one = { args: '[]', expected: '1' };
    deepStrictEqual(verdictOf(one, null, 'python'), 'missing');
    for (const outcome of ['raised', 'invalid', 'too_large'] as const)
      deepStrictEqual(verdictOf(one, { outcome, text: '1' }, 'python'), outcome);
  });

  it('come example by example, then case by case; only a held-out case fails a mission', () => {
    const benchmark = { examples: [{ args: '[]', expected: '1' }], heldout: [{ args: '[]', expected: '2' }] };
    const first = judge(benchmark, [returned('9'), returned('2')], 'python');
    deepStrictEqual(first, { examples: ['wrong'], heldout: ['passed'] });
    deepStrictEqual(heldoutFailure(first), null);
    const second = judge(benchmark, [returned('1')], 'python');
    deepStrictEqual(second, { examples: ['passed'], heldout: ['missing'] });
    deepStrictEqual(heldoutFailure(second), '1 of 1 held-out cases failed: case 1 (no output)');
  });
});

const requestOf = (cases: string): string => `{"goal":"try","work":{"kind":"code","examples":[],"heldout":${cases}}}`;

describe('cases', () => {
  it('keep the number tokens of the text', () => {
    const text = requestOf('[ {"args": [5.0, -1], "expected": {"a": 1.50}} ]');
    deepStrictEqual(unwrap(benchmarkOf(text)), { examples: [], heldout: [{ args: '[5.0, -1]', expected: '{"a": 1.50}' }] });
  });

  it('have a hash that distinguishes 1 from 1.0, and an example from a held-out case', () => {
    const one = { args: '[]', expected: '1' };
    const hashes = [
      { examples: [], heldout: [one] },
      { examples: [], heldout: [{ ...one, expected: '1.0' }] },
      { examples: [one], heldout: [] },
    ].map(benchmarkHash);
    deepStrictEqual(new Set(hashes).size, 3);
  });

  it('write integral numbers as integers; each other one is named with its path', () => {
    const text = requestOf('[{"args":[1,[2.0],{"a":-0}],"expected":1e3},{"args":[0.5,1.5e1,-3,0,1e-400],"expected":"1.0"}]');
    const node = unwrap(parseJsonNode(text));
    deepStrictEqual(
      numberFaults(node, text).map(({ path, message }) => `${path} ${message.split(': ')[1] ?? ''}`),
      [
        'work.heldout[0].args[1][0] 2',
        'work.heldout[0].args[2].a 0',
        'work.heldout[0].expected 1000',
        'work.heldout[1].args[1] 15',
        'work.heldout[1].args[4] 0',
      ],
    );
  });
});

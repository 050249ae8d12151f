/** The form of a code mission never rewrites the numbers of its cases. */
import { deepStrictEqual } from 'node:assert';
import { draft, isRewritten } from '../../src/console/operator/kinds/code/draft.js';

describe("a code mission's cases in the form", () => {
  for (const text of ['[5.0]', '[1e3]', '[-0]', '{"a": 2.00}', '[1, "5.0", 15e-1, 3.0]', '[1E+2]'])
    it(`keep ${text} as text`, () => deepStrictEqual(isRewritten(text), true));
  for (const text of ['', '[5]', '[-3, 0, 0.5, 2.5e-1]', '["5.0", "\\"1e3"]', '{"1.0": 1}', 'no JSON'])
    it(`are ${text === '' ? 'blank' : text}`, () => deepStrictEqual(isRewritten(text), false));

  it('are sent as a list otherwise', () => {
    const [good, bad] = ['[{"args": [1], "expected": 2}]', '[{"args": [1.0], "expected": 2}]'];
    deepStrictEqual(draft.valuesOf({ ...draft.empty, examples: good, heldout: bad }), {
      language: 'python',
      candidate: undefined,
      examples: [{ args: [1], expected: 2 }],
      heldout: bad,
    });
  });
});

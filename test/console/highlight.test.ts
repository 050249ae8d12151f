/** Source code is split into the parts that are coloured, and nothing of it is lost. */
import { deepStrictEqual } from 'node:assert';
import { highlighted, type Part } from '../../src/console/operator/kinds/code/highlight.js';

const partsOf = (language: string, code: string, part: Part): string[] =>
  highlighted(language, code)
    .flat()
    .filter((token) => token.part === part)
    .map(({ text }) => text);

const python = 'def solve(x):  # the answer\n    """two\nlines"""\n    return 0x1f if x else 1.5e-3\n';
const javascript = 'const solve = (x) => { /* a\nb */ return `n ${x}` + "it\\"s" + 10n; } // end';
const samples: readonly (readonly [string, string])[] = [
  ['python', python],
  ['javascript', javascript],
  ['python', '"open'],
  ['python', "'''never closed\n\n"],
  ['javascript', '/* never closed'],
  ['javascript', '`never\nclosed'],
  ['cobol', 'IF x THEN 1'],
  ['__proto__', 'def x'],
  ['python', ''],
  ['python', '\n\n'],
  ['python', '\\'.repeat(999)],
];

describe('highlighting', () => {
  for (const [language, code] of samples) {
    it(`loses nothing of ${JSON.stringify(code.slice(0, 40))} in ${language}`, () => {
      const lines = highlighted(language, code).map((line) => line.map(({ text }) => text).join(''));
      deepStrictEqual(lines.join('\n'), code);
      deepStrictEqual(lines.length, code.split('\n').length);
    });
  }

  it('tells words, texts, numbers and comments apart', () => {
    deepStrictEqual(partsOf('python', python, 'word'), ['def', 'return', 'if', 'else']);
    deepStrictEqual(partsOf('python', python, 'text'), ['"""two', 'lines"""']);
    deepStrictEqual(partsOf('python', python, 'number'), ['0x1f', '1.5e-3']);
    deepStrictEqual(partsOf('python', python, 'comment'), ['# the answer']);
    deepStrictEqual(partsOf('javascript', javascript, 'word'), ['const', 'return']);
    deepStrictEqual(partsOf('javascript', javascript, 'text'), ['`n ${x}`', '"it\\"s"']);
    deepStrictEqual(partsOf('javascript', javascript, 'number'), ['10n']);
    deepStrictEqual(partsOf('javascript', javascript, 'comment'), ['/* a', 'b */', '// end']);
  });
});

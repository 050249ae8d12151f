import { deepStrictEqual } from 'node:assert';
import { arrange } from '../../src/cli/arrange.js';

describe('arrange', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['list', 'list'],
    ['--home D list', 'list --home D'],
    ['--home=D list --limit 2', 'list --limit 2 --home=D'],
    ['--json list', 'list --json'],
    ['--json --home D show X', 'show X --json --home D'],
    ['--home D --json show X', 'show X --home D --json'],
    ['--home D config show', 'config show --home D'],
    ['list --home D', 'list --home D'],
    ['--home D list --home E', 'list --home E --home D'],
    ['--home D run -- --file', 'run --home D -- --file'],
    ['--home D --help', '--help --home D'],
    // Nothing to move behind: oclif is given the words unchanged.
    ['--home D', '--home D'],
    ['--home', '--home'],
    ['--json', '--json'],
    ['', ''],
    ['--version', '--version'],
    ['--homeless list', '--homeless list'],
  ];
  const words = (text: string): string[] => (text === '' ? [] : text.split(' '));
  for (const [given, expected] of cases) {
    it(`turns ${given || '(nothing)'} into ${expected || '(nothing)'}`, () =>
      deepStrictEqual(arrange(words(given)), words(expected)));
  }

  it('leaves its argument unchanged', () => {
    const argv = ['--home', 'D', 'list'];
    arrange(argv);
    deepStrictEqual(argv, ['--home', 'D', 'list']);
  });
});

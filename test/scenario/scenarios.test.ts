/** Every test/scenario/*.txt is one test; README.md there says how they read. @slow */
import { notStrictEqual, rejects } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../support/package-root.js';
import { runScenario } from '../support/cli/scenario-run.js';
import { readScenario } from '../support/cli/scenario-text.js';

const folder = join(packageRoot(import.meta.url), 'test', 'scenario');

describe('scenarios', function () {
  this.slow(30_000);
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .toSorted();
  if (process.platform === 'win32') return;

  it('are there', () => {
    notStrictEqual(files.length, 0);
  });

  /** The scenario in which every command is a process of its own, as it is for an operator. With TEST_EFFORT=full all are. */
  const ownProcesses = 'whole-way-allocation.txt';

  /** While one test waits for its scenario, the next ones run already; one more than there are processors, because scenarios also wait. */
  const ahead = Math.min(3, availableParallelism() + 1);
  const begun = new Map<string, Promise<void>>();
  const begin = (file: string): Promise<void> => {
    const running =
      begun.get(file) ?? runScenario(readScenario(readFileSync(join(folder, file), 'utf8')), undefined, file !== ownProcesses);
    running.catch(() => undefined);
    begun.set(file, running);
    return running;
  };

  files.forEach((file, i) => {
    it(file.replace('.txt', '').replaceAll('-', ' '), async () => {
      for (const next of files.slice(i, i + ahead)) void begin(next);
      await begin(file);
    });
  });
});

describe('the scenario runner', () => {
  const run = (text: string): Promise<void> => runScenario(readScenario(text));

  const wrong: readonly (readonly [string, string, RegExp])[] = [
    ['another exit code', '$ exit 1', /another exit code/],
    ['an expected failure that does not come', '$ true\n[exit 1]', /another exit code/],
    ['output that nobody expects', '$ echo x', /standard output differs/],
    ['a line too few', '$ echo x\nx\ny', /standard output differs/],
    ['another line', '$ echo x\ny', /standard output differs/],
    ['errors that nobody expects', '$ echo x >&2', /standard error differs/],
    ['another value', '$ echo \'{"a":1}\'\njson .a = 2', /\.a at line 1/],
    ['a value that is not there', "$ echo '{}'\nset A = .a", /no single value/],
    ['no JSON', '$ echo x\njson .a = 1', /JSON/],
    ['a text that flip does not find', '$ echo x > f; flip f y z\n2> ...', /another exit code/],
  ];
  for (const [title, text, message] of wrong) it(`fails on ${title}`, () => rejects(run(text), message));
});

/** Scenarios that need a container engine; in their texts [IMAGE] is the sandbox image, and [DATA] holds a backup of the reference agent. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packageRoot } from '../support/package-root.js';
import { real, type Part } from '../support/real.js';
import { sandboxImage } from '../support/sandbox/sandbox.js';
import { runScenario } from '../support/cli/scenario-run.js';
import { readScenario } from '../support/cli/scenario-text.js';

const root = packageRoot(import.meta.url);
const data = resolve(root, process.env['AGENT_TEST_DATA'] ?? join('..', 'shared', 'data'), 'reference');

const scenarios: readonly (readonly [name: string, parts: readonly Part[]])[] = [
  ['code-mission', ['container']],
  ['code-mission-of-the-reference', ['container', 'test-data']],
];
for (const [name, parts] of scenarios) {
  real(parts, `scenario: ${name.replaceAll('-', ' ')}`, () => {
    it('runs as it is written', () => {
      const text = readFileSync(join(root, 'test', 'scenario', 'with-container', `${name}.txt`), 'utf8');
      return runScenario(readScenario(text.replaceAll('[DATA]', data).replaceAll('[IMAGE]', sandboxImage())));
    });
  });
}

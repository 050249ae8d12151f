/** Scenarios that begin with a backup of the reference agent; in their texts [DATA] is the folder that holds it. @slow */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packageRoot } from '../support/package-root.js';
import { real } from '../support/real.js';
import { runScenario } from '../support/cli/scenario-run.js';
import { readScenario } from '../support/cli/scenario-text.js';

const root = packageRoot(import.meta.url);
const folder = join(root, 'test', 'scenario', 'with-test-data');
const data = resolve(root, process.env['AGENT_TEST_DATA'] ?? join('..', 'shared', 'data'), 'reference');

real('test-data', 'homes of the reference agent', () => {
  if (process.platform === 'win32') return;
  for (const file of readdirSync(folder)) {
    it(file.replace('.txt', '').replaceAll('-', ' '), () =>
      runScenario(readScenario(readFileSync(join(folder, file), 'utf8').replaceAll('[DATA]', data)), undefined, true),
    );
  }
});

/** The packed program with the newer Nodes that it supports, whose SQLite is another one than that of Node 20. @slow */
import { deepStrictEqual } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { folderForSuite } from '../support/app/temporary-home.js';
import { placeWithPackages } from '../support/cli/packed.js';
import { foreignNode, mcpTools, real } from '../support/real.js';
import { hang_ms } from '../support/wait.js';

real(['node-22', 'node-24', 'mcp-tools'], 'the packed program', () => {
  const folder = folderForSuite();
  const program = join(folder, 'program');
  before(() => {
    placeWithPackages(program, process, () => true);
    // npm installs it for these Nodes only.
    const installed = join(mcpTools(), 'node_modules', 'better-sqlite3');
    cpSync(installed, join(program, 'node_modules', 'better-sqlite3-13'), { recursive: true });
  });

  for (const part of ['node-22', 'node-24'] as const)
    it(`makes a home, executes a mission of each kind, and verifies them with ${part}`, () => {
      const [node = '', ...before] = foreignNode(part);
      const [home, examples] = [join(folder, part), join(folder, `${part}-examples`)];
      const codeOf = (line: string): number | null => {
        const words = [...before, join(program, 'bin', 'agent-cli.js'), '--home', home, ...line.split(' ')];
        return spawnSync(node, words, { timeout: hang_ms }).status;
      };
      const runs = ['research', 'allocation', 'schedule', 'forecast'].map((kind) => `run ${examples}/${kind}.json --execute`);
      const lines = ['init', `examples --output ${examples}`, ...runs, 'verify --deep', `backup ${home}.zip`, 'rebuild'];
      deepStrictEqual(lines.map(codeOf), Array(9).fill(0));
    });
});

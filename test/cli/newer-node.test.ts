/** The packed program with the newer Nodes that it supports, whose SQLite is another one than that of Node 20. @slow */
import { deepStrictEqual } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { placeWithPackages } from '../support/cli/packed.js';
import { foreignNode, mcpTools, real } from '../support/real.js';
import { scratch, type Scratch } from '../support/cli/cli-run.js';
import { hang_ms } from '../support/wait.js';

real(['node-22', 'node-24', 'mcp-tools'], 'the packed program', () => {
  let place: Scratch;
  const program = (): string => join(place.directory, 'program');
  before(() => {
    place = scratch();
    placeWithPackages(program(), process, () => true);
    // npm installs it for these Nodes only.
    const sqlite = join(program(), 'node_modules', 'better-sqlite3-13');
    rmSync(sqlite, { recursive: true, force: true });
    cpSync(join(mcpTools(), 'node_modules', 'better-sqlite3'), sqlite, { recursive: true });
  });
  after(() => place.remove());

  for (const part of ['node-22', 'node-24'] as const)
    it(`makes a home, executes a mission of each kind, and verifies them with ${part}`, () => {
      const [node = '', ...before] = foreignNode(part);
      const home = join(place.directory, part);
      const examples = join(place.directory, `${part}-examples`);
      const codeOf = (line: string): number | null => {
        const words = [...before, join(program(), 'bin', 'agent-cli.js'), '--home', home, ...line.split(' ')];
        return spawnSync(node, words, { encoding: 'utf8', timeout: hang_ms }).status;
      };
      const runs = ['research', 'allocation', 'schedule', 'forecast'].map((kind) => `run ${examples}/${kind}.json --execute`);
      const lines = ['init', `examples --output ${examples}`, ...runs, 'verify --deep', `backup ${home}.zip`, 'rebuild'];
      deepStrictEqual(
        lines.map(codeOf),
        lines.map(() => 0),
      );
    });
});

/** The list of missions: one line each, as wide as the terminal. */
import { deepStrictEqual, match, strictEqual } from 'node:assert';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { columnsOf } from '../../src/pictures/columns.js';
import { hostedCli, hostedScratch, plan, type Ran } from '../support/cli/cli-run.js';
import { commandHost } from '../support/cli/command-host.js';

describe('list', () => {
  const place = hostedScratch();
  const host = commandHost();
  const goals = [
    'Choose what to repair before winter',
    `Order the work of the yard ${'so that every ship leaves on its day '.repeat(12)}`.trim(),
    '港の修理の順番を決める。'.repeat(20),
  ];
  before(() => {
    strictEqual(place.run('init').code, 0);
    for (const goal of goals) {
      writeFileSync(join(place.directory, 'one.json'), JSON.stringify({ ...plan, goal }));
      place.json('run', 'one.json');
    }
  });
  after(() => {
    host.release();
    place.remove();
  });
  const listed = (columns: number, ...flags: readonly string[]): Ran =>
    hostedCli(host)(['list', ...flags], { ...place.env, COLUMNS: `${columns}` }, place.directory);

  for (const columns of [40, 60, 80, 200])
    it(`prints one line a mission, cut to ${columns} columns`, () => {
      const { code, stdout } = listed(columns);
      strictEqual(code, 0);
      const lines = stdout.trimEnd().split('\n');
      deepStrictEqual([lines.length, lines.at(-2), lines.at(-1)], [goals.length + 3, '', '3 missions']);
      for (const line of lines) strictEqual(columnsOf(line) <= columns, true, line);
      match(stdout, /^[0-9a-f]{8} {2}queued .*Choose what to/m);
      match(stdout, /Order the work.*…$/m);
    });

  it('prints whole goals, still one line a mission, with --wide', () => {
    const lines = listed(80, '--wide').stdout.trimEnd().split('\n');
    strictEqual(lines.length, goals.length + 3);
    for (const goal of goals) strictEqual(lines.filter((line) => line.endsWith(`Z  ${goal}`)).length, 1);
    match(listed(80, '--wide', '--limit', '1').stdout, /more: agent-cli list --cursor \d+ --limit 1 --wide\n/);
  });
});

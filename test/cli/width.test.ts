/** What people read at the widths of a small window, a common terminal and a wide one (UPDATE_GOLDEN=1 rewrites the texts). */
import { deepStrictEqual, strictEqual } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { columnsOf } from '../../src/pictures/columns.js';
import { cli, plan, root, scratch, type Scratch } from '../support/cli-run.js';

const commands: readonly (readonly string[])[] = [
  ['list'],
  ['show', '0f8f'],
  ['show', '7c9e'],
  ['doctor'],
  ['--help'],
  ['help', 'home'],
  ['list', '--help'],
];
/** Commands to be copied are not broken. */
const isCommand = /^(?:next: | {2}agent-cli review | {4}--result-hash | {2}\$ agent-cli )/;
/** A hash or a path, which stays whole. */
const isWhole = /^ *(?:[a-z ]+ {2,})?\S{30,}$/;

describe('widths', () => {
  let place: Scratch;
  before(() => {
    place = scratch();
    const long = { ...plan, goal: `${'Repair what the storm broke before the winter comes. '.repeat(5)}日本語の目標` };
    writeFileSync(join(place.directory, 'plan.json'), JSON.stringify(plan));
    writeFileSync(join(place.directory, 'long.json'), JSON.stringify(long));
    place.json('init');
    place.json('run', 'plan.json', '--request-id', '0f8fad5b-d9cb-469f-a165-70867728950e', '--execute');
    place.json('run', 'long.json', '--request-id', '7c9e6679-7425-40de-944b-e07fc1f90ae7');
  });
  after(() => place.remove());

  /** Returns the text with what differs from run to run replaced by as many characters. */
  const fixed = (text: string): string =>
    text
      .replaceAll(place.directory, 'DIRECTORY')
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\dZ/g, '2026-01-01 00:00Z')
      .replaceAll(/agent-cli\/\S+ \S+ node-\S+/g, 'agent-cli/VERSION')
      .replaceAll(/ +$/gm, '');

  for (const columns of [40, 80, 200]) {
    for (const args of commands) {
      const name = args.join('-').replaceAll('--', '');
      it(`fit ${columns} columns: ${args.join(' ')}`, () => {
        const { code, stdout, stderr } = cli(args, { ...place.env, COLUMNS: String(columns) }, place.directory);
        strictEqual(code, 0, stderr);
        const wide = stdout
          .split('\n')
          .filter((line) => columnsOf(line) > columns && !isCommand.test(line) && !isWhole.test(line));
        deepStrictEqual(wide, []);
        if (name === 'doctor') return;
        const golden = join(root, 'test', 'vectors', 'cli', 'widths', `${name}-${columns}.txt`);
        if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, fixed(stdout));
        strictEqual(fixed(stdout), readFileSync(golden, 'utf8'));
      });
    }
  }
});

/** The files of people in test/vectors/intake on the command line; test/intake reads all of them without it. @slow */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { optionFlags } from '../../src/cli/failure.js';
import { quoted } from '../../src/cli/text.js';
import type { Outcome } from '../../src/intake/types.js';
import { differences, type IntakeCase, intakeCases } from '../intake/expected.js';
import { program, scratch } from '../support/cli/cli-run.js';
import { atEffort } from '../support/effort.js';

const read_every = atEffort(12, 1);

describe('files of people on the command line', () => {
  const place = scratch({ NO_COLOR: '1' });
  after(() => place.remove());

  /** Returns what `new --json` prints as an outcome of the reader. */
  function outcomeOf({ kind, files, options }: IntakeCase, at: string): Outcome {
    const folder = join(place.directory, at);
    for (const { name, bytes } of files) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), bytes);
    }
    const from = files.map(({ name }) => `--from ${quoted(name)}`).join(' ');
    const command = [process.execPath, program, 'new', kind].map(quoted).join(' ');
    const line = `${command} ${from} ${optionFlags(options)} --json --output made.json`;
    const { stdout, stderr } = spawnSync('sh', ['-c', line], { cwd: folder, env: place.env, encoding: 'utf8' });
    const { code, choices, errors, ...made } = JSON.parse(stdout === '' ? stderr : stdout);
    if (code === undefined) return { outcome: 'draft', ...made };
    return code === 'choice_needed'
      ? { outcome: 'choice_needed', choices, notes: [] }
      : { outcome: 'invalid', errors, notes: [] };
  }

  // Blocks of documents are in no document that the command prints.
  const cases = intakeCases(() => true).filter(({ expected }) => expected.blocks === undefined);
  for (const [i, each] of cases.entries())
    if (i % read_every === 0)
      it(each.title, () => {
        const { notes: _, ...expected } = each.expected;
        assert.deepEqual(differences(outcomeOf(each, String(i)), expected), []);
      });
});

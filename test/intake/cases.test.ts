/** The tables in test/vectors/intake: what must come out of each, a draft, a choice or a refusal. */
import assert from 'node:assert/strict';
import { kinds } from '../../src/codec/kinds.js';
import { readFiles } from '../../src/intake/read.js';
import type { IntakeOptions } from '../../src/codec/api-intake.js';
import { differences, intakeCases } from './expected.js';

/** The options that the provenance of a draft holds. */
function recordedOptions(provenance: unknown): IntakeOptions {
  const { files } = Object(provenance);
  const { mapping, choices, sheet } = Object(Array.isArray(files) ? files[0] : null);
  return { map: mapping, ...choices, ...(sheet === undefined ? {} : { sheet }) };
}

describe('tables of people', () => {
  for (const { title, kind: name, files, options, expected } of intakeCases((file) => /\.(?:csv|tsv|txt|xlsx)$/.test(file))) {
    const kind = kinds.find((each) => each === name);
    if (kind === undefined || kind === 'research') continue;
    it(title, async () => {
      const outcome = await readFiles(kind, files, options);
      assert.deepEqual(differences(outcome, expected), []);
      if (outcome.outcome !== 'draft') return;
      // What is recorded reads the file again in the same way.
      const again = await readFiles(kind, files, {
        ...recordedOptions(outcome.provenance),
        ...(options.set && { set: options.set }),
      });
      assert.deepEqual(Object(again.outcome === 'draft' && again.draft).work, Object(outcome.draft).work);
    });
  }
});

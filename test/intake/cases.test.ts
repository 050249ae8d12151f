/** The files in test/vectors/intake, as people have them: what must come out of each, a draft, a choice or a refusal. */
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

describe('files of people', () => {
  for (const { title, kind: name, files, options, expected } of intakeCases(() => true)) {
    const kind = kinds.find((each) => each === name);
    if (kind === undefined) throw new Error(`${title} is of no kind`);
    it(title, async () => {
      const outcome = await readFiles(kind, files, options);
      assert.deepEqual(differences(outcome, expected), []);
      if (outcome.outcome !== 'draft' || kind === 'research') return;
      // What is recorded reads the file again in the same way.
      const again = await readFiles(kind, files, {
        ...recordedOptions(outcome.provenance),
        ...(options.set && { set: options.set }),
      });
      assert.deepEqual(Object(again.outcome === 'draft' && again.draft).work, Object(outcome.draft).work);
    });
  }
});

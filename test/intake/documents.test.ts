import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readFiles } from '../../src/intake/read.js';
import { differences, intakeCases } from './expected.js';

const cases = intakeCases(() => true).filter(({ kind }) => kind === 'research');

describe('intake: documents as people have them', () => {
  for (const { title, files, options, expected } of cases) {
    it(`reads ${title} as expected`, async () =>
      assert.deepEqual(differences(await readFiles('research', files, options), expected), []));
  }
});

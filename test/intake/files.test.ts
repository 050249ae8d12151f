import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Kind } from '../../src/codec/kinds.js';
import { readFiles } from '../../src/intake/read.js';
import { differences, intakeCases } from './expected.js';

describe('files as people have them', () => {
  for (const { title, kind, files, options, expected } of intakeCases((name) => name.endsWith('.xlsx') || name === 'picture.csv'))
    it(`are read as they must be: ${title}`, async () =>
      assert.deepEqual(differences(await readFiles(kind as Kind, files, options), expected), []));
});

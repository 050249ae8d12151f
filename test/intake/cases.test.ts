/** The tables in test/vectors/intake: what must come out of each, a draft, a choice or a refusal. */
import assert from 'node:assert/strict';
import { kinds } from '../../src/codec/kinds.js';
import { readFiles } from '../../src/intake/read.js';
import { differences, intakeCases } from './expected.js';

describe('tables of people', () => {
  for (const { title, kind: name, files, options, expected } of intakeCases((file) => /\.(?:csv|tsv|txt|xlsx)$/.test(file))) {
    const kind = kinds.find((each) => each === name);
    if (kind === undefined || kind === 'research') continue;
    it(title, async () => assert.deepEqual(differences(await readFiles(kind, files, options), expected), []));
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isRefused } from '../../src/base/result.js';
import { readDocument } from '../../src/intake/documents/read.js';
import type { InputFile, Outcome, TextDocument } from '../../src/intake/types.js';
import { differences, intakeCases } from './expected.js';

/** What the documents alone come to, before a mission is made of them. */
async function outcomeOf(files: readonly InputFile[]): Promise<Outcome> {
  const documents: TextDocument[] = [];
  for (const file of files) {
    const read = await readDocument(file);
    if (isRefused(read)) {
      const fault = { file: file.name, rows: [], count: 0, message: read.left.detail };
      return { outcome: 'invalid', errors: [fault], notes: [] };
    }
    documents.push(read.right);
  }
  const provenance = { files: files.map(({ name }) => ({ name })) };
  return { outcome: 'draft', kind: 'research', draft: {}, rows: 0, notes: [], provenance, documents };
}

const cases = intakeCases(() => true).filter(({ kind }) => kind === 'research');

describe('intake: documents as people have them', () => {
  for (const { title, files, expected } of cases) {
    it(`reads ${title} as expected`, async () => assert.deepEqual(differences(await outcomeOf(files), expected), []));
  }
});

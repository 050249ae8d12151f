/** Only the ascension commands load the library of the EVM's hash: a start of the others costs what it did. */
import { deepStrictEqual, strictEqual } from 'node:assert';
import { reached } from '../support/reached.js';

const filesOf = (command: string): readonly string[] =>
  reached(`commands/${command}.js`).map((file) => file.replace(/^src\//, ''));

describe('startup and ascension', () => {
  for (const command of ['init', 'run', 'list', 'review', 'export', 'verify-export', 'verify']) {
    it(`loads nothing of it for ${command}`, () => {
      const files = filesOf(command);
      strictEqual(files.length > 10, true);
      deepStrictEqual(
        files.filter((file) => file.includes('ascension') || file === 'base/keccak.js'),
        [],
      );
    });
  }

  it('loads it for ascension-check, so that this test can fail', () => {
    strictEqual(filesOf('ascension-check').includes('base/keccak.js'), true);
  });
});

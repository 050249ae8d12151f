/** The terms that texts do not use: what scripts/words.mjs reads of sources and pages, and what it finds there. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { words } from './support/words.js';

const found = (path: string, source: string): readonly string[] =>
  words.complaints(path, path.endsWith('.md') ? words.proseOf(source) : words.textsOf(path, source));

describe('unwanted terms', () => {
  it('are in no text of the project', () => {
    const { texts, found: all } = words.checkWords();
    assert.deepEqual(all, []);
    assert.ok(texts > 5_000, `only ${texts} texts were read`);
  });

  for (const { use, sample, pattern, language } of words.terms)
    it(`are found: ${sample}`, () => {
      assert.match(sample, pattern);
      assert.notEqual(use, '');
      const path = language === 'fr' ? 'src/console/operator/text/fr/x.ts' : 'commands/x.ts';
      assert.notDeepEqual(found(path, `export const x = { lead: ${JSON.stringify(`${sample} `)} };`), []);
    });

  it('are found in literals, templates, JSX and prose, with their lines', () => {
    assert.match(found('commands/a.ts', "const a = 1;\nconst b = 'how to mend it';")[0] ?? '', /^commands\/a\.ts:2: "mend"/);
    assert.match(found('src/a.ts', 'const b = (n: number) => `${n} faults to mend`;')[0] ?? '', /^src\/a\.ts:1: "mend"/);
    assert.match(found('src/a.tsx', 'const b = <p>How to mend it</p>;')[0] ?? '', /"mend"/);
    assert.match(found('docs/a.md', '# Title\n\nSee `mend`.\nIt mends\nall.\n')[0] ?? '', /^docs\/a\.md:3: "mends"/);
    assert.match(found('src/a.ts', "const fr = { a: 'Elle attend un examen' };")[0] ?? '', /à examiner/);
  });

  it('are not found in identifiers, imports, comments, code and addresses', () => {
    assert.deepEqual(found('src/a.ts', "import x from './mend it.js';\n// mend it\nconst mend = 'mend';"), []);
    assert.deepEqual(found('docs/a.md', 'Run `mend it`, see [here](mend/it.md).\n\n```\nmend it\n```\n<!-- mend -->\n'), []);
    assert.deepEqual(found('docs/a.md', 'Print one command a line. HTTP stands for more than it says.\n'), []);
  });
});

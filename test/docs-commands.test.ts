/** Every command of a tutorial, of a how-to guide and of the README's tour does what the page says. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { beforeUpgrade } from './support/docs-upgrade.js';
import { commandLines } from './support/docs-block.js';
import { runPage, scenarioOfPage } from './support/docs-scenario.js';
import { packageRoot } from './support/package-root.js';

const root = packageRoot(import.meta.url);
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');
const pages = ['tutorials', 'how-to'].flatMap((folder) =>
  readdirSync(join(root, 'docs', folder)).map((name) => `docs/${folder}/${name}`),
);
const files = new Map([['verify-export.mjs', read('scripts', 'verify-export.mjs')]]);
/** Pages that need more than a home: what is put into their place. */
const furnished = new Map([['docs/how-to/upgrade-and-roll-back.md', beforeUpgrade]]);

/** Languages of blocks that hold no commands. */
const data = new Set(['json', 'nginx', 'text']);

/** The tour of the README, with hidden steps that set what its placeholders name. */
function tour(): string {
  const [init, ...rest] = commandLines(read('README.md'), 'tour');
  const hidden = (...lines: string[]): string => `<!-- test\n${lines.join('\n')}\n-->\n`;
  const block = (lines: readonly string[]): string => `\`\`\`console\n${lines.join('\n')}\n\`\`\`\n`;
  const review = rest.findIndex((line) => line.includes(' review '));
  const id = '$ agent-cli list --json\nset ID = .items[0].id';
  const key = `$ agent-cli doctor --json | sed 's/urn:agialpha:ed25519://'\nset K = .identity`;
  return [block([init ?? '']), hidden(key), block(rest.slice(0, review)), hidden(id), block(rest.slice(review))].join('\n');
}

describe('the commands of the documentation', () => {
  for (const page of pages)
    it(`${page}: each does what the page says`, async () => {
      const text = read(page);
      const other = [...text.matchAll(/^```(\w+)?[^\n]*\n[\s\S]*?^```$/gm)].map(([, name = '']) => name);
      assert.deepEqual(
        other.filter((name) => name !== 'console' && !data.has(name)),
        [],
        'every block is run, or holds no commands',
      );
      await runPage(text, { files, furnish: furnished.get(page) });
    });

  it('README.md: the tour leads to a verified export', async () => {
    const page = tour();
    assert.ok(scenarioOfPage(page, 0).steps.length >= 8);
    await runPage(page);
  });

  it('fail when a page says something else', async () => {
    await assert.rejects(runPage('```console\n$ agent-cli list\nno homes\n```\n'), /another exit code/);
    await assert.rejects(runPage('```console\n$ echo one\ntwo\n```\n'), /standard output differs/);
  });
});

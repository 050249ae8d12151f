/**
 * The commands of the documentation do what the pages say. Every fenced block of a page is of one of three sorts: `console`, which is run; data;
 * or `sh`: commands that a test reads from the page and runs, by the remark above the block, or that no test runs, which is listed here with the reason. @slow
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { commandLines } from './support/cli/docs-block.js';
import { runPage } from './support/cli/docs-scenario.js';
import { withBrowser } from './support/cli/docs-browser.js';
import { beforeUpgrade } from './support/cli/docs-upgrade.js';
import { filesBelow } from './support/files-below.js';
import { packageRoot } from './support/package-root.js';
import { completion, lists, withProvider } from './support/provider/provider-server.js';
import { membersOf } from './support/lists.js';

const root = packageRoot(import.meta.url);
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');
/** The pages, without those that scripts/reference.mjs writes: their examples are of any mission, run or key. */
const pages = [
  'README.md',
  ...filesBelow(join(root, 'docs'))
    .filter((name) => name.endsWith('.md') && !name.startsWith('reference/'))
    .map((name) => `docs/${name}`),
];
/** Files that are there before the first command. */
const given = new Map([['scripts/verify-export.mjs', read('scripts', 'verify-export.mjs')]]);

/** Pages that need more than a home: what is put into their place. */
const furnished = new Map([
  ['docs/how-to/upgrade-and-roll-back.md', beforeUpgrade],
  ['docs/tutorials/approve-with-your-own-key.md', withBrowser],
]);

/** Languages of blocks that hold no commands. */
const data = new Set(['bash', 'ini', 'js', 'json', 'nginx', 'python', 'r', 'text', 'ts']);

/** Pages whose `console` blocks another test runs, because it has what they need. */
const elsewhere: Readonly<Record<string, string>> = {
  'docs/beyond-one-machine.md': 'test/docs-pages.test.ts',
  'docs/code-missions.md': 'test/docs-pages.test.ts',
  'docs/installation.md': 'test/deploy/installation-page.ts',
  'docs/settlement.md': 'test/cli/payments.test.ts',
};

/** The remarks above `sh` blocks, and the tests that read those blocks from the page and run them. */
const read_by: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/beyond-one-machine.md': { queue: 'test/docs-pages.test.ts' },
  'docs/installation.md': {
    package: 'test/cli/packed.test.ts',
    // With TEST_EFFORT=full alone.
    npx: 'test/cli/packed.test.ts',
    portable: 'test/sandbox/portable.test.ts',
    compose: 'test/deploy/compose-run.ts',
    // With TEST_EFFORT=full alone: they need an image of Debian from the network.
    systemd: 'test/deploy/service-run.ts',
    'as its user': 'test/deploy/service-run.ts',
  },
  'docs/journal-format.md': { audit: 'test/app/publish.test.ts' },
  'docs/operations.md': { serve: 'test/cli/serve.test.ts' },
  'docs/plugin.md': {
    'plugins install': 'test/cli/packed.test.ts',
    'plugins link': 'test/cli/packed.test.ts',
    use: 'test/cli/packed.test.ts',
  },
};

/** The first lines of the other `sh` blocks, and why no test runs them. */
const not_run: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'README.md': {
    'agent-cli run jobs.xlsx --kind schedule --execute': 'names files of the reader; test/cli/intake.test.ts makes such missions',
    'npm start': 'installs packages from the registry, and tests; test/cli/commands.test.ts starts what is built',
    'npm pack': 'installs from the registry; test/cli/build.test.ts packs, test/cli/packed.test.ts installs and uses the package',
  },
  'docs/code-missions.md': { 'apt-get install podman runc': 'changes the system' },
  'docs/crash-sweep.md': { 'npm test -- crash': 'are this test suite' },
  'docs/journal-format.md': {
    'apt-get install golang-go golang-golang-x-mod-dev': 'changes the system',
    "printf %s 'agent-journal/…+<key id>+<base64>' > log.pub": 'needs a newer Go and the network, as the page says',
  },
  'docs/operations.md': {
    'agent-cli config set \'notices=[{"url":"https://hook.example/agent","events":["needs_review","failed"]}]\'':
      'names a webhook of the reader; the tests of notices set one on loopback',
  },
  'docs/testing.md': {
    'scripts/fuzz': 'takes long; test/fuzz/fuzz.test.ts runs slices',
    'scripts/soak': 'takes half an hour; test/soak/soak.test.ts runs a short one',
  },
};

interface Block {
  readonly language: string;
  readonly first: string;
  /** The remark directly above the block; empty for none. */
  readonly mark: string;
}

/** The fenced blocks of a page, each with its language and its first line without remark. */
const blocksOf = (text: string): Block[] =>
  [...text.matchAll(/(?:^<!-- ([^\n]+) -->\n)?^```(\w*)[^\n]*\n([^\n]*)[\s\S]*?^```$/gm)].map(
    ([, mark = '', language = '', first = '']) => ({ language, mark, first: first.replace(/ +#.*| {2}.*/, '') }),
  );

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

/** A language model that quotes one sentence of the example's first source. */
const model = {
  models: lists('small'),
  chat: completion(
    JSON.stringify({
      findings: [
        {
          claim: 'Riders were content.',
          source_id: 'operator_report',
          quote: 'Passengers rated the service 4.6 out of 5.',
        },
      ],
    }),
  ),
};

describe('the commands of the documentation', () => {
  for (const page of pages) {
    const text = read(page);
    const blocks = blocksOf(text);
    if (blocks.length === 0) continue;
    it(`are run, contain no commands, or are listed with the reason: each block of ${page}`, () => {
      const commands = blocks.filter(({ language }) => language !== 'console' && !data.has(language));
      const isRead = ({ mark }: Block): boolean => mark in (read_by[page] ?? {});
      const others = commands.filter((block) => !isRead(block));
      assert.deepEqual(membersOf(commands.filter(isRead), 'mark'), Object.keys(read_by[page] ?? {}));
      assert.deepEqual(
        others.map(({ language, first }) => `${language} ${first}`).toSorted(),
        Object.keys(not_run[page] ?? {})
          .map((first) => `sh ${first}`)
          .toSorted(),
      );
    });
    for (const [mark, path] of Object.entries(read_by[page] ?? {}))
      it(`are read and run for the block "${mark}" of ${page} by ${path}`, () => {
        const source = read(path);
        for (const name of ['docs-block.js', basename(page), `'${mark}'`]) assert.ok(source.includes(name), name);
        assert.ok(commandLines(text, mark).length > 0);
      });
    if (page === 'README.md' || !blocks.some(({ language }) => language === 'console')) continue;
    if (page in elsewhere)
      it(`are run for ${page} by ${elsewhere[page] ?? ''}`, () => {
        const source = read(elsewhere[page] ?? '');
        for (const part of [page, 'runPage(']) assert.ok(source.includes(part), part);
      });
    else
      it(`do what the page says: ${page}`, () =>
        withProvider(model, ({ port }) =>
          runPage(text.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`), { files: given, furnish: furnished.get(page) }),
        ));
  }

  it('name existing tests when they are not run here', () => {
    const named = Object.values(not_run)
      .flatMap((each) => Object.values(each))
      .flatMap((reason) => [...reason.matchAll(/test\/[\w./-]*\w/g)].map(([path]) => path));
    assert.ok(named.length > 3);
    for (const path of named) assert.ok(existsSync(join(root, path)), path);
  });

  it('lead to a verified export in the tour of README.md', async () => {
    const page = tour();
    assert.ok(page.split('\n').filter((line) => line.startsWith('$ ')).length >= 8);
    await runPage(page);
  });

  it('fail when a page says something else', async () => {
    await assert.rejects(runPage('```console\n$ agent-cli list\nno homes\n```\n'), /another exit code/);
    await assert.rejects(runPage('```console\n$ echo one\ntwo\n```\n'), /standard output differs/);
  });
});

import { deepStrictEqual, doesNotMatch, match, strictEqual } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Interfaces } from '@oclif/core';
import { printable, shorten, wrap } from '../../src/base/text.js';
import { pairs } from '../../src/cli/table.js';
import { pasteable, width, widthOf } from '../../src/cli/text.js';
import { forTerminal } from '../../src/cli/output.js';
import { columnsOf } from '../../src/pictures/columns.js';
import {
  cli,
  homeScratch,
  type HostedScratch,
  onTerminal,
  plan,
  program,
  root,
  type Scratch,
  whyNoTerminal,
} from '../support/cli/cli-run.js';
import { setLockVersion } from '../support/store/lock-version.js';

describe('text on a terminal', () => {
  it('shows what could control the terminal or hide as code points', () => {
    const text = 'a\u001b[31mb\u0007c\u009bd\u202ee\u200bf';
    strictEqual(printable(text), 'a<U+001B>[31mb<U+0007>c<U+009B>d<U+202E>e<U+200B>f');
    strictEqual(printable('one\r\n\ttwo'), 'one two');
    strictEqual(printable('naïve, 日本, 👍'), 'naïve, 日本, 👍');
  });

  it('keeps the sequences of this program and of a prompt, and shows others', () => {
    const own = '\u001b[1G\u001b[0J[a]pprove? \u001b[36Gyes\r\u001b[33mred\u001b[0m\u001b[2J';
    strictEqual(forTerminal(own), own);
    strictEqual(forTerminal('\u001b]0;title\u0007\u001bc'), '<U+001B>]0;title<U+0007><U+001B>c');
  });

  it('is shortened without half a character', () => {
    strictEqual(shorten('abcdef', 6), 'abcdef');
    strictEqual(shorten('abcdefg', 6), 'abcde…');
    strictEqual(shorten('abc👍efg', 5), 'abc\ufffd…');
  });

  it('is wrapped between words', () => {
    deepStrictEqual(wrap('one two three', 7), ['one two', 'three']);
    deepStrictEqual(wrap('one abcdefghij two', 5), ['one', 'abcdefghij', 'two']);
    deepStrictEqual(wrap('', 5), ['']);
    const lines = pairs([['name', 'word '.repeat(60).trim()]]);
    strictEqual(lines.length > 1, true);
    for (const line of lines) strictEqual(line.length <= width(), true, line);
    strictEqual(lines[1]?.startsWith('      word'), true);
    strictEqual(pairs([['goal', '目標'.repeat(40)]]).length, Math.ceil(160 / (width() - 6)));
  });
});

describe('the width of lines', () => {
  for (const [columns, terminal, expected] of [
    [undefined, undefined, 80],
    [undefined, 120, 120],
    ['60', 120, 60],
    ['1', 120, 40],
    ['1000', 120, 200],
    [undefined, 20, 40],
    ['', 100, 100],
    ['wide', 100, 100],
  ] as const) {
    it(`is ${expected} with COLUMNS=${columns ?? ''} ${terminal === undefined ? 'off a terminal' : `on ${terminal} columns`}`, () => {
      strictEqual(widthOf({ COLUMNS: columns }, terminal), expected);
    });
  }
});

describe('commands to paste', () => {
  const cases: readonly (readonly [string, string, string | undefined, string])[] = [
    ['next: agent-cli list', 'agent-cli', undefined, 'next: agent-cli list'],
    ['interrupted: agent-cli recover X', 'agent-cli', 'D', 'interrupted: agent-cli recover --home D X'],
    ['  → agent-cli show X', 'host', 'a b', "  → host show --home 'a b' X"],
    ['  → agent-cli show X', 'agent-cli', "it's", "  → agent-cli show --home 'it'\\''s' X"],
    ['  agent-cli review X \\', 'agent-cli', '$1&', "  agent-cli review --home '$1&' X \\"],
    ['more: agent-cli list --cursor 3', 'agent-cli', 'D', 'more: agent-cli list --home D --cursor 3'],
    ['  → agent-cli --home D init', 'agent-cli', 'E', '  → agent-cli --home D init'],
    ['  → agent-cli init --help', 'agent-cli', 'D', '  → agent-cli init --help'],
    ['  → chmod 600 file', 'agent-cli', 'D', '  → chmod 600 file'],
    ['goal  then: agent-cli list', 'host', 'D', 'goal  then: agent-cli list'],
    ['→ agent-cli resume, then agent-cli show', 'host', '$1', "→ host resume --home '$1', then host show --home '$1'"],
    ['! it is damaged; run: agent-cli rebuild', 'agent-cli', 'D', '! it is damaged; run: agent-cli rebuild --home D'],
    ['\u001b[31m✗\u001b[0m a; run: agent-cli rebuild', 'host', 'D', '\u001b[31m✗\u001b[0m a; run: host rebuild --home D'],
  ];
  for (const [line, bin, home, expected] of cases) {
    it(`are printed for ${line.trim()}, called as ${bin}${home === undefined ? '' : ` with --home ${home}`}`, () => {
      strictEqual(pasteable(line, bin, home), expected);
    });
  }

  it('have the home after the second word of each topic, which has a description', () => {
    const topics = readdirSync(join(root, 'commands'), { withFileTypes: true }).filter((each) => each.isDirectory());
    const { oclif } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly oclif: Interfaces.PJSON['oclif'];
    };
    for (const { name } of topics) {
      strictEqual(typeof oclif.topics?.['agent']?.subtopics?.[name]?.description, 'string', name);
      strictEqual(pasteable(`  → agent-cli ${name} list`, 'agent-cli', 'D'), `  → agent-cli ${name} list --home D`);
    }
  });
});

const commands: readonly (readonly string[])[] = [
  ['list'],
  ['show', '0f8f'],
  ['show', '7c9e'],
  ['doctor'],
  ['tool', 'list'],
  ['approver', 'list'],
  ['worker-key', 'list'],
  ['--help'],
  ['help', 'home'],
  ['list', '--help'],
];
/** Commands to be copied are not broken. */
const isCommand = /^(?:next: | {2}agent-cli review | {4}--result-hash | {2}\$ agent-cli )/;
/** A hash or a path, which stays whole. */
const isWhole = /^ *(?:[a-z ]+ {2,})?\S{30,}$/;

describe('widths', () => {
  let place: HostedScratch;
  const long = { ...plan, goal: `${'Repair what the storm broke before the winter comes. '.repeat(5)}日本語の目標` };
  before(() => {
    place = homeScratch({ 'plan.json': plan, 'long.json': long });
    place.json('run', 'plan.json', '--request-id', '0f8fad5b-d9cb-469f-a165-70867728950e', '--execute');
    place.json('run', 'long.json', '--request-id', '7c9e6679-7425-40de-944b-e07fc1f90ae7');
    writeFileSync(
      join(place.directory, 'key.pub'),
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINdamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea',
    );
    place.json('approver', 'add', 'alice', '--key', 'key.pub', '--title', 'Repairs of roofs and doors. '.repeat(7).trim());
    place.json('worker-key', 'add', 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', '--name', 'night-shift');
  });
  after(() => place.remove());

  /** Returns the text with what differs from run to run replaced by as many characters. */
  const fixed = (text: string): string =>
    text
      .replaceAll(place.directory, 'DIRECTORY')
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\dZ/g, '2026-01-01 00:00Z')
      .replaceAll(/agent-cli\/\S+ \S+ node-\S+/g, 'agent-cli/VERSION')
      .replaceAll(/ +$/gm, '');

  for (const columns of [40, 80, 200]) {
    for (const args of commands) {
      const name = args.join('-').replaceAll('--', '');
      it(`fit ${columns} columns: ${args.join(' ')}`, async () => {
        const env = { ...place.env, COLUMNS: String(columns) };
        // A process prints help in the width that it began with.
        const isHelp = args.some((word) => word.includes('help'));
        const { code, stdout, stderr } = isHelp ? cli(args, env, place.directory) : await place.later(args, env);
        strictEqual(code, 0, stderr);
        const wide = stdout
          .split('\n')
          .filter((line) => columnsOf(line) > columns && !isCommand.test(line) && !isWhole.test(line));
        deepStrictEqual(wide, []);
        if (name === 'doctor') return;
        const golden = join(root, 'test', 'vectors', 'cli', 'widths', `${name}-${columns}.txt`);
        if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, fixed(stdout));
        strictEqual(fixed(stdout), readFileSync(golden, 'utf8'));
      });
    }
  }

  it('print whole goals, still one line a mission, with --wide', async () => {
    const listed = async (...flags: readonly string[]): Promise<string> =>
      (await place.later(['list', '--wide', ...flags], { ...place.env, COLUMNS: '80' })).stdout;
    const lines = (await listed()).trimEnd().split('\n');
    strictEqual(lines.length, 5);
    for (const { goal } of [plan, long]) strictEqual(lines.filter((line) => line.endsWith(`Z  ${goal}`)).length, 1);
    match(await listed('--limit', '1'), /more: agent-cli list --cursor \d+ --limit 1 --wide\n/);
  });
});

const escape = /\u001b/;
const columns = 100;
const long = (text: string): string[] => text.split('\n').filter((line) => line.length > columns);

describe('human output', () => {
  let place: Scratch;
  before(() => {
    const loud = { ...plan, goal: `${'Repair what the storm broke. '.repeat(20)}\u001b[31m\nred` };
    place = homeScratch({ 'plan.json': plan, 'loud.json': loud });
  });
  after(() => place.remove());

  it('has no escape sequences off a terminal, even where a goal holds one, and no line over 100 columns', () => {
    const note = `${'Looked at every figure twice. '.repeat(30)}\u001b]0;title\u0007`;
    const { id, revision, result_hash } = place.json('run', 'loud.json', '--execute');
    const binding = ['--revision', String(revision), '--result-hash', String(result_hash)];
    for (const args of [
      ['list'],
      ['show', String(id)],
      ['review', String(id), ...binding, '--approve', '--note', note],
      ['show', String(id)],
      ['run', 'plan.json', '--execute'],
      ['doctor'],
      ['verify'],
    ]) {
      const { code, stdout, stderr } = place.run(...args);
      strictEqual(code, 0, stderr);
      doesNotMatch(stdout + stderr, escape, args.join(' '));
      deepStrictEqual(long(stdout), [], args.join(' '));
      strictEqual(stderr, '');
    }
  });

  it('quotes the names of files in commands to paste', () => {
    const { directory } = place;
    match(
      place.run('examples', '--output', "the baker's").stdout,
      /\nnext: agent-cli run '\S+\/the baker'\\''s\/schedule\.json' --execute\n$/,
    );
    const period = ['--from', '2026-01-01', '--to', '2026-01-02', '--output', 'a day.jsonl'];
    match(
      place.run('journal', 'export', ...period).stdout,
      /\nnext: agent-cli verify-journal-export 'a day\.jsonl' --public-key HEX\n$/,
    );
    writeFileSync(join(directory, 'a list.csv'), 'id,cost\na,1\n');
    match(place.run('run', 'a list.csv').stderr, /new KIND --from 'a list\.csv' makes .* run 'a list\.csv' --kind KIND/);
    strictEqual(place.run('init', '--home', 'a home').code, 0);
    chmodSync(join(directory, 'a home', 'config.json'), 0o644);
    match(place.run('list', '--home', 'a home').stderr, /\n {2}→ chmod 600 '\S+\/a home\/config\.json'\n$/);
  });

  it('ends quietly when the reader of a pipe goes away', () => {
    const command = `'${process.execPath}' '${program}'`;
    const watch = 'agents-status --watch --url http://127.0.0.1:1';
    const script = `for c in 'list --json' --help '${watch}'; do timeout 20 ${command} $c | head -1; echo "$PIPESTATUS"; done`;
    const { status, stdout, stderr } = spawnSync('/bin/bash', ['-c', script], {
      cwd: place.directory,
      env: { ...place.env },
      encoding: 'utf8',
    });
    strictEqual(stderr, '');
    strictEqual(status, 0);
    match(stdout, /^[^\n]*\n0\nPlan and research[^\n]*\n0\nno simulation server[^\n]*\n7\n$/);
  });

  it('goes on, with its own exit code, where standard error cannot be written', function () {
    if (!existsSync('/dev/full')) this.skip();
    const full = openSync('/dev/full', 'w');
    try {
      const run = (...args: readonly string[]) =>
        spawnSync(process.execPath, [program, ...args], { ...place, cwd: place.directory, stdio: ['ignore', 'pipe', full] });
      strictEqual(run('show', '00000000').status, 2);
      // The first command after an upgrade prints a notice.
      setLockVersion({ directory: join(place.directory, 'home') }, '1.9.0');
      const { status, stdout } = run('run', 'plan.json', '--execute');
      strictEqual(status, 0);
      match(stdout.toString(), /review/);
    } finally {
      closeSync(full);
    }
  });
});

const why = whyNoTerminal();
(why === null ? describe : describe.skip)(`on a terminal${why === null ? '' : ` [skipped, ${why}]`}`, () => {
  let place: Scratch;
  before(() => {
    place = homeScratch({ 'plan.json': plan });
  });
  after(() => place.remove());
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}): { code: number | null; stdout: string } =>
    onTerminal(args, { ...place.env, ...env }, place.directory);

  it('uses colours, and shows a progress bar that it removes again', () => {
    const { code, stdout } = run(['run', 'plan.json', '--execute']);
    strictEqual(code, 0, stdout);
    match(stdout, /\u001b\[33mreview\u001b\[0m/);
    match(stdout, /\rstrategy {3}[█░]{30} \d+ %/);
    const shares = [...stdout.matchAll(/[█░]{30} (\d+) %/g)].map(([, share]) => Number(share));
    deepStrictEqual(
      shares,
      shares.toSorted((a, b) => a - b),
    );
    match(stdout, /\r +\r/);
    // oxlint-disable-next-line no-control-regex
    deepStrictEqual(long(stdout.replaceAll(/\u001b\[\d+m|.*\r(?!\n)/g, '').replaceAll('\r', '')), []);
    // On a narrow terminal in another character set.
    const narrow = run(['run', 'plan.json', '--execute'], { COLUMNS: '40', LC_ALL: 'C' }).stdout;
    match(narrow, /\rstrategy {3}[#:]{2} \d+ %/);
    doesNotMatch(narrow, /█|\rstrategy[^\r]{33}/);
  });

  it('keeps to NO_COLOR and to a terminal without colours', () => {
    const coloured = run(['list']).stdout;
    match(coloured, escape);
    doesNotMatch(run(['list'], { NO_COLOR: '1' }).stdout, escape);
    doesNotMatch(run(['show', 'x'], { NO_COLOR: '1' }).stdout, escape);
    doesNotMatch(run(['list'], { TERM: 'dumb' }).stdout, escape);
  });

  it('shows a goal that would read otherwise as what it is, and prints the same JSON with escapes', () => {
    const goal = 'Pay \u202e0001\u202c\u200b \u3164\u{e0041}\u0085';
    const shown = 'Pay <U+202E>0001<U+202C><U+200B> <U+3164><U+E0041><U+0085>';
    const other = { ...plan, goal };
    writeFileSync(join(place.directory, 'other.json'), JSON.stringify(other));
    const { id } = place.json('run', 'other.json');
    const mission = String(id);
    for (const args of [['list'], ['show', mission], ['cancel', mission]]) {
      const { code, stdout } = run(args, { COLUMNS: '200' });
      strictEqual(code, 0, stdout);
      strictEqual(stdout.includes(shown), true, stdout);
    }
    const json = run(['show', mission, '--json']).stdout;
    strictEqual(json.includes(String.raw`Pay \u202e0001\u202c\u200b \u3164\udb40\udc41\u0085`), true, json);
    doesNotMatch(json, /[\u202e\u202c\u200b\u3164\u{e0041}\u0085]/u);
    const piped = place.run('show', mission, '--json').stdout;
    deepStrictEqual(JSON.parse(json), JSON.parse(piped));
    strictEqual(piped.includes(goal), true);
  });

  it('lets no command control the terminal, whatever it prints', () => {
    const name = 'no\u009bsuch\u202efile';
    for (const args of [['tool', 'validate', name], ['bus', name], [name]]) {
      const { stdout } = run(args);
      doesNotMatch(stdout, /[\u009b\u202e]/, args.join(' '));
      match(stdout, /U\+202E/, args.join(' '));
    }
  });

  it('shows no progress bar with --json', () => {
    const { code, stdout } = run(['run', 'plan.json', '--execute', '--json']);
    strictEqual(code, 0, stdout);
    doesNotMatch(stdout, /[█░]/);
    strictEqual((JSON.parse(stdout) as { state: string }).state, 'review');
  });
});

/** Every command with its arguments and flags, as the manifest has them: none vanishes, and each explains itself. */
import { deepStrictEqual, doesNotMatch, match, notStrictEqual, ok, strictEqual } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cli, hostedScratch, lineOnTerminal, type Ran, root, scratch, whyNoTerminal } from '../support/cli/cli-run.js';
import { assertNone } from '../support/lists.js';

type Json = Readonly<Record<string, unknown>>;
interface Described extends Json {
  readonly description?: string;
  readonly examples?: readonly string[];
  readonly flags: Readonly<Record<string, Json>>;
  readonly args: Readonly<Record<string, Json>>;
}

const golden = join(root, 'test', 'vectors', 'cli', 'commands.json');
const manifest = JSON.parse(readFileSync(join(root, 'dist', 'oclif.manifest.json'), 'utf8')) as {
  readonly commands: Readonly<Record<string, Described>>;
  readonly version: string;
};
const commands = Object.entries(manifest.commands);

const kept = ['type', 'char', 'required', 'options', 'default', 'multiple', 'helpValue', 'hidden'] as const;
const picked = (described: Readonly<Record<string, Json>>): Json =>
  Object.fromEntries(
    Object.entries(described)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, all]) => [name, Object.fromEntries(kept.flatMap((key) => (all[key] === undefined ? [] : [[key, all[key]]])))]),
  );

/** The sources of the commands, with the ids that oclif gives them. */
const sources = (folder = 'commands', prefix = ''): { readonly id: string; readonly text: string }[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return sources(`${folder}/${entry.name}`, `${prefix}${entry.name}:`);
    return [{ id: prefix + entry.name.replace('.ts', ''), text: readFileSync(join(root, folder, entry.name), 'utf8') }];
  });

describe('commands', () => {
  it('are those of the golden file, with all their arguments and flags (UPDATE_GOLDEN=1 rewrites it)', () => {
    const actual = Object.fromEntries(
      commands.map(([id, { args, flags }]) => [id, { args: picked(args), flags: picked(flags) }]),
    );
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, `${JSON.stringify(actual, null, 2)}\n`);
    strictEqual(existsSync(golden), true);
    deepStrictEqual(actual, JSON.parse(readFileSync(golden, 'utf8')));
  });

  it('are in the manifest, which is of this version', () => {
    deepStrictEqual(
      commands.map(([id]) => id),
      sources()
        .map(({ id }) => id)
        .toSorted(),
    );
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    strictEqual(manifest.version, version);
  });

  it('are small: at most 60 lines', () => {
    deepStrictEqual(
      sources()
        .filter(({ text }) => text.trimEnd().split('\n').length > 60)
        .map(({ id }) => id),
      [],
    );
  });

  for (const [id, { description = '', examples = [], flags, args }] of commands) {
    it(`have a description, examples and described flags: ${id.replace(':', ' ')}`, () => {
      match(description, /^[A-Z][^]{20,}[.]$/);
      notStrictEqual(examples.length, 0);
      for (const example of examples) match(example, new RegExp(`<%= config\\.bin %>( .*)? ${id.replace(':', ' ')}`));
      for (const [name, { description: text }] of [...Object.entries(flags), ...Object.entries(args)]) {
        match(String(text), /^[^]{6,}$/, `${name} has no description`);
      }
    });
  }

  it('use only existing flags in their examples', () => {
    for (const [id, { examples = [], flags }] of commands) {
      const named = examples.flatMap((example) => [...example.matchAll(/ --([a-z-]+)/g)].map((found) => found[1] ?? ''));
      assertNone(named, (name) => flags[name] === undefined, id);
    }
  });
});

describe('help', () => {
  const place = hostedScratch();
  after(() => place.remove());

  it('says for review that approval archives and does nothing else', () => {
    const { code, stdout, stderr } = place.run('review', '--help');
    strictEqual(code, 0, stderr);
    const text = stdout.replace(/\s+/g, ' ');
    match(text, /Approval archives the result/);
    match(text, /does not trade, send funds or operate equipment/);
    match(text, /\$ agent-cli review [0-9a-f-]{36} --revision/);
  });

  it('breaks the lines of a description where the screen ends', () => {
    const { stdout } = place.run('serve', '--help');
    match(stdout, /set, in the environment or in \.env, the simulation is served too, on PORT/);
  });

  it('is printed for no words, --help, help COMMAND and a topic', () => {
    for (const [args, pattern] of [
      [[], /Usage: agent-cli \[--home DIR\] COMMAND\n/],
      [['--help'], /Every day\n {2}new +Make a mission file/],
      [['help', 'run'], /\$ agent-cli run \[FILE\.\.\.\]/],
      [['config'], /config show +Print the configuration/],
      [['run', '-h'], /\$ agent-cli run \[FILE\.\.\.\]/],
      [['--home', 'D', 'help', 'Home'], /^Home\n {2}init /],
      [['-v'], /^agent-cli\/2\.\d+\.\d+(?:-[a-z]+)? /],
      [['version'], /^agent-cli\/2\.\d+\.\d+(?:-[a-z]+)? /],
      [['--version'], /^agent-cli\/2\.\d+\.\d+(?:-[a-z]+)? /],
    ] as const) {
      const { code, stdout, stderr } = place.run(...args);
      strictEqual(code, 0, stderr);
      match(stdout, pattern);
    }
  });

  it('names every command, the everyday ones first, in at most 50 lines of 80 columns', () => {
    const { code, stdout } = cli(['-h'], { ...place.env, COLUMNS: '80' }, place.directory);
    strictEqual(code, 0);
    const lines = stdout.trimEnd().split('\n');
    strictEqual(lines.length <= 50, true, `${lines.length} lines`);
    const words = stdout.replace(/\s+/g, ' ');
    const missing = commands
      .filter(([, { hidden }]) => hidden !== true)
      .map(([id]) => id.replace(':', ' '))
      .filter((name) => !new RegExp(`[ ,]${name}[ ,]`).test(words));
    deepStrictEqual(missing, []);
    const first = lines.slice(lines.indexOf('Every day') + 1).flatMap((line) => /^ {2}(\S+) /.exec(line)?.[1] ?? []);
    deepStrictEqual(first.slice(0, 8), ['new', 'run', 'list', 'show', 'review', 'report', 'export', 'serve']);
  });
});

describe('usage errors', () => {
  const place = hostedScratch();
  after(() => place.remove());

  const cases: readonly (readonly [readonly string[], string])[] = [
    [['revew', 'x'], 'there is no command revew; did you mean review?'],
    [['transfer'], 'there is no command transfer; did you mean transfer-docket, transfer-review or transfer-run?'],
    [['token', 'lst'], 'there is no command token lst; did you mean token list?'],
    [['xyzzy'], 'there is no command xyzzy'],
    [['help', 'xyzzy'], 'there is no command xyzzy'],
    [['list', '--stat', 'x'], 'there is no flag --stat; did you mean --state or --sort?'],
    [['serve', '--port', ''], '--port: "" must be a whole number'],
    [['list', '--state', 'x'], '--state: "x" must be queued, running, review, completed, rejected or failed'],
    [['list', 'a', 'b'], '"a" and "b" are not expected here'],
    [['show'], 'MISSION is missing'],
    [['show', 'a', 'b'], '"b" is not expected here'],
    [['erase', 'abcd'], '--reason is missing'],
    [['recover-home', '--accept-rollback', '--reason', ''], 'reason: must have 1 to 2000 characters, has 0'],
    [['restore', 'x.zip', '--reason', ' '], 'reason: must not be blank'],
    [['review', 'abcd', '--note'], '--note needs a value'],
    [['review', 'abcd', '--approve', '--reject'], '--approve and --reject cannot be used together'],
    [['settle', 'abcd', '--transaction', '0x1'], '--transaction needs --log-index'],
    [['run', 'x', '--wait'], '--wait needs --execute'],
    [
      ['settle', 'abcd', '--transaction', '0x1', '--log-index', '1', '--find', '0x1'],
      '--find and --transaction cannot be used together',
    ],
    [['completion', 'tcsh'], '"tcsh" must be bash, zsh or fish'],
    [['simulate', '--csv', '--json'], '--csv and --json cannot be used together'],
  ];
  for (const [args, said] of cases) {
    it(`are reported for ${args.join(' ')}: ${said}`, () => {
      const { code, stderr } = place.run(...args);
      strictEqual(code, 2, stderr);
      match(stderr, /^(?:✗ (?:Invalid input|Not found): |\{)/);
      strictEqual(stderr.includes(said), !stderr.startsWith('{') || stderr.includes(JSON.stringify(said)), stderr);
      doesNotMatch(stderr, /\bparse|Parsing|provided|Nonexistent|Expected /);
    });
  }
});

describe('the manual page', () => {
  const [file = ''] = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly man: readonly string[] }).man;
  const page = readFileSync(join(root, file), 'utf8');

  it('is one that npm links, and has every command that is not hidden, with its flags and examples', () => {
    const { commands } = JSON.parse(readFileSync(join(root, 'dist', 'oclif.manifest.json'), 'utf8')) as {
      readonly commands: Readonly<Record<string, { readonly hidden?: boolean }>>;
    };
    for (const [id, { hidden }] of Object.entries(commands))
      strictEqual(
        new RegExp(`^\\.SS agent\\\\-cli ${id.replaceAll('-', '\\\\-').replaceAll(':', ' ')}( |$)`, 'm').test(page),
        hidden !== true,
        id,
      );
    match(page, /\.SS agent\\-cli list \[FLAGS\]\nList missions[^]*\\fB\\-\\-state\\fR[^]*One of: queued, running, review/);
    match(page, /\.PP\n\.nf\nagent\\-cli list\n\.fi/);
    doesNotMatch(page, /<%=/);
  });

  const there = spawnSync('groff', ['--version']).error === undefined;
  (there ? it : it.skip)(`is formatted without a warning${there ? '' : ' [skipped, groff is not installed]'}`, () => {
    const ran = spawnSync('groff', ['-man', '-Tutf8', '-ww', join(root, file)], { encoding: 'utf8' });
    deepStrictEqual([ran.stderr, ran.status], ['', 0]);
  });
});

const script = join(root, 'scripts', 'start.mjs');

const why = whyNoTerminal();
(why === null ? describe : describe.skip)(`npm start on a terminal${why === null ? '' : ` [skipped, ${why}]`}`, () => {
  const place = scratch({ NO_COLOR: '1' });
  after(() => place.remove());

  /** Runs what a person types in the directory in which they typed `npm start`. */
  const type = (line: string, typed = ''): Ran =>
    lineOnTerminal(line, { ...place.env, INIT_CWD: place.directory }, place.directory, typed);
  const start = (): Ran => type(`'${process.execPath}' '${script}' --no-serve`);
  /** The commands that it says come next. */
  const nextOf = ({ stdout }: Ran): string[] =>
    (/^Next[^]*/m.exec(stdout)?.[0] ?? '').split(/\r?\n/).flatMap((line) => (/^ {2}\S/.test(line) ? [line.trim()] : []));

  it('shows the result first, and then three commands to type that lead to a verified export', () => {
    const started = start();
    strictEqual(started.code, 0, started.stdout);
    match(
      started.stdout,
      /\[1\/5\] packages\r?\n +[0-9.]+ s\r?\n\[2\/5\] build[^]*\[3\/5\] home[^]*public key +[0-9a-f]{64}\r?\n[^]*\[4\/5\] example mission[^]*\[5\/5\] result[^]*Makespan +[0-9]+[^]*screen_press[^]*\nNext: decide, export and verify it\r?\n/,
    );
    const typed = nextOf(started);
    ok(typed.length <= 3, typed.join('\n'));
    const answers = ['a\nchecked against the orders\n'];
    const ran = typed.map((line, n) => type(line, answers[n]));
    for (const [n, { code, stdout }] of ran.entries()) strictEqual(code, 0, `${typed[n]}\n${stdout}`);
    match(ran[0]?.stdout ?? '', /Approved\. Recorded in the signed journal/);
    match(ran[2]?.stdout ?? '', /✓ valid[^]*recomputed +yes/);
  });

  it('keeps the mission and what was decided when it is started again', () => {
    const again = start();
    strictEqual(again.code, 0, again.stdout);
    match(again.stdout, /is there already: completed[^]*Makespan/);
    strictEqual(nextOf(again).length, 2);
  });
});

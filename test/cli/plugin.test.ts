/** The package as an oclif plugin: a host that lists it has its commands under its own name. */
import { deepStrictEqual, doesNotMatch, match, notStrictEqual, strictEqual } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { arrange } from '../../src/cli/arrange.js';
import { program, type Ran, root, scratch, type Scratch } from '../support/cli/cli-run.js';
import { layers } from '../support/layers.js';
import { assertNone } from '../support/lists.js';

const host = {
  name: 'host',
  version: '1.0.0',
  type: 'module',
  dependencies: { '@oclif/core': '*', 'agent-cli': '*' },
  oclif: { bin: 'host', dirname: 'host', plugins: ['agent-cli'], topicSeparator: ' ' },
};

describe('the oclif plugin', () => {
  let place: Scratch;
  before(() => {
    place = scratch();
    const modules = join(place.directory, 'node_modules');
    mkdirSync(join(modules, '@oclif'), { recursive: true });
    symlinkSync(join(root, 'node_modules', '@oclif', 'core'), join(modules, '@oclif', 'core'), 'junction');
    symlinkSync(root, join(modules, 'agent-cli'), 'junction');
    writeFileSync(join(place.directory, 'package.json'), JSON.stringify(host));
    writeFileSync(
      join(place.directory, 'host.js'),
      "import { execute } from '@oclif/core';\nawait execute({ dir: import.meta.url });\n",
    );
  });
  after(() => place.remove());

  const run = (...args: readonly string[]): Ran => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(place.directory, 'host.js'), ...args], {
      cwd: place.directory,
      env: { ...place.env },
      encoding: 'utf8',
    });
    return { code: status, stdout, stderr };
  };

  it('runs our commands below one topic, on a home of ours', () => {
    const made = run('agent', 'init', '--home', 'a home', '--json');
    strictEqual(made.code, 0, made.stderr);
    const doctor = run('agent', 'doctor', '--home', 'a home');
    strictEqual(doctor.code, 0, doctor.stderr);
    match(run('agent', 'version').stdout, /^agent-cli\/2\.\d/);
    const { identity } = JSON.parse(made.stdout) as { identity: string };
    strictEqual(doctor.stdout.includes(identity), true);
  });

  it('adds nothing else to the host', () => {
    strictEqual(run('list').code, 2);
    doesNotMatch(run('--help').stdout, /^ {2}(?:doctor|list|token)\b/m);
  });

  it('takes flags before the command', () => {
    strictEqual(run('agent', 'init', '--home', 'a home').code, 2, 'it is there');
    const list = run('agent', '--home', 'a home', 'list');
    strictEqual(list.code, 0, list.stderr);
    match(list.stdout, /^no missions\n/);
    const json = run('agent', '--home', 'a home', 'token', 'list', '--json');
    strictEqual(json.code, 0, json.stderr);
    strictEqual(Array.isArray((JSON.parse(json.stdout) as { items: unknown }).items), true);
  });

  it('shows the topic without a command, and the nearest names of a wrong one', () => {
    for (const args of [['agent'], ['agent', '--home', 'a home'], ['agent', '--help']]) {
      const { code, stdout, stderr } = run(...args);
      strictEqual(code, 0, stderr);
      match(stdout, /agent list /);
    }
    const { code, stderr } = run('agent', 'lst');
    strictEqual(code, 2);
    match(stderr, /there is no command lst; did you mean list\?\n {2}→ host agent --help\n$/);
  });

  it("speaks under the host's name, in help and in hints", () => {
    const help = run('agent', 'doctor', '--help');
    strictEqual(help.code, 0, help.stderr);
    match(help.stdout, /\$ host agent doctor/);
    doesNotMatch(help.stdout, /\$ agent-cli|\$ host doctor/);
    const failed = run('agent', 'show', '0f8fad5b-d9cb-469f-a165-70867728950e', '--home', 'a home');
    strictEqual(failed.code, 2);
    match(failed.stderr, /→ host agent list --home 'a home'\n$/);
    match(run('agent', 'list', '--home', 'a home').stdout, /next: host agent examples --home 'a home' --output missions/);
  });
});

describe('arrange', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['list', 'list'],
    ['--home D list', 'list --home D'],
    ['--home=D list --limit 2', 'list --limit 2 --home=D'],
    ['--json list', 'list --json'],
    ['--json --home D show X', 'show X --json --home D'],
    ['--home D --json show X', 'show X --home D --json'],
    ['--home D config show', 'config show --home D'],
    ['list --home D', 'list --home D'],
    ['--home D list --home E', 'list --home E --home D'],
    ['--home D run -- --file', 'run --home D -- --file'],
    ['--home D --help', '--help --home D'],
    // Nothing to move behind: oclif is given the words unchanged.
    ['--home D', '--home D'],
    ['--home', '--home'],
    ['--json', '--json'],
    ['', ''],
    ['--version', '--version'],
    ['--homeless list', '--homeless list'],
    ['help token list', 'token list --help'],
    ['--home D help list', 'list --home D --help'],
  ];
  const words = (text: string): string[] => (text === '' ? [] : text.split(' '));
  for (const [given, expected] of cases) {
    it(`turns ${given || '(nothing)'} into ${expected || '(nothing)'}`, () =>
      deepStrictEqual(arrange(words(given)), words(expected)));
  }

  it('leaves its argument unchanged', () => {
    const argv = ['--home', 'D', 'list'];
    arrange(argv);
    deepStrictEqual(argv, ['--home', 'D', 'list']);
  });
});

/** Declarations of kinds are light, and hold the pictures too. */
const isEngine = (file: string): boolean => /^src\/kinds\/[^/]+\/(?:engine\/engine|verify\/verify)\.js$/.test(file);

const dist = join(root, 'dist');

const isKind = /src\/kinds\/\w+\/kind\.js$/;

/**
 * Which files of ours running a compiled entry point can load, however late: its imports, followed. What the declaration of a kind loads,
 * its engine and its verifier, is loaded by threads. Takes and returns paths below dist, as in `commands/list.js`.
 * @param onThreads whether what threads load counts too
 */
function reached(entry: string, { onThreads } = { onThreads: false }): string[] {
  const seen = new Set<string>();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = readFileSync(join(dist, file), 'utf8');
    open.push(...layers.importedPaths(file, isKind.test(file) && !onThreads ? text.replace(/\bimport\("/g, '("') : text));
  }
  return [...seen].map((file) => relative(dist, join(dist, file)).replaceAll('\\', '/'));
}

/** What commands must not load, and commands that do, so that a row can fail. */
const apart: Readonly<
  Record<string, { readonly isOf: (file: string) => boolean; readonly spared: string; readonly used: string }>
> = {
  'an engine': { isOf: isEngine, spared: 'list show pause checkpoint', used: '' },
  ascension: {
    isOf: (file) => file.includes('ascension') || file === 'src/base/keccak.js',
    spared: 'init run list review export verify-export verify',
    used: 'ascension-check',
  },
  'the chain': {
    isOf: (file) => /^src\/(?:base\/(?:keccak|eth-address|personal-signature)\.js|app\/(?:wallet|invoices)\/|chain\/)/.test(file),
    spared: 'init run execute list show review export verify-export verify doctor pause backup',
    used: 'wallet-bind settle verify-receipt',
  },
};
const words = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '');

describe('startup', () => {
  for (const [what, { isOf, spared, used }] of Object.entries(apart)) {
    for (const command of words(spared))
      it(`loads nothing of ${what} for ${command}`, () => {
        const files = reached(`commands/${command}.js`);
        strictEqual(files.includes('src/cli/command.js') && files.length > 10, true);
        deepStrictEqual(files.filter(isOf), []);
      });
    for (const command of words(used))
      it(`loads ${what} for ${command}, so that this test can fail`, () => {
        strictEqual(reached(`commands/${command}.js`).some(isOf), true);
      });
  }

  it('finds engines that threads load, so that this test can fail', () => {
    notStrictEqual(reached('commands/list.js', { onThreads: true }).filter(isEngine).length, 0);
  });

  // While coverage is measured, every module is loaded from where it is.
  if (process.env['COVERAGE'] !== '1')
    it('loads none of the packages of oclif for list', () => {
      const place = scratch();
      place.json('init');
      const onExit = "process.stderr.write(Object.keys(process.getBuiltinModule('module')._cache).join('\\n'))";
      const told = `data:text/javascript,process.once('exit',()=>{${encodeURIComponent(onExit)}})`;
      const { stderr } = spawnSync(process.execPath, ['--import', told, program, 'list'], { env: place.env, encoding: 'utf8' });
      place.remove();
      match(stderr, /better-sqlite3/);
      doesNotMatch(stderr, /node_modules\/(?:@oclif|semver|minimatch|ejs|tinyglobby|cli-spinners|wrap-ansi)\//);
    });

  it('loads nothing of the application before a command is known', () => {
    assertNone(reached('src/cli/start.js'), (file) => !/^src\/(?:cli|base)\//.test(file));
  });
});

/**
 * An upgrade to a made-up next version and its rollback, with the programs of both: the present one pauses, verifies and backs up; the next one opens the
 * home; the present one refuses it and changes nothing; the backup is restored into a new home with the present one. @slow
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostedScratch, plan, type Ran, type Scratch } from '../support/cli/cli-run.js';
import { heard } from '../support/crash/crash-cli.js';
import { atEffort } from '../support/effort.js';
import { contentsBelow } from '../support/files-below.js';
import { lockVersion } from '../support/store/lock-version.js';
import { nextProgram, presentProgram, versionOf, type Program } from '../support/cli/program-archive.js';

interface Check {
  readonly name: string;
  readonly status: string;
  readonly detail: string;
  readonly fix: string | null;
}

const some_refused = [['run', 'plan.json'], ['doctor'], ['serve', '--port', '0']];
const others_refused = [['pause'], ['resume'], ['backup', 'refused.zip'], ['rebuild'], ['token', 'list'], ['checkpoint']];
const refused = atEffort(some_refused, [...some_refused, ...others_refused]);

describe('an upgrade to the next version', () => {
  const old = presentProgram();
  const [from, to] = [versionOf(old.directory), '99.1.0'];
  let next: Program;
  let place: Scratch;
  let head = '';
  before(() => {
    next = nextProgram(to);
    place = hostedScratch();
    writeFileSync(join(place.directory, 'plan.json'), JSON.stringify(plan));
    json(old, 'init');
    json(old, 'run', 'plan.json', '--execute');
  });
  after(() => {
    next.remove();
    place.remove();
  });

  const env = (): Readonly<Record<string, string>> => place.env;
  /** The present program's commands share a process, those of the next one have their own. */
  const of = (program: Program) =>
    program === old
      ? place
      : {
          run: (...args: readonly string[]) => program.run(args, env(), place.directory),
          json: (...args: readonly string[]) => program.json(args, env(), place.directory),
        };
  const run = (program: Program, ...args: readonly string[]): Ran => of(program).run(...args);
  const json = (program: Program, ...args: readonly string[]): Record<string, unknown> => of(program).json(...args);
  const home = (): { directory: string } => ({ directory: env()['AGENT_HOME'] ?? '' });
  /** All files but what is remembered of verifications. */
  const files = (): readonly unknown[] => [
    contentsBelow(home().directory),
    [...contentsBelow(env()['AGENT_WITNESS'] ?? '')].filter(([name]) => !name.endsWith('.verified')),
  ];
  const doctor = (program: Program): Check =>
    (json(program, 'doctor')['checks'] as readonly Check[]).find(({ name }) => name === 'version')!;

  async function serving({ main }: Program, work: () => void): Promise<void> {
    const daemon = spawn(process.execPath, [main, 'serve', '--port', '0', '--json'], {
      cwd: place.directory,
      env: env(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const gone = once(daemon, 'close');
    try {
      await heard(daemon, '"serving"');
      work();
    } finally {
      daemon.stdout.resume();
      daemon.kill('SIGTERM');
      await gone;
    }
  }

  it('does not happen, and changes nothing, while the older version runs', () =>
    serving(old, () => {
      const before = [lockVersion(home()), json(old, 'verify')['head']];
      const { code, stderr } = run(next, 'resume');
      assert.deepEqual([code, stderr.includes(`version ${from} is running on this home; stop it`)], [4, true], stderr);
      const { status, fix } = doctor(next);
      assert.equal(status, 'warn');
      assert.match(fix!, /^stop the process of version \S+ that uses this home \(pid \d+, /);
      assert.deepEqual([lockVersion(home()), json(old, 'verify')['head']], before);
    }));

  it('begins with the older version: it pauses, verifies and backs up', () => {
    assert.equal(json(old, 'pause')['state'], 'paused');
    assert.equal(json(old, 'verify', '--deep')['valid'], true);
    json(old, 'checkpoint', '--output', 'before.txt');
    const backup = json(old, 'backup', 'before.zip');
    head = `${String(backup['events'])}:${String(backup['head'])}`;
  });

  it('is announced by doctor and verify of the newer version, which change nothing', () => {
    const before = files();
    const { status, detail, fix } = doctor(next);
    assert.equal(status, 'warn');
    for (const part of [from, to, 'applies 9999-next.sql;']) assert.ok(detail.includes(part), detail);
    assert.match(fix!, /^keep a backup, made with version \S+, of the head \d+:[0-9a-f]{16}; then: agent-cli resume$/);
    assert.ok(head.startsWith(/head (\S+);/.exec(fix!)![1]!), `${fix!} names the head of the backup`);
    assert.equal(json(next, 'verify', '--deep', '--expect-head', head)['valid'], true);
    assert.deepEqual(files(), before);
    assert.equal(json(old, 'verify')['valid'], true);
  });

  it('happens with the next command of the newer version, which reports it and continues from what was signed', () => {
    const { code, stdout, stderr } = run(next, 'resume');
    assert.deepEqual([code, stdout], [0, 'ready\n'], stderr);
    assert.equal(stderr, `! this home was upgraded from version ${from} to ${to}; version ${from} refuses it from now on\n`);
    assert.equal(lockVersion(home()), to);
    const { status, detail, fix } = doctor(next);
    assert.deepEqual([status, detail, fix], ['ok', `this home is of version ${to}`, null]);
    assert.equal(run(next, 'verify', '--deep', '--against', 'before.txt').stderr, '');
    assert.equal(json(next, 'run', 'plan.json', '--execute')['state'], 'review');
    json(next, 'backup', 'after.zip');
  });

  it('makes the older version refuse the home in one line that names both, exit 4, and change no byte', () => {
    const before = files();
    for (const args of refused) {
      const { code, stdout, stderr } = run(old, ...args);
      assert.deepEqual([code, stdout], [4, ''], `${args.join(' ')}: ${stderr}`);
      const [line = '', ...more] = stderr.trimEnd().split('\n');
      assert.ok(line.includes(`version ${to}, which is newer than ${from}`), stderr);
      assert.ok(
        more.every((hint) => hint.startsWith('  → ')),
        stderr,
      );
    }
    for (const args of [['list'], ['verify', '--deep']]) {
      const { code, stderr } = run(old, ...args);
      assert.deepEqual([code, stderr.includes(`only read: this home was written by version ${to}`)], [0, true], stderr);
    }
    assert.deepEqual(files(), before);
    assert.equal(json(next, 'verify', '--deep')['valid'], true);
  });

  it('makes the older version refuse the home also while the newer one runs', () =>
    serving(next, () => {
      const { code, stderr } = run(old, 'pause');
      assert.deepEqual([code, stderr.includes(to)], [4, true], stderr);
    }));

  it('is rolled back when the older version restores the backup into a new home, and continues', () => {
    const back = (...args: readonly string[]): Record<string, unknown> =>
      json(old, '--home', join(place.directory, 'back'), ...args);
    const upgraded = readFileSync(join(home().directory, 'journal.sqlite3'));
    const restored = back('restore', 'before.zip', '--expect-head', head, '--reason', 'back to the older version');
    assert.deepEqual([restored['valid'], restored['state']], [true, 'paused']);
    assert.equal(back('verify', '--deep', '--against', 'before.txt')['valid'], true);
    assert.equal(back('resume')['state'], 'ready');
    assert.equal(back('run', 'plan.json', '--execute')['state'], 'review');
    assert.ok(readFileSync(join(home().directory, 'journal.sqlite3')).equals(upgraded), 'the upgraded home is left as it is');
  });

  it('makes the older version refuse an archive in which the newer one recorded something new, and leave nothing of it', () => {
    const { code, stdout, stderr } = run(old, '--home', join(place.directory, 'ahead'), 'restore', 'after.zip');
    assert.deepEqual([code, stdout, existsSync(join(place.directory, 'ahead'))], [4, '', false], stderr);
    assert.match(stderr, /^✗ Newer version: entry \d+ was written by a newer version/);
  });
});

/**
 * An upgrade and its rollback with the programs of two versions: the older one pauses, verifies and backs up; the newer one opens the home; the older
 * one refuses it and changes nothing; the backup is restored into a new home with the older one. @slow
 */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareVersions } from '../../src/base/version.js';
import { end } from '../golden/operator.js';
import { plan, type Ran } from '../support/cli-run.js';
import { heard } from '../support/crash-cli.js';
import { atEffort } from '../support/effort.js';
import { contentsBelow } from '../support/files-below.js';
import { goldenHome } from '../support/golden-home.js';
import { lockVersion } from '../support/lock-version.js';
import {
  nextProgram,
  presentProgram,
  releasedProgram,
  earlierPrograms,
  versionOf,
  type Program,
} from '../support/program-archive.js';
import type { TemporaryHome } from '../support/temporary-home.js';

interface Check {
  readonly name: string;
  readonly status: string;
  readonly detail: string;
  readonly fix: string | null;
}

interface Pair {
  readonly older: () => Program;
  readonly newer: () => Program;
  /** The golden home to begin with. */
  readonly home: string;
  /** Commands with which the older version reads a home of the newer one, each with a warning. */
  readonly reads: readonly (readonly string[])[];
  /** Whether the older version tells by an archive's entries that a newer one wrote them; 2.0.0 skips what it does not know. */
  readonly refusesArchives: boolean;
  /** What the newer version does to the journal. */
  readonly steps: RegExp;
}

const some_refused = [['run', 'plan.json'], ['doctor'], ['serve', '--port', '0']];
const others_refused = [['pause'], ['resume'], ['backup', 'refused.zip'], ['rebuild'], ['token', 'list'], ['checkpoint']];
const refused = atEffort(some_refused, [...some_refused, ...others_refused]);

function upgrades(title: string, { older, newer, home, reads, refusesArchives, steps }: Pair): void {
  describe(title, function () {
    this.timeout(600_000);
    let [old, next]: [Program | null, Program | null] = [null, null];
    let place: TemporaryHome;
    let head = '';
    before(() => {
      [old, next] = [older(), newer()];
      place = goldenHome(home, 'main');
      writeFileSync(join(place.root, 'plan.json'), JSON.stringify(plan));
    });
    after(() => {
      old?.remove();
      next?.remove();
      place.remove();
    });

    const env = () => ({
      PATH: process.env['PATH'] ?? '',
      HOME: place.root,
      AGENT_HOME: place.directory,
      AGENT_WITNESS: place.witness,
      AGI_INSIGHT_BUS_PORT: '0',
      LC_ALL: 'C.UTF-8',
    });
    const run = (program: Program | null, ...args: readonly string[]): Ran => program!.run(args, env(), place.root);
    const json = (program: Program | null, ...args: readonly string[]): Record<string, unknown> =>
      program!.json(args, env(), place.root);
    const files = (): readonly unknown[] => [contentsBelow(place.directory), contentsBelow(place.witness)];
    const versions = (): readonly [string, string] => [versionOf(old!.directory), versionOf(next!.directory)];
    const doctor = (program: Program | null): Check =>
      (json(program, 'doctor')['checks'] as readonly Check[]).find(({ name }) => name === 'version')!;

    const whileOlderRuns = async (): Promise<void> => {
      const daemon = await serve(old!, env(), place.root);
      try {
        const before = [lockVersion(place), json(old, 'verify')['head']];
        const { code, stderr } = run(next, 'resume');
        assert.deepEqual([code, stderr.includes(`version ${versions()[0]} is running on this home; stop it`)], [4, true], stderr);
        const { status, fix } = doctor(next);
        assert.deepEqual(
          [status, /^stop the process of version \S+ that uses this home \(pid \d+, /.test(fix!)],
          ['warn', true],
          fix!,
        );
        assert.deepEqual([lockVersion(place), json(old, 'verify')['head']], before);
      } finally {
        await end(daemon, 'SIGTERM');
      }
    };
    // The newer version refuses here, so that the present one has to be it.
    if (newer === presentProgram) it('does not upgrade or change the home while the older version runs', whileOlderRuns);

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
      for (const version of versions()) assert.ok(detail.includes(version), detail);
      assert.match(detail, steps);
      assert.match(fix!, /^keep a backup, made with version \S+, of the head \d+:[0-9a-f]{16}; then: agent-cli resume$/);
      assert.ok(head.startsWith(/head (\S+);/.exec(fix!)![1]!), `${fix!} names the head of the backup`);
      assert.equal(json(next, 'verify', '--deep', '--expect-head', head)['valid'], true);
      assert.deepEqual(files(), before);
      assert.equal(json(old, 'verify')['valid'], true);
    });

    it('happens with the next command of the newer version, which reports it and continues from what was signed', () => {
      const { code, stdout, stderr } = run(next, 'resume');
      assert.deepEqual([code, stdout], [0, 'ready\n'], stderr);
      const [from, to] = versions();
      assert.equal(stderr, `! this home was upgraded from version ${from} to ${to}; version ${from} refuses it from now on\n`);
      assert.equal(lockVersion(place), to);
      const { status, detail, fix } = doctor(next);
      assert.deepEqual([status, detail, fix], ['ok', `this home is of version ${to}`, null]);
      assert.equal(run(next, 'verify', '--deep', '--against', 'before.txt').stderr, '');
      assert.equal(json(next, 'run', 'plan.json', '--execute')['state'], 'review');
      json(next, 'backup', 'after.zip');
    });

    it('makes the older version refuse the home in one line that names both, exit 4, and change no byte', () => {
      const before = files();
      const [from, to] = versions();
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
      for (const args of reads) {
        const { code, stderr } = run(old, ...args);
        assert.deepEqual([code, stderr.includes(`only read: this home was written by version ${to}`)], [0, true], stderr);
      }
      assert.deepEqual(files(), before);
      assert.equal(json(next, 'verify', '--deep')['valid'], true);
    });

    const whileNewerRuns = async (): Promise<void> => {
      const daemon = await serve(next!, env(), place.root);
      try {
        const { code, stderr } = run(old, 'pause');
        assert.deepEqual([code, stderr.includes(versions()[1])], [4, true], stderr);
      } finally {
        await end(daemon, 'SIGTERM');
      }
    };
    // The older version refuses here.
    if (older === presentProgram) it('makes the older version refuse the home also while the newer one runs', whileNewerRuns);

    it('is rolled back when the older version restores the backup into a new home, and continues', () => {
      const back = (program: Program | null, ...args: readonly string[]): Record<string, unknown> =>
        json(program, '--home', join(place.root, 'back'), ...args);
      const upgraded = readFileSync(join(place.directory, 'journal.sqlite3'));
      const restored = back(old, 'restore', 'before.zip', '--expect-head', head, '--reason', 'back to the older version');
      assert.deepEqual([restored['valid'], restored['state']], [true, 'paused']);
      assert.equal(back(old, 'verify', '--deep', '--against', 'before.txt')['valid'], true);
      assert.equal(back(old, 'resume')['state'], 'ready');
      assert.equal(back(old, 'run', 'plan.json', '--execute')['state'], 'review');
      assert.ok(readFileSync(join(place.directory, 'journal.sqlite3')).equals(upgraded), 'the upgraded home is left as it is');
    });

    if (refusesArchives)
      it('makes the older version refuse an archive in which the newer one recorded something new, and leave nothing of it', () => {
        const { code, stdout, stderr } = run(old, '--home', join(place.root, 'ahead'), 'restore', 'after.zip');
        assert.deepEqual([code, stdout, existsSync(join(place.root, 'ahead'))], [4, '', false], stderr);
        assert.match(stderr, /^✗ Newer version: entry \d+ was written by a newer version/);
      });
  });
}

/** Starts a daemon; resolves once it serves. */
async function serve({ main }: Program, env: NodeJS.ProcessEnv, cwd: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [main, 'serve', '--port', '0', '--json'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await heard(child, '"serving"');
  return child;
}

for (const version of earlierPrograms())
  upgrades(`an upgrade from ${version} to the present version`, {
    older: () => releasedProgram(version),
    newer: presentProgram,
    home: version,
    reads: [],
    refusesArchives: compareVersions(version, '2.0.0') > 0,
    steps: /applies \S+\.sql( and \S+\.sql)*( and rebuilds the tables from \d+ entries)?/,
  });

upgrades('an upgrade from the present version to the next one', {
  older: presentProgram,
  newer: () => nextProgram('99.1.0'),
  home: '2.0.0',
  reads: [['list'], ['verify', '--deep']],
  refusesArchives: true,
  steps: /applies 9999-next\.sql;/,
});

it('stores programs of released versions', () => {
  assert.ok(earlierPrograms().includes('2.0.0'), earlierPrograms().join());
});

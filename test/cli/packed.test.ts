/** The packed program in a clean directory with nothing but Node: what a stranger installs, from init to a restored backup. */
import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildBinding, installPacked, type Packed } from '../support/packed.js';
import { walkTour } from '../support/tour.js';

describe('the packed program', () => {
  let packed: Packed;
  before(function () {
    this.timeout(600_000);
    packed = installPacked();
    mkdirSync(join(packed.directory, 'away'));
  });
  after(() => packed.remove());

  const run = (...args: readonly string[]): { code: number | null; stdout: string; stderr: string } => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [packed.program, ...args], {
      cwd: join(packed.directory, 'away'),
      env: { PATH: dirname(process.execPath), HOME: packed.directory, LC_ALL: 'C.UTF-8' },
      encoding: 'utf8',
    });
    return { code: status, stdout, stderr };
  };
  const done = (...args: readonly string[]): Record<string, unknown> => {
    const { code, stdout, stderr } = run(...args, '--json');
    strictEqual(code, 0, `${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  it('says in one line what brings its native code, where npm did not, and ends with 7', () => {
    strictEqual(run('version').code, 0, 'needs no native code');
    for (const home of [[], ['--home', 'another']]) {
      const { code, stdout, stderr } = run(...home, 'init');
      deepStrictEqual([code, stdout], [7, ''], stderr);
      match(
        stderr,
        /^✗ Engine unavailable: the native code of the package better-sqlite3 is not there for Node v\S+ on \S+ \S+\n/,
      );
      match(stderr, /\n {2}→ npm run install --prefix "?\S+node_modules\/better-sqlite3"?\n$/);
      doesNotMatch(stderr, /\n {4}at /);
    }
    deepStrictEqual(
      [existsSync(join(packed.directory, '.local')), existsSync(join(packed.directory, 'away', 'another'))],
      [false, false],
    );
  });

  it('goes the whole way: a mission is executed, reviewed, exported, verified; the home is backed up and restored', () => {
    buildBinding(packed);
    walkTour({ agent: done, at: (name) => name });
  });

  it('holds what it needs: manual pages, the console, migrations; and no test, no source, no machine path', () => {
    const own = dirname(dirname(packed.program));
    const files = readdirSync(own, { recursive: true, encoding: 'utf8' });
    for (const needed of [
      join('dist', 'console', 'index.html'),
      'migrations',
      'proto',
      join('dist', 'man'),
      'LICENSE',
      'README.md',
    ])
      ok(files.includes(needed), needed);
    deepStrictEqual(
      files.filter((name) => /\.test\.|^(?:test|bench|src|commands)(?:\/|$)|\.map$/.test(name)),
      [],
    );
  });
});

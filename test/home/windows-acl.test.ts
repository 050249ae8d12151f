/** The owner-only ACL of Windows: the calls of icacls, and `init` of a process that takes itself for one on Windows. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { restrictToOwner } from '../../src/home/windows-acl.js';
import { root, scratch, type Scratch } from '../support/cli/cli-run.js';
import { hang_ms } from '../support/wait.js';
import { refused } from '../support/refused.js';

const sid = 'S-1-5-21-1004336348-1177238915-682003330-1001';
const whoami = `"MACHINE\\operator","${sid}"\r\n`;

describe('restrictToOwner', () => {
  it('drops all other rights and grants the owner full control, also of files to come', () => {
    const calls: string[] = [];
    restrictToOwner(String.raw`C:\agent`, (path, args) => {
      calls.push([path.replace(/^.*\W(?=\w+\.exe$)/, ''), ...args].join(' '));
      return path.endsWith('whoami.exe') ? whoami : '';
    });
    assert.deepEqual(calls, [
      'whoami.exe /user /fo csv /nh',
      String.raw`icacls.exe C:\agent /reset`,
      String.raw`icacls.exe C:\agent /inheritance:r /grant:r *${sid}:(OI)(CI)F`,
    ]);
  });

  it('runs the programs of the system directory only', () => {
    restrictToOwner(String.raw`C:\agent`, (path) => {
      assert.match(path, /^C:\\Windows\WSystem32\W\w+\.exe$/);
      return whoami;
    });
  });

  for (const failing of ['whoami.exe', '/reset', '/inheritance:r'])
    it(`refuses with an integrity failure when ${failing} fails`, () => {
      assert.throws(
        () =>
          restrictToOwner('C:\\agent', (path, args) => ([path, ...args].some((word) => word.endsWith(failing)) ? null : whoami)),
        refused('integrity'),
      );
    });
});

const start = join(root, 'dist', 'src', 'cli', 'start.js');

describe('init on Windows', () => {
  let place: Scratch;
  beforeEach(() => {
    place = scratch();
  });
  afterEach(() => place.remove());

  /** Runs `init` with a whoami and an icacls that say what they are told. */
  function init(icaclsCode: number): { readonly code: number | null; readonly stderr: string; readonly home: string } {
    const system = join(place.directory, 'System32');
    mkdirSync(system);
    const script = (name: string, body: string): void => {
      writeFileSync(join(system, name), `#!/bin/sh\n${body}\n`);
      chmodSync(join(system, name), 0o700);
    };
    script('whoami.exe', `echo '"MACHINE\\operator","${sid}"'`);
    script('icacls.exe', `echo "$@" >> '${join(place.directory, 'calls')}'; exit ${icaclsCode}`);
    const disguise = join(place.directory, 'windows.mjs');
    // Native code is that of this system: it is loaded first, and the modules of the program, not bundled, get the same.
    const [sodium, sqlite] = ['sodium-native', '../../src/store/sqlite.js'].map((name) => import.meta.resolve(name));
    const native = `import '${sodium}'; import { Database } from '${sqlite}'; new Database(':memory:').close();`;
    writeFileSync(disguise, `${native}\nObject.defineProperty(process, 'platform', { value: 'win32' });\n`);
    const home = join(place.directory, 'new', 'home');
    const env = { ...place.env, SystemRoot: place.directory, NODE_OPTIONS: `--import=${disguise}` };
    const { status, stderr } = spawnSync(process.execPath, [start, '--home', home, 'init'], {
      cwd: place.directory,
      env,
      encoding: 'utf8',
      timeout: hang_ms,
    });
    return { code: status, stderr, home };
  }

  it('ends with exit 3 and leaves no file behind when icacls fails', function () {
    if (process.platform === 'win32') return this.skip();
    const { code, stderr } = init(5);
    assert.equal(code, 3, stderr);
    assert.match(stderr, /^✗ .*could not be restricted to its owner; no secret was written\n$/);
    assert.match(readFileSync(join(place.directory, 'calls'), 'utf8'), /home \/reset\n$/);
    assert.deepEqual(readdirSync(join(place.directory, 'new')), []);
    assert.deepEqual(readdirSync(place.directory).toSorted(), ['System32', 'calls', 'new', 'windows.mjs']);
  });

  it('creates the home when icacls succeeds', function () {
    if (process.platform === 'win32') return this.skip();
    const { code, stderr, home } = init(0);
    assert.equal(code, 0, stderr);
    assert.equal(existsSync(join(home, 'identity.key')), true);
  });
});

/** V8's compile cache, where Node has one: in a directory that only this user can change, else nowhere. */
import { deepStrictEqual, notStrictEqual, ok, strictEqual } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { program, scratch, type Scratch } from '../support/cli/cli-run.js';
import { foreignNode, real } from '../support/real.js';

const [node22 = ''] = foreignNode('node-22');
let at: Scratch;
const cache = (): string => join(at.directory, 'cache');

/** Runs a command that loads no native code, with this Node's own or another one. */
function version(node: string, env: Readonly<Record<string, string>> = {}): void {
  const { NODE_V8_COVERAGE: _, ...own } = at.env;
  const { status, stderr } = spawnSync(node, [program, '--version'], {
    env: { ...own, XDG_CACHE_HOME: cache(), ...env },
    encoding: 'utf8',
  });
  strictEqual(status, 0, stderr);
}

const filesIn = (directory: string): number => (existsSync(directory) ? readdirSync(directory, { recursive: true }).length : 0);

real('node-22', 'the compile cache', () => {
  beforeEach(() => {
    at = scratch();
  });
  afterEach(() => at.remove());

  it('is kept in a private directory of the user, and by default below ~/.cache', () => {
    version(node22);
    const kept = join(cache(), 'agent-cli');
    strictEqual(statSync(kept).mode & 0o777, 0o700);
    notStrictEqual(filesIn(kept), 0);
    version(node22, { XDG_CACHE_HOME: '' });
    notStrictEqual(filesIn(join(at.directory, '.cache', 'agent-cli')), 0);
  });

  it('is off where others can write to the directory, or it is a link', () => {
    const open = join(cache(), 'agent-cli');
    mkdirSync(open, { recursive: true });
    chmodSync(open, 0o777);
    version(node22);
    strictEqual(filesIn(open), 0);
    const elsewhere = join(at.directory, 'elsewhere');
    const link = join(at.directory, 'linked');
    mkdirSync(elsewhere, { mode: 0o700 });
    mkdirSync(link);
    symlinkSync(elsewhere, join(link, 'agent-cli'));
    version(node22, { XDG_CACHE_HOME: link });
    strictEqual(filesIn(elsewhere), 0);
  });

  it('is off where no directory can be made, and where Node has none', () => {
    version(node22, { XDG_CACHE_HOME: '/proc/none' });
    if (process.version.startsWith('v20.')) version(process.execPath);
    deepStrictEqual(readdirSync(at.directory), []);
    ok(!existsSync(cache()));
  });
});

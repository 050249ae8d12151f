/** The package's two command names: the specification calls the command line `cli`, and `agent-cli` is the name that no other package has. */
import { deepStrictEqual, match, strictEqual } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root, scratch, type Ran, type Scratch } from '../support/cli-run.js';
import { hang_ms } from '../support/wait.js';

interface Package {
  readonly bin: Readonly<Record<string, string>>;
}

describe('the names of the command line', () => {
  let place: Scratch;
  before(() => {
    place = scratch();
    mkdirSync(join(place.directory, 'bin'));
    const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Package;
    // As npm links them.
    for (const [name, file] of Object.entries(bin)) symlinkSync(join(root, file), join(place.directory, 'bin', name));
  });
  after(() => place.remove());

  const run = (name: string, ...args: readonly string[]): Ran => {
    const { status, stdout, stderr } = spawnSync(join(place.directory, 'bin', name), args, {
      cwd: place.directory,
      env: { ...place.env },
      encoding: 'utf8',
      timeout: hang_ms,
    });
    return { code: status, stdout, stderr };
  };

  it('are both in the packed package, for one file', () => {
    const packed = spawnSync('npm', ['pack', '--ignore-scripts', '--pack-destination', place.directory], {
      cwd: root,
      encoding: 'utf8',
    });
    strictEqual(packed.status, 0, packed.stderr);
    const archive = readdirSync(place.directory).find((name) => name.endsWith('.tgz')) ?? '';
    const unpacked = spawnSync('tar', ['-xzf', archive], { cwd: place.directory, encoding: 'utf8' });
    strictEqual(unpacked.status, 0, unpacked.stderr);
    const read = (path: string): string => readFileSync(join(place.directory, 'package', path), 'utf8');
    const { bin } = JSON.parse(read('package.json')) as Package;
    deepStrictEqual(bin, { 'agent-cli': 'bin/agent-cli.js', cli: 'bin/agent-cli.js' });
    match(read('bin/agent-cli.js'), /^#!\/usr\/bin\/env node\n/);
  });

  it('print the same: help, a command’s help, version, a result and a usage error', () => {
    for (const args of [
      [],
      ['--help'],
      ['simulate', '--help'],
      ['--version'],
      ['init', '--json', '--home', 'home'],
      ['list', '--home', 'home'],
      ['nothing-like-it'],
      ['show'],
    ]) {
      const [long, short] = [run('agent-cli', ...args), run('cli', ...args)];
      if (args[0] === 'init') deepStrictEqual([long.code, short.code], [0, 2], 'the home of the first is there for the second');
      else deepStrictEqual(short, long, args.join(' '));
    }
  });

  it('are called agent-cli in every hint, which is there too', () => {
    match(run('cli', '--help').stdout, /Usage: agent-cli /);
    match(run('cli', 'list', '--home', 'home').stdout, /next: agent-cli examples/);
  });
});

/** The package as an oclif plugin: a host that lists it has its commands under its own name. */
import { doesNotMatch, match, strictEqual } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, scratch, type Ran, type Scratch } from '../support/cli-run.js';

const host = {
  name: 'host',
  version: '1.0.0',
  type: 'module',
  dependencies: { '@oclif/core': '*', 'agent-cli': '*' },
  oclif: { bin: 'host', dirname: 'host', plugins: ['agent-cli'], topicSeparator: ' ' },
};

describe('as an oclif plugin', () => {
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

  it('runs commands of ours on a home of ours', () => {
    const made = run('init', '--home', 'a home', '--json');
    strictEqual(made.code, 0, made.stderr);
    const doctor = run('doctor', '--home', 'a home');
    strictEqual(doctor.code, 0, doctor.stderr);
    match(doctor.stdout, /✓ journal/);
    const { identity } = JSON.parse(made.stdout) as { identity: string };
    strictEqual(doctor.stdout.includes(identity), true);
  });

  it("speaks under the host's name, in help and in hints", () => {
    const help = run('doctor', '--help');
    strictEqual(help.code, 0, help.stderr);
    match(help.stdout, /\$ host doctor/);
    doesNotMatch(help.stdout, /\$ agent-cli/);
    const failed = run('show', '0f8fad5b-d9cb-469f-a165-70867728950e', '--home', 'a home');
    strictEqual(failed.code, 2);
    match(failed.stderr, /→ host list --home 'a home'\n$/);
    match(run('list', '--home', 'a home').stdout, /next: host examples --home 'a home' --output missions/);
  });
});

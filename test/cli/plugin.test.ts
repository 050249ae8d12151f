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
    match(doctor.stdout, /✓ journal/);
    const { identity } = JSON.parse(made.stdout) as { identity: string };
    strictEqual(doctor.stdout.includes(identity), true);
    const tokens = run('agent', 'token', 'list', '--home', 'a home');
    strictEqual(tokens.code, 0, tokens.stderr);
  });

  it('adds nothing else to the host', () => {
    for (const command of ['init', 'list', 'version']) strictEqual(run(command).code, 2, command);
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

/** What a terminal shows and other output does not: colour, the progress bar, line lengths, a reader that goes away. */
import { deepStrictEqual, doesNotMatch, match, strictEqual } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTerminal, plan, program, scratch, whyNoTerminal, type Scratch } from '../support/cli-run.js';
import { setLockVersion } from '../support/lock-version.js';

const escape = /\u001b/;
const columns = 100;
const long = (text: string): string[] => text.split('\n').filter((line) => line.length > columns);

describe('human output', () => {
  let place: Scratch;
  before(() => {
    place = scratch();
    const loud = { ...plan, goal: `${'Repair what the storm broke. '.repeat(20)}\u001b[31m\nred` };
    writeFileSync(join(place.directory, 'plan.json'), JSON.stringify(plan));
    writeFileSync(join(place.directory, 'loud.json'), JSON.stringify(loud));
    strictEqual(place.run('init').code, 0);
  });
  after(() => place.remove());

  it('has no escape sequences off a terminal, even where a goal holds one, and no line over 100 columns', () => {
    const note = `${'Looked at every figure twice. '.repeat(30)}\u001b]0;title\u0007`;
    const { id, revision, result_hash } = place.json('run', 'loud.json', '--execute');
    const binding = ['--revision', String(revision), '--result-hash', String(result_hash)];
    for (const args of [
      ['list'],
      ['show', String(id)],
      ['review', String(id), ...binding, '--approve', '--note', note],
      ['show', String(id)],
      ['run', 'plan.json', '--execute'],
      ['doctor'],
      ['verify'],
    ]) {
      const { code, stdout, stderr } = place.run(...args);
      strictEqual(code, 0, stderr);
      doesNotMatch(stdout + stderr, escape, args.join(' '));
      deepStrictEqual(long(stdout), [], args.join(' '));
      strictEqual(stderr, '');
    }
  });

  it('ends quietly when the reader of a pipe goes away', () => {
    const command = `'${process.execPath}' '${program}'`;
    const script = `${command} list --json | true; echo "$PIPESTATUS"; ${command} --help | head -1; echo "$PIPESTATUS"`;
    const { status, stdout, stderr } = spawnSync('/bin/bash', ['-c', script], {
      cwd: place.directory,
      env: { ...place.env },
      encoding: 'utf8',
    });
    strictEqual(stderr, '');
    strictEqual(status, 0);
    match(stdout, /^0\nPlan and research[^\n]*\n0\n$/);
  });

  it('goes on, with its own exit code, where standard error cannot be written', function () {
    if (!existsSync('/dev/full')) this.skip();
    const full = openSync('/dev/full', 'w');
    try {
      const run = (...args: readonly string[]) =>
        spawnSync(process.execPath, [program, ...args], { ...place, cwd: place.directory, stdio: ['ignore', 'pipe', full] });
      strictEqual(run('show', '00000000').status, 2);
      // The first command after an upgrade prints a notice.
      setLockVersion({ directory: join(place.directory, 'home') }, '1.9.0');
      const { status, stdout } = run('run', 'plan.json', '--execute');
      strictEqual(status, 0);
      match(stdout.toString(), /review/);
    } finally {
      closeSync(full);
    }
  });
});

const why = whyNoTerminal();
(why === null ? describe : describe.skip)(`on a terminal${why === null ? '' : ` [skipped, ${why}]`}`, () => {
  let place: Scratch;
  before(() => {
    place = scratch();
    writeFileSync(join(place.directory, 'plan.json'), JSON.stringify(plan));
    strictEqual(place.run('init').code, 0);
  });
  after(() => place.remove());
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}): { code: number | null; stdout: string } =>
    onTerminal(args, { ...place.env, ...env }, place.directory);

  it('uses colours, and shows a progress bar that it removes again', () => {
    const { code, stdout } = run(['run', 'plan.json', '--execute']);
    strictEqual(code, 0, stdout);
    match(stdout, /\u001b\[33mreview\u001b\[0m/);
    match(stdout, /\rstrategy {3}[█░]{30} \d+ %/);
    const shares = [...stdout.matchAll(/[█░]{30} (\d+) %/g)].map(([, share]) => Number(share));
    deepStrictEqual(
      shares,
      shares.toSorted((a, b) => a - b),
    );
    match(stdout, /\r +\r/);
    // oxlint-disable-next-line no-control-regex
    deepStrictEqual(long(stdout.replaceAll(/\u001b\[\d+m|.*\r(?!\n)/g, '').replaceAll('\r', '')), []);
  });

  it('keeps to NO_COLOR and to a terminal without colours', () => {
    const coloured = run(['list']).stdout;
    match(coloured, escape);
    doesNotMatch(run(['list'], { NO_COLOR: '1' }).stdout, escape);
    doesNotMatch(run(['show', 'x'], { NO_COLOR: '1' }).stdout, escape);
    doesNotMatch(run(['list'], { TERM: 'dumb' }).stdout, escape);
  });

  it('shows no progress bar with --json', () => {
    const { code, stdout } = run(['run', 'plan.json', '--execute', '--json']);
    strictEqual(code, 0, stdout);
    doesNotMatch(stdout, /[█░]/);
    strictEqual((JSON.parse(stdout) as { state: string }).state, 'review');
  });
});

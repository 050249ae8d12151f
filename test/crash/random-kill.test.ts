/**
 * kill -9 of a whole process group at random moments: a mission that runs, and a daemon with commands beside it. The moments come
 * from a fixed seed; where they fall in the work differs from run to run, and whatever they hit has to hold. @slow
 */
import { deepStrictEqual, notStrictEqual, ok, strictEqual } from 'node:assert';
import { spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prng } from '../../src/base/prng.js';
import { until } from '../support/app/given-daemon.js';
import { folderForSuite } from '../support/app/temporary-home.js';
import { cleanEnv, cold, collect, entry, heard, Operator, type Ran, type Said } from '../support/crash/crash-cli.js';
import { entriesOf, filesIn, headOf, makeSandbox, type Sandbox } from '../support/crash/crash-sandbox.js';
import { accepted, refused } from '../support/crash/crash-settle.js';
import { atEffort } from '../support/effort.js';
import { minimal } from '../support/codec/mission-samples.js';

const uuid = (n: number): string => `3f0e6f4e-1f8a-4c55-9a53-${n.toString(16).padStart(12, '0')}`;
const rounds = atEffort(3, 200);
const home_files = ['api.token', 'ballast', 'config.json', 'identity.key', 'journal.sqlite3', 'lock.sqlite3'];

/** Commands at once, in a process group of their own. */
function group(commands: readonly (readonly string[])[], sandbox: Sandbox): ChildProcess {
  const command = (argv: readonly string[]): string => [process.execPath, entry, ...argv].map((word) => `'${word}'`).join(' ');
  return spawn('sh', ['-c', `${commands.map(command).join(' & ')} & wait`], {
    env: cleanEnv(sandbox.env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
}

/** The whole group, however much of it is left. */
function kill({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    strictEqual((error as NodeJS.ErrnoException).code, 'ESRCH');
  }
}

describe('kill -9 of the process group at random moments', function () {
  const root = folderForSuite();
  const file = join(root, 'mission.json');
  const operator = new Operator();
  const sandbox = makeSandbox(root);
  /** About how long a mission takes on this machine now, from the start of Node to the result. */
  let whole_ms = 0;

  const cli = (...argv: readonly string[]): Promise<Said> => operator.run(argv, sandbox.env);
  const must = async (...argv: readonly string[]): Promise<Record<string, unknown>> =>
    accepted(await cli(...argv), argv.join(' '));

  const started: ChildProcess[] = [];
  const begin = (commands: readonly (readonly string[])[]): ChildProcess => {
    const child = group(commands, sandbox);
    started.push(child);
    return child;
  };

  /** Starts the commands, lets them work for a while, kills them all. */
  const killed = async (delay_ms: number, ...commands: readonly (readonly string[])[]): Promise<Ran> => {
    const child = begin(commands);
    const ended = collect(child);
    await sleep(delay_ms);
    notStrictEqual(child.pid, undefined);
    kill(child);
    return ended;
  };

  /** The mission's state after the kill; sees that it was taken in at most once. */
  const stateOf = async (id: string): Promise<string> => {
    const shown = await cli('show', id);
    const submitted = entriesOf(sandbox.home).filter(({ stream, type }) => stream === id && type === 'mission.submitted').length;
    strictEqual(submitted, shown.code === 0 ? 1 : 0);
    if (shown.code === 0) return String(shown.value?.state);
    refused(shown, 2, 'not_found', 'show');
    return 'absent';
  };

  /** Brings a mission to review whatever state the kill left it in. */
  const finish = async (id: string): Promise<void> => {
    const retried = await must('run', file, '--request-id', id, '--execute');
    // One that was requested before the kill may be executed by the daemon that started since.
    const wasLeft = retried.state === 'failed' || retried['interrupted'] === true;
    if (!wasLeft) await until(async () => (await stateOf(id)) !== 'running', 'the end of the execution');
    // A mission that was interrupted is recovered at once, by its lock and not by its lease.
    if (wasLeft) await must('recover', id);
    if (wasLeft) await must('execute', id);
    strictEqual(await stateOf(id), 'review');
  };

  const verified = async (head: string): Promise<void> => {
    const verify = ['verify', '--deep', '--expect-head', head];
    strictEqual((await must(...verify)).valid, true);
    // Before another command takes in what the kill left, and after.
    await must('list');
    strictEqual((await must(...verify)).valid, true);
    deepStrictEqual(filesIn(sandbox.home), home_files);
  };

  before(async () => {
    writeFileSync(file, JSON.stringify(minimal('allocation')));
    await must('init');
    const began = performance.now();
    strictEqual((await cold(['run', file, '--execute'], sandbox.env)).code, 0);
    whole_ms = performance.now() - began;
  });

  after(() => {
    // A test that failed may have left a daemon.
    for (const child of started) if (child.exitCode === null && child.signalCode === null) kill(child);
    operator.stop();
  });

  it(`keeps the journal whole during run --execute, ${rounds} times`, async () => {
    const { below } = prng(20_261_122);
    const states = new Map<string, number>();
    // On a busy machine the first kills may all come too early: a few more find another moment.
    for (let round = 0; round < rounds || (states.size === 1 && round < 4 * rounds); round++) {
      const id = uuid(round);
      const head = headOf(sandbox.home);
      const run = ['run', file, '--request-id', id, '--execute', '--json'];
      const ran = await killed(whole_ms * (0.3 + (0.9 * (round % rounds)) / rounds) + below(20), run);
      await verified(head);
      const state = await stateOf(id);
      // A document on standard output is an acknowledgement.
      if (ran.stdout.trim().endsWith('}')) strictEqual((JSON.parse(ran.stdout) as { state: string }).state, state);
      states.set(state, (states.get(state) ?? 0) + 1);
      // The machine may have become busier or idler: the next kill comes later where this one found nothing, and earlier where all was done.
      if (state === 'absent') whole_ms *= 1.5;
      if (state === 'review') whole_ms /= 1.5;
      await finish(id);
      await verified(head);
    }
    console.log(`      left: ${[...states].map(([state, count]) => `${state} ${count}`).join(', ')}`);
    ok(states.size > 1, 'all kills came at the same moment');
  });

  it(`keeps the journal whole during serve with two commands beside it, ${rounds} times`, async () => {
    const { below } = prng(20_261_123);
    for (let round = 0; round < rounds; round++) {
      const [one, other] = [uuid(1_000 + 2 * round), uuid(1_001 + 2 * round)];
      const head = headOf(sandbox.home);
      await killed(
        whole_ms * (0.5 + (2 * round) / rounds) + below(20),
        ['serve', '--port=0'],
        ['run', file, '--request-id', one, '--execute', '--json'],
        ['run', file, '--request-id', other, '--json'],
      );
      const names = filesIn(sandbox.home).filter(
        (name) => !/^(daemon\.json|journal\.sqlite3-(wal|shm)|.*\.tmp-[0-9a-f]{12})$/.test(name),
      );
      deepStrictEqual(names, home_files);
      const child = begin([['serve', '--port=0']]);
      const ended = collect(child);
      // It starts at once: what a killed process held is free again.
      await heard(child, 'serving');
      for (const id of [one, other]) await stateOf(id);
      for (const id of [one, other]) await finish(id);
      process.kill(-(child.pid ?? 0), 'SIGTERM');
      await ended;
      await verified(head);
    }
  });
});

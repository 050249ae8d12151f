/** Containers that a killed process left: the next execution in its home removes them, and no others. */
import { deepStrictEqual, notDeepStrictEqual } from 'node:assert';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openHome, type Home } from '../../src/app/home/home.js';
import { runCandidate } from '../../src/sandbox/run.js';
import { program } from '../support/cli-run.js';
import { until } from '../support/given-daemon.js';
import { apply, execute, queued } from '../support/given-home.js';
import { real } from '../support/real.js';
import { foundIn, sandboxEnv, settingsOf } from '../support/sandbox.js';
import { temporaryHome, type TemporaryHome } from '../support/temporary-home.js';
import { hang_ms } from '../support/wait.js';

const mission = (candidate: string): unknown => ({
  goal: 'Give one',
  work: { kind: 'code', language: 'javascript', heldout: [{ args: [], expected: 1 }], candidate },
});
const endless = `const solve = () => new Promise((done) => {
  require('node:fs').writeFileSync('/tmp/begun', '');
  setTimeout(done, 99_999);
});`;

const containersOf = (home: string): string[] =>
  execFileSync('podman', ['ps', '--all', '--quiet', '--no-trunc', '--filter', `label=agent-cli.home=${home}`], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((id) => id !== '');

/** Returns whether the candidate of the one container of a home has begun: before that it has not read all of its input. */
function hasBegun(home: string): boolean {
  const [id] = containersOf(home);
  const look = ['exec', id ?? '', '/usr/bin/python3', '-c', 'open("/tmp/begun")'];
  return id !== undefined && spawnSync('podman', look).status === 0;
}

real('container', 'containers of a killed process', function () {
  this.timeout(hang_ms);
  let given: TemporaryHome;
  let home: Home;
  let env: Record<string, string>;

  beforeEach(async () => {
    given = temporaryHome();
    env = sandboxEnv({ SANDBOX_CPU_SEC: '2' });
    home = openHome({ ...given.world, env: { ...given.world.env, ...env } });
    await apply(home, { allow_code_execution: true });
  });
  afterEach(() => {
    const left = containersOf(home.signer.identity);
    home.close();
    given.remove();
    for (const id of left) execFileSync('podman', ['rm', '--force', '--time=0', '--ignore', id]);
    deepStrictEqual(left, []);
  });

  it('are removed by the next execution', async () => {
    const { identity } = home.signer;
    const { id } = await queued(home, mission(endless));
    const child = spawn(process.execPath, [program, 'execute', id], {
      env: { ...given.world.env, ...env, AGENT_HOME: given.directory },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    await until(() => child.exitCode !== null || hasBegun(identity), 'a container');
    const before = containersOf(identity);
    deepStrictEqual(before.length, 1);
    child.kill('SIGKILL');
    await ended;
    deepStrictEqual(containersOf(identity), before, 'it outlives the process');
    const next = await queued(home, mission('const solve = () => 1;'));
    deepStrictEqual((await execute(home, next.id)).state, 'review');
    deepStrictEqual(containersOf(identity), []);
  });

  it('are not those of a process that is there, or of another home', async () => {
    const settings = settingsOf(env);
    const found = await foundIn(settings);
    const controller = new AbortController();
    const { signal } = controller;
    const job = { language: 'javascript', code: endless, args: ['[]'], signal } as const;
    const running = [home.signer.identity, 'another'].map((owner) => runCandidate(settings, found, { ...job, home: owner }));
    try {
      await until(() => [home.signer.identity, 'another'].every((owner) => hasBegun(owner)), 'containers');
      const { id } = await queued(home, mission('const solve = () => 1;'));
      deepStrictEqual((await execute(home, id)).state, 'review');
      notDeepStrictEqual(containersOf(home.signer.identity), []);
      notDeepStrictEqual(containersOf('another'), []);
    } finally {
      controller.abort();
      await Promise.all(running);
    }
  });
});

/** The environment variables of the sandbox, and the frames in which a runner responds. */
import { deepStrictEqual, match, notDeepStrictEqual, ok } from 'node:assert';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeEngineOf } from '../../src/app/code/engine.js';
import { openHome } from '../../src/app/home/open.js';
import type { Home } from '../../src/app/home/home.js';
import type { EngineTask } from '../../src/app/threads/engine-thread.js';
import { isRefused, unwrap } from '../../src/base/refusal.js';
import { failsAgain } from '../../src/codec/events/mission.js';
import { callClient } from '../../src/sandbox/client.js';
import { isReady, outputsOf } from '../../src/sandbox/programs.js';
import { runCandidate, runDeadline } from '../../src/sandbox/run.js';
import { sandboxSettings } from '../../src/sandbox/find.js';
import { program } from '../support/cli/cli-run.js';
import { until } from '../support/app/given-daemon.js';
import { apply, execute, queued, rejectsRefusal } from '../support/app/given-home.js';
import { real } from '../support/real.js';
import { foundIn, sandboxEnv, settingsOf } from '../support/sandbox/sandbox.js';
import { folderForSuite, temporaryHome, type TemporaryHome } from '../support/app/temporary-home.js';

const image = `sha256:${'a'.repeat(64)}`;

describe('settings of the sandbox', () => {
  it('have defaults, and reach the engine without credentials', () => {
    const clientEnv = { PATH: '/bin', DOCKER_HOST: 'unix:///x' };
    const env = { AGENT_SANDBOX_IMAGE: image, AGENT_LLM_KEY: 'secret', HTTPS_PROXY: 'http://u:p@h', ...clientEnv };
    deepStrictEqual(unwrap(sandboxSettings(env)), { engine: null, image, cpu_s: 2, mem_mb: 256, clientEnv });
  });

  it('accept an image by its id or by a name and a digest', () => {
    for (const AGENT_SANDBOX_IMAGE of [image, `localhost:5000/some/name@${image}`])
      deepStrictEqual(unwrap(sandboxSettings({ AGENT_SANDBOX_IMAGE })).image, AGENT_SANDBOX_IMAGE);
  });

  const refused: readonly Readonly<Record<string, string | undefined>>[] = [
    ...[undefined, '', 'latest', 'a:latest', 'sha256:abc', image.toUpperCase(), `--privileged@${image}`, `@${image}`].map(
      (AGENT_SANDBOX_IMAGE) => ({ AGENT_SANDBOX_IMAGE }),
    ),
    ...['Podman', 'runc', '/usr/bin/podman', 'podman '].map((AGENT_CONTAINER_ENGINE) => ({ AGENT_CONTAINER_ENGINE })),
    ...['0', '61', '-1', '1.5', '1e1', ' 2', 'x'].map((SANDBOX_CPU_SEC) => ({ SANDBOX_CPU_SEC })),
    ...['63', '4097', '128m'].map((SANDBOX_MEM_MB) => ({ SANDBOX_MEM_MB })),
  ];
  for (const env of refused) {
    it(`refuse ${JSON.stringify(env).slice(0, 100)}`, () => {
      const settings = sandboxSettings({ AGENT_SANDBOX_IMAGE: image, ...env });
      ok(isRefused(settings));
      const code = Object.keys(env).some((name) => name.startsWith('SANDBOX_')) ? 'invalid' : 'engine_unavailable';
      deepStrictEqual([settings.left.code, typeof settings.left.hint], [code, 'string']);
    });
  }
});

describe('a program that is called', () => {
  it('is waited for until its deadline where another one that it has started keeps its output open', async () => {
    const { PATH = '' } = process.env;
    const args = ['-c', 'sleep 20 & sleep 20'];
    const { ended, elapsed_ms } = await callClient({ command: 'sh', args, env: { PATH }, ms_max: 100, bytes_max: 1 });
    ok(ended === 'deadline' && elapsed_ms < 15_000, `${ended} after ${elapsed_ms} ms`);
  });

  it('fails where no more files can be opened, and nothing else does', () => {
    const script = `
      import { closeSync, openSync } from 'node:fs';
      const { callClient } = await import(process.argv[1]);
      const kept = [];
      try { for (;;) kept.push(openSync('/dev/null')); } catch {}
      const { unstarted } = await callClient({ command: 'true', args: [], env: {}, ms_max: 1_000, bytes_max: 1 });
      kept.forEach((fd) => closeSync(fd));
      console.log(unstarted);`;
    const words = ['--input-type=module', '-e', script, new URL('../../src/sandbox/client.js', import.meta.url).href];
    const { stdout, stderr } = spawnSync('/bin/sh', ['-c', 'ulimit -n 100; exec "$0" "$@"', process.execPath, ...words]);
    deepStrictEqual(stdout.toString(), 'spawn true EMFILE\n', stderr.toString());
  });
});

describe('the time of a run', () => {
  it('grows with its cases and their processor time up to its maximum', () => {
    const times = [1, 10, 110].map((cases) => runDeadline(cases, 2));
    deepStrictEqual(times, [17_000, 35_000, 235_000]);
    deepStrictEqual([runDeadline(8, 60), runDeadline(9, 60), runDeadline(110, 60)], [495_000, 540_000, 540_000]);
  });
});

const frame = (body: string | Buffer): Buffer => {
  const bytes = Buffer.from(body);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};
const ready = frame('ready');

describe('frames', () => {
  it('are read up to the first malformed one; the first of a case counts', () => {
    const one = { outcome: 'returned', text: '1' };
    const cases: readonly (readonly [outputs: unknown, ...frames: (string | Buffer)[]])[] = [
      [[one, { outcome: 'raised', text: 'x' }], '0 returned\n1', '1 raised\nx'],
      [[null, one], '1 returned\n1', '1 returned\n2'],
      [[one, null], '0 returned\n1', 'nothing', '1 returned\n1'],
      [[one, null], '0 returned\n1', Buffer.from([0xff]), '1 returned\n1'],
      [[one, null], '7 returned\n1', '0 returned\n1'],
      [[null, null], '00 returned\n1'],
      [[null, null], '0 passed\n1'],
      [[{ outcome: 'missing', text: 'ended by signal 11' }, null], '0 missing\nended by signal 11', '1 missing\nsecret 7'],
      [[{ outcome: 'returned', text: '' }, null], '0 returned\n'],
    ];
    const outputs = (...frames: readonly Buffer[]): unknown => outputsOf(Buffer.concat([ready, ...frames]), 2);
    for (const [expected, ...bodies] of cases) deepStrictEqual(outputs(...bodies.map(frame)), expected);
    for (const cut of [frame('0 returned\n1').subarray(0, -1), Buffer.from([255, 255, 255, 255, 1])])
      deepStrictEqual(outputs(cut), [null, null]);
  });

  it('begin with that of the runner', () => {
    const others = [frame('0 returned\n1'), Buffer.alloc(0), Buffer.from('ready')];
    deepStrictEqual([ready, ...others].map(isReady), [true, false, false, false]);
  });
});

describe('an engine that fails while a candidate runs', () => {
  const bin = folderForSuite();
  const settings = settingsOf({ AGENT_SANDBOX_IMAGE: image, PATH: `${bin}:${process.env['PATH'] ?? ''}` });
  const found = { engine: { name: 'podman', global: [] }, version: '1', image, passedOver: [] } as const;

  it('is not the fault of the candidate, and its mission can be recovered', async () => {
    for (const end of ['kill -9 $$', 'exit 125']) {
      const script = `#!/bin/sh\ncat >/dev/null\nprintf '\\0\\0\\0\\005ready'\necho words of the candidate >&2\n${end}\n`;
      writeFileSync(join(bin, 'podman'), script, { mode: 0o755 });
      const ran = runCandidate(settings, found, { language: 'python', code: '', args: [] });
      const { detail } = await rejectsRefusal(ran, 'engine_unavailable');
      match(detail, /^podman did not see the end of the container: exit (by a signal|125)$/);
    }
    const answer = await codeEngineOf({})({ type: 'run' } as EngineTask);
    ok(answer.type === 'refused' && !failsAgain({ code: 'execution_failed', message: answer.refusal.detail, stage: null }));
  });
});

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

real('container', 'containers of a killed process', () => {
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

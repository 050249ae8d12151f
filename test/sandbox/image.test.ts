/**
 * The container images: the Dockerfile's stages, with the packed program in place of what its build stage makes; the commands of
 * docs/installation.md for them, and compose.yaml. @slow
 */
import { deepStrictEqual, match, notStrictEqual, strictEqual } from 'node:assert';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { composeSuite } from '../deploy/compose-run.js';
import { installationPage } from '../deploy/installation-page.js';
import { hardened, imageConfig, podman, programImages, removeAll, type Target } from '../support/sandbox/program-image.js';
import { real } from '../support/real.js';
import { walkTour } from '../support/cli/tour.js';
import { build_ms_max } from '../support/wait.js';

/** Then a container is killed. */
const stop_s_max = '600';
/** The exit status of a killed one. */
const killed = '137';
const token = 'a-token-of-this-test';

real('container', 'the container image', () => {
  const mark = `agent-cli-image-test-${process.pid}`;
  let images: ReadonlyMap<Target, string> = new Map();
  const volume = ['--volume', `${mark}:/data`, '--label', mark, '--network', 'none'];

  before(() => {
    images = programImages('simulation', 'agent');
  });
  after(() => {
    removeAll(mark, images.values());
    podman('volume', 'rm', '--force', `${mark}-tour`);
  });

  const image = (target: Target): string => images.get(target) ?? '';

  /** Starts a server and waits until it says what it serves. */
  async function serving(
    target: Target,
    port: number,
    ...flags: readonly string[]
  ): Promise<{ name: string; child: ChildProcess }> {
    const name = `${mark}-${target}`;
    const child = spawn('podman', ['run', '--name', name, ...hardened, ...volume, ...flags, image(target)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: build_ms_max,
    });
    let said = '';
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (part) => {
        said += String(part);
        if (said.includes(`:${port}`)) resolve();
      });
      child.on('exit', () => resolve());
    });
    match(said, new RegExp(`:${port}\\b`));
    return { name, child };
  }

  /** Evaluates an expression in a container and returns its value. */
  const inside = (name: string, expression: string): unknown =>
    JSON.parse(podman('exec', name, 'node', '--eval', `(async () => console.log(JSON.stringify(await (${expression}))))()`));

  /** Stops a server as `docker stop` does, and checks that it ended by itself. */
  async function stops(name: string, child: ChildProcess): Promise<void> {
    const ended = once(child, 'exit');
    podman('stop', '--time', stop_s_max, name);
    deepStrictEqual((await ended).slice(0, 1), [0]);
  }

  for (const [target, port] of [
    ['agent', 8000],
    ['simulation', 8001],
  ] as const)
    it(`names the user, the volume, the port and the health check of ${target}`, () => {
      const { User, Volumes, ExposedPorts, StopSignal, Cmd, Healthcheck } = imageConfig(image(target));
      deepStrictEqual(
        [User, Object.keys(Volumes), Object.keys(ExposedPorts), StopSignal, Cmd],
        ['10001:10001', ['/data'], [`${port}/tcp`], 'SIGTERM', [target]],
      );
      deepStrictEqual(Healthcheck.Test, ['CMD', 'node', '/opt/agent-cli/scripts/container.mjs', 'healthy', String(port)]);
    });

  it('serves the console and a home that it makes on an empty volume, as uid 10001, and stops in time', async () => {
    const { name, child } = await serving('agent', 8000);
    podman('healthcheck', 'run', name);
    deepStrictEqual(
      inside(name, `[process.getuid(), process.getgid(), require('fs').statSync('/data/home').mode & 0o777]`),
      [10_001, 10_001, 0o700],
    );
    match(String(inside(name, `fetch('http://127.0.0.1:8000/').then((page) => page.text())`)), /^<!doctype html>/i);
    const refusal = `(path) => { try { require('fs').writeFileSync(path, ''); } catch (error) { return error.code; } }`;
    const refusals = inside(name, `['/opt/x', '/tmp/x', '/x'].map(${refusal})`) as readonly string[];
    for (const code of refusals) match(code, /^E(?:ROFS|NOENT)$/, refusals.join());
    strictEqual(refusals.length, 3);
    await stops(name, child);
  });

  for (const [what, words] of [
    ['a server that is only starting', []],
    ['a command', ['watch']],
  ] as const)
    it(`ends ${what} at the first signal`, () => {
      const flags = ['--network', 'none', ...hardened, '--label', mark, '--no-healthcheck', '--tmpfs', '/data:mode=1777'];
      const container = podman('run', '--detach', ...flags, image('agent'), ...words);
      podman('stop', '--time', stop_s_max, container);
      notStrictEqual(podman('wait', container), killed, 'it is stopped by its signal');
      podman('rm', container);
    });

  it('goes the whole way on an empty volume, as uid 10001 on a read-only root, without a network', () => {
    const flags = ['--network', 'none', ...hardened, '--volume', `${mark}-tour:/data`, '--label', mark, '--no-healthcheck'];
    const idle = ['--entrypoint', 'node', image('agent'), '--eval', 'setInterval(() => {}, 2 ** 31 - 1)'];
    const container = podman('run', '--rm', '--detach', ...flags, ...idle);
    // Its entry point takes the words of each command, as it does for `docker run`: a container for each takes some seconds more.
    const { Entrypoint } = imageConfig(image('agent'));
    const ran = (...words: readonly string[]): string => podman('exec', container, ...Entrypoint, ...words, '--json');
    walkTour({ agent: (...words) => JSON.parse(ran(...words)) as Record<string, unknown>, at: (name) => `/data/${name}` });
    podman('rm', '--force', '--time', '0', container);
  });

  it('serves no simulation without API_TOKEN', () => {
    const flags = ['run', '--rm', '--network', 'none', ...hardened, '--label', mark, image('simulation')];
    const refused = spawnSync('podman', flags, { encoding: 'utf8', timeout: build_ms_max });
    strictEqual(refused.status, 2, refused.stderr);
    match(refused.stderr, /API_TOKEN/);
  });

  it('serves the simulation with API_TOKEN, healthy, and stops in time', async () => {
    const { name, child } = await serving('simulation', 8001, '--env', `API_TOKEN=${token}`);
    podman('healthcheck', 'run', name);
    const simulate = (bearer: string): string =>
      `fetch('http://127.0.0.1:8001/simulate', { method: 'POST', body: '{}', headers: { authorization: 'Bearer ${bearer}' } }).then((response) => response.status)`;
    deepStrictEqual([inside(name, simulate(token)), inside(name, simulate('another'))], [200, 403]);
    await stops(name, child);
  });

  installationPage(mark, image);
  composeSuite(() => image('simulation'));
});

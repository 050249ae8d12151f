/** The container image: built from the Dockerfile, on an image of this machine's Node, from the packed program in place of its build stage. */
import { deepStrictEqual, match, strictEqual } from 'node:assert';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../support/package-root.js';
import { buildBinding, installPacked } from '../support/packed.js';
import { real } from '../support/real.js';
import { sandboxImage } from '../support/sandbox.js';
import { walkTour } from '../support/tour.js';
import { hang_ms } from '../support/wait.js';

const root = packageRoot(import.meta.url);
const build_ms_max = 600_000;
const stop_ms_max = 10_000;

real('container', 'the container image', function () {
  this.timeout(build_ms_max);
  const mark = `agent-cli-image-test-${process.pid}`;
  const images = new Map<string, string>();
  const podman = (...args: readonly string[]): string =>
    execFileSync('podman', args, { encoding: 'utf8', timeout: build_ms_max, stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  /** Flags of every container here: a read-only root, no capability, a volume of this test. */
  const hardened = [
    '--runtime',
    'runc',
    '--read-only',
    '--cap-drop',
    'ALL',
    '--security-opt',
    'no-new-privileges',
    '--ulimit',
    'nofile=1024:1024',
    '--ulimit',
    'nproc=1024:1024',
  ];
  const volume = ['--volume', `${mark}:/data`, '--label', mark];

  before(() => {
    const packed = installPacked();
    try {
      buildBinding(packed);
      const out = join(packed.directory, 'out');
      mkdirSync(join(out, 'data'), { recursive: true });
      renameSync(dirname(dirname(packed.program)), join(out, 'agent-cli'));
      cpSync(packed.modules, join(out, 'agent-cli', 'node_modules'), { recursive: true, verbatimSymlinks: true });
      rmSync(packed.modules, { recursive: true });
      for (const target of ['simulation', 'agent']) {
        const given = ['--build-context', `build=${packed.directory}`, '--build-arg', `BASE=${sandboxImage()}`];
        images.set(target, podman('build', '--quiet', '--runtime', 'runc', '--target', target, ...given, root));
      }
    } finally {
      packed.remove();
    }
  });
  after(() => {
    for (const id of podman('ps', '--all', '--quiet', '--filter', `label=${mark}`).split('\n').filter(Boolean))
      podman('rm', '--force', id);
    podman('volume', 'rm', '--force', mark, `${mark}-tour`);
    for (const id of images.values()) podman('rmi', '--force', id);
  });

  const image = (target: string): string => images.get(target) ?? '';

  it('serves a home that it makes on an empty volume, as uid 10001, and stops in time', async () => {
    const name = `${mark}-agent`;
    const child = spawn('podman', ['run', '--name', name, '--network', 'none', ...hardened, ...volume, image('agent')], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: build_ms_max,
    });
    const ended = once(child, 'exit');
    let said = '';
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (part) => {
        said += String(part);
        if (said.includes(':8000')) resolve();
      });
      child.on('exit', () => resolve());
    });
    match(said, /:8000/);
    podman('exec', name, 'node', '/opt/agent-cli/scripts/container.mjs', 'healthy', '8000');
    const inside = `const { getuid, getgid } = process; console.log(JSON.stringify([getuid(), getgid(), require('fs').statSync('/data/home').mode & 0o777]))`;
    deepStrictEqual(JSON.parse(podman('exec', name, 'node', '-e', inside)), [10_001, 10_001, 0o700]);
    const write = spawnSync('podman', ['exec', name, 'node', '-e', `require('fs').writeFileSync('/opt/x', '')`], {
      encoding: 'utf8',
      timeout: hang_ms,
    });
    match(write.stderr, /EROFS/);
    const began = performance.now();
    podman('stop', '--time', '60', name);
    strictEqual(performance.now() - began < stop_ms_max, true, 'it was stopped by its signal');
    deepStrictEqual((await ended).slice(0, 1), [0]);
  });

  it('goes the whole way on an empty volume, as uid 10001 on a read-only root, without a network', () => {
    const own = ['--volume', `${mark}-tour:/data`, '--label', mark];
    const ran = (...words: readonly string[]): string =>
      podman('run', '--rm', '--network', 'none', ...hardened, ...own, image('agent'), ...words, '--json');
    walkTour({ agent: (...words) => JSON.parse(ran(...words)) as Record<string, unknown>, at: (name) => `/data/${name}` });
  });

  it('serves no simulation without API_TOKEN, and one with it', () => {
    const refused = spawnSync('podman', ['run', '--rm', '--network', 'none', ...hardened, ...volume, image('simulation')], {
      encoding: 'utf8',
      timeout: build_ms_max,
    });
    strictEqual(refused.status, 2, refused.stderr);
    match(refused.stderr, /API_TOKEN/);
  });
});

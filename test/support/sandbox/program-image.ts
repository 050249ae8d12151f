/** Images of the program for tests on a real container engine: the Dockerfile's stages, on an image of this machine's Node. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fullEffort } from '../effort.js';
import { packageRoot } from '../package-root.js';
import { placeWithPackages } from '../cli/packed.js';
import { sandboxImage } from './sandbox.js';
import { build_ms_max } from '../wait.js';

const root = packageRoot(import.meta.url);

/** Runs podman and returns what it prints. */
export const podman = (...args: readonly string[]): string =>
  execFileSync('podman', args, { encoding: 'utf8', timeout: build_ms_max, stdio: ['ignore', 'pipe', 'pipe'] }).trim();

/**
 * Flags of each run: a read-only root without places to write but those that are named, no capability, few files and processes. As with Docker,
 * the user has no entry in /etc/passwd.
 */
export const hardened: readonly string[] = [
  '--passwd=false',
  '--runtime=runc',
  '--read-only',
  '--read-only-tmpfs=false',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
  '--ulimit=nofile=1024:1024',
  '--ulimit=nproc=1024:1024',
];

/** Limits of builds that compile. */
export const build_limits = ['--ulimit=nofile=1024:1024', '--ulimit=nproc=4096:4096'];

export type Target = 'agent' | 'simulation';

/** Parts of packages that no command loads: half of the bytes of an image, whose build takes as long. */
const is_unloaded = /\.(?:map|md|ts)$/;

/**
 * Builds stages of the Dockerfile from the packed program in place of its build stage, and returns their ids. Their common stage is built
 * once and given to each. TEST_EFFORT=full leaves nothing out of the packages.
 */
export function programImages(...targets: readonly Target[]): ReadonlyMap<Target, string> {
  const directory = mkdtempSync(join(tmpdir(), 'agent-image-'));
  try {
    const out = join(directory, 'out');
    mkdirSync(join(out, 'data'), { recursive: true });
    placeWithPackages(join(out, 'agent-cli'), process, (path) => fullEffort || !is_unloaded.test(path));
    cpSync('/usr/bin/tini-static', join(out, 'tini'));
    const base = ['--build-arg', `BASE=${sandboxImage()}`];
    const program = buildStage('program', '--build-context', `build=${directory}`, ...base);
    const given = ['--build-context', `program=container-image://${program}`, ...base];
    return new Map(targets.map((target) => [target, buildStage(target, ...given)]));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Builds one stage of the Dockerfile, as one layer. The docker format keeps the health check, which the other format has no place for. */
export const buildStage = (target: Target | 'program', ...given: readonly string[]): string =>
  podman('build', '--quiet', '--layers=false', '--format', 'docker', '--runtime', 'runc', '--target', target, ...given, root);

interface ImageConfig {
  readonly User: string;
  readonly Volumes: Readonly<Record<string, unknown>>;
  readonly ExposedPorts: Readonly<Record<string, unknown>>;
  readonly StopSignal: string;
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Healthcheck: { readonly Test: readonly string[] };
}

/** Returns what an image says of how it is run. */
export function imageConfig(image: string): ImageConfig {
  const [found] = JSON.parse(podman('image', 'inspect', image)) as readonly {
    Config: ImageConfig;
    Healthcheck?: ImageConfig['Healthcheck'];
  }[];
  if (found === undefined) throw new Error(`there is no image ${image}`);
  return { ...found.Config, Healthcheck: found.Healthcheck ?? { Test: [] } };
}

/** Removes the containers with a label, their volume of the same name, and images. */
export function removeAll(mark: string, images: Iterable<string>): void {
  for (const id of podman('ps', '--all', '--quiet', '--filter', `label=${mark}`).split('\n').filter(Boolean))
    podman('rm', '--force', id);
  podman('volume', 'rm', '--force', mark);
  for (const id of images) podman('rmi', '--force', id);
}

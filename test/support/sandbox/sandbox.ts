/** The sandbox of tests on a real container engine: its image, its settings, and what it must leave behind: nothing. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unwrap } from '../../../src/base/refusal.js';
import { findEngine, type FoundEngine, sandboxSettings, type SandboxSettings } from '../../../src/sandbox/find.js';
import { packageRoot } from '../package-root.js';

const root = packageRoot(import.meta.url);
/** The id of the image that was built last, because building it takes some seconds. */
const noted = join(root, 'dist', '.sandbox-image');
export const imageScript = join(root, 'scripts', 'sandbox-image');
const isHeld = (id: string): boolean => spawnSync('podman', ['image', 'exists', id]).status === 0;

let image: string | undefined;

/** Returns the image's id, `sha256:…`. It is built unless the engine holds it. */
export function sandboxImage(): string {
  image ??= heldImage() ?? builtImage();
  return image;
}

function heldImage(): string | null {
  const given = process.env['AGENT_SANDBOX_IMAGE'] ?? (existsSync(noted) ? readFileSync(noted, 'utf8') : '');
  return /^sha256:[0-9a-f]{64}$/.test(given) && isHeld(given) ? given : null;
}

export const buildImage = (): string => execFileSync(imageScript, { encoding: 'utf8' });

function builtImage(): string {
  const [, id = ''] = /^AGENT_SANDBOX_IMAGE=(sha256:[0-9a-f]{64})\n$/.exec(buildImage()) ?? [];
  writeFileSync(noted, id);
  return id;
}

/** Returns the environment of a sandbox: podman with small limits, so that attacks end soon. */
export const sandboxEnv = (more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  AGENT_CONTAINER_ENGINE: 'podman',
  AGENT_SANDBOX_IMAGE: sandboxImage(),
  SANDBOX_CPU_SEC: '1',
  SANDBOX_MEM_MB: '128',
  ...more,
});

export const settingsOf = (env: Readonly<Record<string, string>>): SandboxSettings => unwrap(sandboxSettings(env));
export const foundIn = async (settings: SandboxSettings): Promise<FoundEngine> => unwrap(await findEngine(settings));

/** Returns the containers of this process that exist, running or not. */
export const containersLeft = (): string[] =>
  execFileSync('podman', ['ps', '--all', '--format', '{{.Names}}'], { encoding: 'utf8' })
    .split('\n')
    .filter((name) => name.startsWith(`agent-cli-${process.pid}-`));

/** Returns the processes of the sandbox's user that belong to no container which exists. */
export function orphansLeft(): string[] {
  const processes = execFileSync('ps', ['-eo', 'uid,pid,args'], { encoding: 'utf8' });
  const all = execFileSync('podman', ['ps', '--all', '--quiet', '--no-trunc'], { encoding: 'utf8' });
  return processes
    .split('\n')
    .filter((line) => line.trim().startsWith('10001 '))
    .filter((line) => {
      const file = `/proc/${line.trim().split(/ +/)[1] ?? ''}/cgroup`;
      const [id] = existsSync(file) ? (/[0-9a-f]{64}/.exec(readFileSync(file, 'utf8')) ?? []) : ['ended'];
      return id !== 'ended' && (id === undefined || !all.includes(id));
    });
}

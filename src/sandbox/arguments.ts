/** The arguments with which an engine starts a container for untrusted code. */
import { fileURLToPath } from 'node:url';
import * as limits from '../base/limits.js';

/** The time from the signal that a candidate can catch to the one that it cannot, in s of CPU time. */
const sandbox_cpu_grace_s = 1;
/**
 * The limit on the processes of one user. It is above `sandbox_pids_max`, because it also counts other containers, and because the self-test
 * must see that the container's own limit holds.
 */
const sandbox_user_processes_max = 512;
const sandbox_locked_memory_bytes_max = 65_536;

export interface Engine {
  readonly name: 'podman' | 'docker';
  /** Arguments before the client's command, such as the runtime. */
  readonly global: readonly string[];
}

export interface ContainerLimits {
  readonly cpu_s: number;
  readonly mem_mb: number;
}

export interface Container extends ContainerLimits {
  readonly engine: Engine;
  /** The image's id. */
  readonly image: string;
  readonly name: string;
  readonly idFile: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The engine ends the container after this time, whatever becomes of the client. */
  readonly ms_max: number;
  readonly command: readonly string[];
}

/** Files that are shipped beside the program. */
export const shippedFile = (name: string): string => fileURLToPath(new URL(`../../../sandbox/${name}`, import.meta.url));

const same = (name: string, value: number): string => `--ulimit=${name}=${value}:${value}`;
const mb_bytes = 1_048_576;

/** All limits that an engine would otherwise set itself: without the right to raise one, it could not start the container. */
const ulimits = ({ cpu_s }: ContainerLimits): readonly string[] => [
  `--ulimit=cpu=${cpu_s}:${cpu_s + sandbox_cpu_grace_s}`,
  same('core', 0),
  same('fsize', limits.sandbox_files_mb_max * mb_bytes),
  same('memlock', sandbox_locked_memory_bytes_max),
  same('nofile', limits.sandbox_open_files_max),
  same('nproc', sandbox_user_processes_max),
];

/** Arguments that only podman has. */
const podmanOnly = ({ ms_max }: Container): readonly string[] => [
  '--read-only-tmpfs=false',
  '--http-proxy=false',
  '--no-hosts',
  '--unsetenv-all',
  '--security-opt=mask=/proc/cmdline:/proc/version:/dev/mqueue',
  `--timeout=${Math.ceil((ms_max + limits.engine_stop_grace_ms) / 1_000)}`,
];

/** Docker copies its own proxy variables, credentials included, unless each has a value. */
const dockerOnly: readonly string[] = ['http_proxy', 'https_proxy', 'ftp_proxy', 'no_proxy', 'all_proxy']
  .flatMap((name) => [name, name.toUpperCase()])
  .map((name) => `--env=${name}=`)
  .concat('--tmpfs=/dev/mqueue:ro,noexec,nosuid,nodev,size=4k,mode=555');

/**
 * Without --rm: a container that has ended is left for the caller, who inspects and removes it. With it, podman's client and podman's clean-up would
 * remove it at the same time, and the client that comes too late reports status 0 or "Cannot get exit code" (podman issues 11633 and 25479).
 */
export function runArguments(container: Container): readonly string[] {
  const { engine, image, mem_mb, name, idFile, labels, command } = container;
  const { sandbox_uid: uid } = limits;
  return [
    ...engine.global,
    'run',
    '--interactive',
    '--pull=never',
    `--name=${name}`,
    `--cidfile=${idFile}`,
    ...Object.entries(labels).map(([label, value]) => `--label=${label}=${value}`),
    '--network=none',
    '--ipc=none',
    '--hostname=sandbox',
    '--read-only',
    `--tmpfs=/tmp:rw,noexec,nosuid,nodev,size=${limits.sandbox_files_mb_max}m,mode=1777`,
    '--workdir=/tmp',
    `--user=${uid}:${uid}`,
    '--cap-drop=all',
    '--security-opt=no-new-privileges',
    `--security-opt=seccomp=${shippedFile('seccomp.json')}`,
    '--cpus=1',
    `--memory=${mem_mb}m`,
    `--memory-swap=${mem_mb}m`,
    `--pids-limit=${limits.sandbox_pids_max}`,
    ...ulimits(container),
    '--log-driver=none',
    '--env=PATH=/usr/bin:/bin',
    ...(engine.name === 'podman' ? podmanOnly(container) : dockerOnly),
    '--entrypoint=',
    image,
    ...command,
  ];
}

/** Returns the arguments that kill and remove a container, by its id or, before the engine has written that, by its name. */
export const removeArguments = ({ name }: Engine, container: string): readonly string[] => [
  'rm',
  '--force',
  ...(name === 'podman' ? ['--time=0', '--ignore'] : []),
  container,
];

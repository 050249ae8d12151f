/** What the environment says about the sandbox. */
import { ok, refuse, type Result } from '../base/result.js';

/** CPU time of a run in s, by SANDBOX_CPU_SEC. */
const sandbox_cpu_s_default = 2;
export const sandbox_cpu_s_max = 60;
/** Memory in MiB, swap included, by SANDBOX_MEM_MB. */
const sandbox_mem_mb_default = 256;
export const sandbox_mem_mb_min = 64;
export const sandbox_mem_mb_max = 4_096;

export interface SandboxSettings {
  /** The engine that AGENT_CONTAINER_ENGINE names, or null. */
  readonly engine: 'podman' | 'docker' | null;
  /** `sha256:<image id>` or `name@sha256:<manifest digest>`. */
  readonly image: string;
  readonly cpu_s: number;
  readonly mem_mb: number;
  /** The variables that an engine's client needs. No other reaches it, so none of the agent's credentials does. */
  readonly clientEnv: Readonly<Record<string, string>>;
}

type Env = Readonly<Record<string, string | undefined>>;

const imageId = /^sha256:[0-9a-f]{64}$/;
const pinnedName = /^[a-z0-9][a-z0-9._/:-]{0,254}@sha256:[0-9a-f]{64}$/;
const clientVariable =
  /^(?:PATH|HOME|USER|LOGNAME|TMPDIR|LANG|XDG_[A-Z_]+|DOCKER_[A-Z_]+|CONTAINER_HOST|CONTAINERS_[A-Z_]+|STORAGE_[A-Z_]+|DBUS_SESSION_BUS_ADDRESS)$/;

/** The command that builds the image and prints what to set. */
export const image_command = 'scripts/sandbox-image';

export function sandboxSettings(env: Env): Result<SandboxSettings> {
  const engine = env['AGENT_CONTAINER_ENGINE'] || null;
  if (engine !== null && engine !== 'podman' && engine !== 'docker')
    return unavailable('AGENT_CONTAINER_ENGINE must be podman or docker', 'unset AGENT_CONTAINER_ENGINE');
  const image = env['AGENT_SANDBOX_IMAGE'] ?? '';
  if (image === '') return unavailable('AGENT_SANDBOX_IMAGE is not set', image_command);
  if (!imageId.test(image) && !pinnedName.test(image)) {
    const detail =
      'AGENT_SANDBOX_IMAGE must be sha256:<image id> or name@sha256:<manifest digest>; a tag alone can name another image tomorrow';
    return unavailable(detail, image_command);
  }
  const cpu_s = whole(env['SANDBOX_CPU_SEC'], sandbox_cpu_s_default, 1, sandbox_cpu_s_max);
  const mem_mb = whole(env['SANDBOX_MEM_MB'], sandbox_mem_mb_default, sandbox_mem_mb_min, sandbox_mem_mb_max);
  if (cpu_s === null) return unavailable(range('SANDBOX_CPU_SEC', 1, sandbox_cpu_s_max), 'unset SANDBOX_CPU_SEC');
  if (mem_mb === null)
    return unavailable(range('SANDBOX_MEM_MB', sandbox_mem_mb_min, sandbox_mem_mb_max), 'unset SANDBOX_MEM_MB');
  return ok({ engine, image, cpu_s, mem_mb, clientEnv: clientEnvOf(env) });
}

export const isImageId = (image: string): boolean => imageId.test(image);

const clientEnvOf = (env: Env): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value !== undefined && clientVariable.test(name) ? [[name, value]] : [])),
  );

const unavailable = (detail: string, hint: string): Result<never> => refuse({ code: 'engine_unavailable', detail, hint });

const range = (name: string, min: number, max: number): string => `${name} must be an integer from ${min} to ${max}`;

/** Returns the integer that a variable holds; null for one that is not in the range. */
function whole(text: string | undefined, fallback: number, min: number, max: number): number | null {
  if (text === undefined || text === '') return fallback;
  const value = /^[0-9]{1,6}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : null;
}

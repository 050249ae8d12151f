/** Finds the engine that can run untrusted code: the first one that is installed, holds the image and passes the self-test; and what the environment says about it. */
import { invalid, isRefused, ok, refuse, type Result } from '../base/refusal.js';
import type { Engine } from './arguments.js';
import { askEngine, type CallResult, isDone } from './client.js';
import { firstLine, selfTestFailure } from './self-test.js';

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
const image_command = 'scripts/sandbox-image';

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
  const limits = sandboxLimits(env);
  return isRefused(limits) ? limits : ok({ engine, image, ...limits.right, clientEnv: clientEnvOf(env) });
}

/** Returns the limits that SANDBOX_CPU_SEC and SANDBOX_MEM_MB set. A server checks them when it starts. */
export function sandboxLimits(env: Env): Result<Pick<SandboxSettings, 'cpu_s' | 'mem_mb'>> {
  const cpu_s = whole(env['SANDBOX_CPU_SEC'], sandbox_cpu_s_default, 1, sandbox_cpu_s_max);
  const mem_mb = whole(env['SANDBOX_MEM_MB'], sandbox_mem_mb_default, sandbox_mem_mb_min, sandbox_mem_mb_max);
  if (cpu_s === null) return outOfRange('SANDBOX_CPU_SEC', 1, sandbox_cpu_s_max);
  if (mem_mb === null) return outOfRange('SANDBOX_MEM_MB', sandbox_mem_mb_min, sandbox_mem_mb_max);
  return ok({ cpu_s, mem_mb });
}

const isImageId = (image: string): boolean => imageId.test(image);

const clientEnvOf = (env: Env): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value !== undefined && clientVariable.test(name) ? [[name, value]] : [])),
  );

const unavailable = (detail: string, hint: string): Result<never> => refuse({ code: 'engine_unavailable', detail, hint });

const outOfRange = (name: string, min: number, max: number): Result<never> =>
  refuse({ ...invalid(name, `must be an integer from ${min} to ${max}`), hint: `unset ${name}` });

/** Returns the integer that a variable holds; null for one that is not in the range. */
function whole(text: string | undefined, fallback: number, min: number, max: number): number | null {
  if (text === undefined || text === '') return fallback;
  const value = /^[0-9]{1,6}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : null;
}

export interface FoundEngine {
  readonly engine: Engine;
  /** The engine's own version. */
  readonly version: string;
  /** `sha256:` and the image's id. */
  readonly image: string;
  /** Why each engine before this one was passed over. */
  readonly passedOver: readonly string[];
}

/** crun refuses hybrid cgroups, which runc does not. */
const candidates: readonly Engine[] = [
  { name: 'podman', global: [] },
  { name: 'podman', global: ['--runtime=runc'] },
  { name: 'docker', global: [] },
];

export async function findEngine(settings: SandboxSettings): Promise<Result<FoundEngine>> {
  const passedOver: string[] = [];
  let isImageMissing = false;
  for (const engine of candidates) {
    if (settings.engine !== null && settings.engine !== engine.name) continue;
    // Another runtime changes nothing for an engine that is not there or does not hold the image.
    if (engine.global.length > 0 && passedOver.at(-1)?.startsWith(`${engine.name}: its self-test could not run`) !== true)
      continue;
    const found = await tried(engine, settings);
    if (found.fault === null) return ok({ engine, version: found.version, image: found.image, passedOver });
    passedOver.push(`${[engine.name, ...engine.global].join(' ')}: ${found.fault}`);
    isImageMissing ||= found.isImageMissing;
  }
  const another = settings.engine === 'docker' ? 'unset AGENT_CONTAINER_ENGINE' : 'apt-get install podman runc';
  return refuse({
    code: 'engine_unavailable',
    detail: `no container engine can run code missions: ${passedOver.join('; ')}`,
    hint: isImageMissing ? image_command : another,
  });
}

async function tried(engine: Engine, settings: SandboxSettings) {
  const { clientEnv: env } = settings;
  const no = (fault: string, isImageMissing = false) => ({ fault, isImageMissing, version: '', image: '' });
  const ask = (...args: readonly string[]): Promise<CallResult> => askEngine(engine, env, args);
  const field = engine.name === 'podman' ? '{{.Client.Version}}' : '{{.Server.Version}}';
  const version = await ask('version', '--format', field);
  if (version.unstarted !== null) return no(version.unstarted);
  if (!isDone(version)) return no(firstLine(version.stderr) ?? 'it does not respond');
  const inspected = await ask('image', 'inspect', '--format', '{{.Id}}', settings.image);
  if (!isDone(inspected)) return no(`it does not hold the image ${settings.image}`, true);
  const image = `sha256:${inspected.stdout
    .toString('utf8')
    .trim()
    .replace(/^sha256:/, '')}`;
  if (!isImageId(image) || (isImageId(settings.image) && image !== settings.image))
    return no(`it holds another image as ${settings.image}`, true);
  const fault = await selfTestFailure({ engine, clientEnv: env, image });
  return { fault, isImageMissing: false, version: version.stdout.toString('utf8').trim().slice(0, 64), image };
}

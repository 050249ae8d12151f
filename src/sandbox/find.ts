/** Finds the engine that can run untrusted code: the first one that is installed, holds the image and passes the self-test. */
import { engine_command_ms_max, sandbox_output_bytes_max } from '../base/limits.js';
import { ok, refuse, type Result } from '../base/result.js';
import type { Engine } from './arguments.js';
import { callClient, type Called } from './client.js';
import { firstLine, selfTestFailure } from './self-test.js';
import { image_command, isImageId, type SandboxSettings } from './settings.js';

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
  return refuse({
    code: 'engine_unavailable',
    detail: `no container engine can run code missions: ${passedOver.join('; ')}`,
    hint: isImageMissing ? image_command : 'apt-get install podman runc catatonit',
  });
}

interface Tried {
  readonly fault: string | null;
  readonly isImageMissing: boolean;
  readonly version: string;
  readonly image: string;
}

async function tried(engine: Engine, settings: SandboxSettings): Promise<Tried> {
  const { clientEnv: env } = settings;
  const no = (fault: string, isImageMissing = false): Tried => ({ fault, isImageMissing, version: '', image: '' });
  const ask = (...args: readonly string[]): Promise<Called> =>
    callClient({
      command: engine.name,
      args: [...engine.global, ...args],
      env,
      ms_max: engine_command_ms_max,
      bytes_max: sandbox_output_bytes_max,
    });
  const field = engine.name === 'podman' ? '{{.Client.Version}}' : '{{.Server.Version}}';
  const version = await ask('version', '--format', field);
  if (version.unstarted !== null) return no(version.unstarted);
  if (version.ended !== 'exited' || version.status !== 0) return no(firstLine(version.stderr) ?? 'it does not respond');
  const inspected = await ask('image', 'inspect', '--format', '{{.Id}}', settings.image);
  if (inspected.ended !== 'exited' || inspected.status !== 0) return no(`it does not hold the image ${settings.image}`, true);
  const image = `sha256:${inspected.stdout
    .toString('utf8')
    .trim()
    .replace(/^sha256:/, '')}`;
  if (!isImageId(image) || (isImageId(settings.image) && image !== settings.image))
    return no(`it holds another image as ${settings.image}`, true);
  const fault = await selfTestFailure({ engine, clientEnv: env, image });
  return { fault, isImageMissing: false, version: version.stdout.toString('utf8').trim().slice(0, 64), image };
}

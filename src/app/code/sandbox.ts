/** The sandbox of this process: found and tested once, then used until its trust ends. */
import { isRefused, ok, RefusalError, type Result, unwrap } from '../../base/result.js';
import { findEngine, type FoundEngine, sandboxLimits, sandboxSettings, type SandboxSettings } from '../../sandbox/find.js';
import type { World } from '../home/world.js';
import type { Watch } from '../threads/engine-thread.js';

/** Time for which a sandbox that passed its self-test is used without another one. */
const sandbox_trust_ms = 600_000;

export interface Sandbox extends FoundEngine {
  readonly settings: SandboxSettings;
  /** The id of the home that uses it; none for an export that is verified without a home. */
  readonly home?: string | undefined;
}

interface Known {
  readonly sandbox: Promise<Result<Sandbox>>;
  readonly until_ms: number;
}

/** By the settings; a failure is not kept. */
const known = new Map<string, Known>();

/** Returns the sandbox that the environment describes, or why there is none. */
export async function findSandbox(env: World['env']): Promise<Result<Sandbox>> {
  const settings = sandboxSettings(env);
  if (isRefused(settings)) return settings;
  const key = JSON.stringify(settings.right);
  const kept = known.get(key);
  if (kept !== undefined && performance.now() < kept.until_ms) return kept.sandbox;
  known.clear();
  const sandbox = tested(settings.right);
  known.set(key, { sandbox, until_ms: performance.now() + sandbox_trust_ms });
  const found = await sandbox.catch(() => null);
  if ((found === null || isRefused(found)) && known.get(key)?.sandbox === sandbox) known.delete(key);
  return sandbox;
}

async function tested(settings: SandboxSettings): Promise<Result<Sandbox>> {
  const found = await findEngine(settings);
  return isRefused(found) ? found : ok({ ...found.right, settings });
}

/** Checks the limits that the environment sets, as a server does when it starts. @throws RefusalError `invalid` */
export const checkSandboxLimits = (env: World['env']): void => void unwrap(sandboxLimits(env));

/** @throws RefusalError `engine_unavailable` */
export async function requireSandbox(env: World['env']): Promise<Sandbox> {
  const found = await findSandbox(env);
  if (isRefused(found)) throw new RefusalError(found.left);
  return found.right;
}

/** Thrown when the watch has ended the work; nothing of it counts then. */
export class StoppedRun extends Error {}

const poll_ms = 100;

/** Runs work under a signal that aborts when the watch says so. @throws StoppedRun, and any error that the watch throws */
export async function stoppable<A>(
  { mustStop, observer }: Watch,
  quiet_ms: number,
  work: (signal: AbortSignal) => Promise<A>,
): Promise<A> {
  const controller = new AbortController();
  const thrown: unknown[] = [];
  const look = (): void => {
    try {
      if (mustStop?.() === true) controller.abort();
    } catch (error) {
      thrown.push(error);
      controller.abort();
    }
  };
  observer?.quiet(quiet_ms);
  const timer = setInterval(look, poll_ms);
  try {
    const done = await work(controller.signal);
    if (thrown.length > 0) throw thrown[0];
    if (controller.signal.aborted) throw new StoppedRun();
    return done;
  } finally {
    clearInterval(timer);
  }
}

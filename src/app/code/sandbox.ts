/** The sandbox of this process: found and tested once, then used until its trust ends. */
import { isRefused, ok, type Refusal, RefusalError, refuse, type Result, unwrap } from '../../base/refusal.js';
import { findEngine, type FoundEngine, sandboxLimits, sandboxSettings, type SandboxSettings } from '../../sandbox/find.js';
import type { Home, World } from '../home/home.js';
import type { Watch } from '../threads/engine-thread.js';
import { Stopped } from '../threads/watched-thread.js';
import type { ChatPrompt } from '../../codec/chat-completion.js';
import type { Config } from '../../codec/config.js';
import { pausedRefusal } from '../../domain/mission-decide.js';
import { complete } from '../../provider/complete.js';
import { readControl } from '../../tables/control.js';
import { providerOf } from '../home/config.js';
import { toolRefusal } from '../tools/tools.js';

/** Time for which a sandbox that passed its self-test is used without another one. */
const sandbox_trust_ms = 600_000;

export interface Sandbox extends FoundEngine {
  readonly settings: SandboxSettings;
  /** The id of the home that uses it; none for an export that is verified without a home. */
  readonly home?: string | undefined;
}

interface CachedSandbox {
  readonly sandbox: Promise<Result<Sandbox>>;
  readonly until_ms: number;
}

/** By the settings; a failure is not kept. */
const known = new Map<string, CachedSandbox>();

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

const poll_ms = 100;

type QuietWatch = Pick<Watch, 'mustStop'> & { readonly observer?: Pick<NonNullable<Watch['observer']>, 'quiet'> | undefined };

/** Runs work under a signal that aborts when the watch says so. @throws Stopped, and any error that the watch throws */
export async function stoppable<A>(watch: QuietWatch, quiet_ms: number, work: (signal: AbortSignal) => Promise<A>): Promise<A> {
  const { done, isStopped } = await underWatch(watch, quiet_ms, work);
  if (isStopped) throw new Stopped();
  return done;
}

/** Returns what the work returned, and whether the signal has aborted meanwhile. @throws any error that the watch throws */
export async function underWatch<A>(
  { mustStop, observer }: QuietWatch,
  quiet_ms: number,
  work: (signal: AbortSignal) => Promise<A>,
): Promise<{ readonly done: A; readonly isStopped: boolean }> {
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
    return { done, isStopped: controller.signal.aborted };
  } finally {
    clearInterval(timer);
  }
}

// What must be in order before a candidate may run: the signed configuration, the tool, and a sandbox that passed its self-test.

const notAllowed: Refusal = {
  code: 'code_not_allowed',
  detail: 'the configuration does not allow code execution (allow_code_execution is false)',
  hint: 'agent-cli config set allow_code_execution=true',
};

const codeRefusal = ({ allow_code_execution }: Pick<Config, 'allow_code_execution'>): Refusal | null =>
  allow_code_execution ? null : notAllowed;

/**
 * @param mustGenerate whether a language model is to write the candidate
 * @throws RefusalError `paused`, `code_not_allowed`, `tool_disabled`, `provider_unconfigured` or `engine_unavailable`
 */
export async function requireCode(home: Home, mustGenerate: boolean): Promise<void> {
  if (readControl(home.db).state === 'paused') throw new RefusalError(pausedRefusal);
  const config = home.config();
  const refusal =
    toolRefusal(home.db, 'mission_code') ??
    codeRefusal(config) ??
    toolRefusal(home.db, 'container_run') ??
    (mustGenerate ? toolRefusal(home.db, 'provider_call') : null);
  if (refusal === null && mustGenerate) unwrap(generatorOf(config, home.world.env));
  if (refusal !== null) throw new RefusalError(refusal);
  await requireSandbox(home.world.env);
}

export interface Generator {
  readonly generations_max: number;
  readonly max_tokens: number;
  /** The time for a whole call. */
  readonly call_ms_max: number;
  readonly ask: (prompt: ChatPrompt, signal: AbortSignal) => ReturnType<typeof complete>;
}

/** Returns the generator, or why there is none. */
export function generatorOf(config: Config, env: World['env']): Result<Generator> {
  const provider = providerOf(config, env);
  if (isRefused(provider)) return provider;
  const settings = provider.right;
  if (settings === null) return refuse(noProvider);
  const call_ms_max = config.llm_timeout * 1_000;
  return ok({
    generations_max: config.max_generations,
    max_tokens: config.max_output_tokens,
    call_ms_max,
    ask: (prompt, signal) => complete(settings, prompt, { deadline_ms: call_ms_max, signal }),
  });
}

const noProvider: Refusal = {
  code: 'provider_unconfigured',
  detail: 'the mission has no candidate, and the configuration names no language model that could write one',
  hint: 'set llm_url and llm_model in the configuration, or queue a mission that has a candidate',
};

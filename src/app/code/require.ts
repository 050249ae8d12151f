/** What must be in order before a candidate may run: the signed configuration, the tool, and a sandbox that passed its self-test. */
import type { Refusal } from '../../base/refusal.js';
import { isRefused, ok, RefusalError, refuse, type Result, unwrap } from '../../base/result.js';
import type { ChatPrompt } from '../../codec/chat-completion.js';
import type { Config } from '../../codec/config.js';
import { pausedRefusal } from '../../domain/mission-decide.js';
import { complete } from '../../provider/complete.js';
import { readControl } from '../../tables/control.js';
import { providerOf } from '../home/config.js';
import type { Home } from '../home/home.js';
import type { World } from '../home/world.js';
import { toolRefusal } from '../tools/require.js';
import { requireSandbox } from './sandbox.js';

const notAllowed: Refusal = {
  code: 'code_not_allowed',
  detail: 'the configuration does not allow code execution (allow_code_execution is false)',
  hint: 'set allow_code_execution to true in the configuration: agent-cli pause, then agent-cli configure FILE, then agent-cli resume',
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

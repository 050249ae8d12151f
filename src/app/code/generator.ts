/** The configured language model as the writer of candidates. */
import type { Refusal } from '../../base/refusal.js';
import { isRefused, ok, refuse, type Result } from '../../base/result.js';
import type { ChatPrompt } from '../../codec/chat-completion.js';
import type { Config } from '../../codec/config.js';
import { complete } from '../../provider/complete.js';
import type { World } from '../home/world.js';
import { providerOf } from '../home/config.js';

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

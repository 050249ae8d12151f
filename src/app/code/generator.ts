/** The configured language model as the writer of candidates. */
import type { Refusal } from '../../base/refusal.js';
import { ok, refuse, type Result } from '../../base/result.js';
import type { ChatPrompt } from '../../codec/chat-completion.js';
import type { Config } from '../../codec/config.js';
import { complete } from '../../provider/complete.js';
import { ProviderKey } from '../../provider/key.js';
import type { World } from '../home/home.js';

export interface Generator {
  readonly generations_max: number;
  readonly max_tokens: number;
  /** The time for a whole call. */
  readonly call_ms_max: number;
  readonly ask: (prompt: ChatPrompt, signal: AbortSignal) => ReturnType<typeof complete>;
}

/** Returns the generator, or why there is none. */
export function generatorOf(config: Config, env: World['env']): Result<Generator> {
  const { llm_url, llm_model, llm_key_env, llm_response_format, allow_remote_llm, llm_timeout } = config;
  if (llm_url === '') return refuse(noProvider);
  const value = env[llm_key_env] ?? '';
  const key = ProviderKey.read(value);
  if (key === null && value !== '') return refuse(unusableKey(llm_key_env));
  const settings = { url: llm_url, model: llm_model, mode: llm_response_format, key, allowRemote: allow_remote_llm };
  const call_ms_max = llm_timeout * 1_000;
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
  hint: 'agent-cli configure with llm_url and llm_model, or queue the mission with a candidate',
};

const unusableKey = (name: string): Refusal => ({
  code: 'provider_unconfigured',
  detail: `the value of ${name} cannot be the key of a provider: it may hold letters, digits and punctuation, and no space or line break`,
});

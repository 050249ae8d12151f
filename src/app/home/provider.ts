/** The model provider that the configuration names, and the key that the environment holds for it. */
import type { Refusal } from '../../base/refusal.js';
import { ok, refuse, type Result } from '../../base/result.js';
import type { Config } from '../../codec/config.js';
import type { ProviderSettings } from '../../provider/complete.js';
import { ProviderKey } from '../../provider/key.js';
import type { World } from './world.js';

/** Returns the provider, or null for a configuration that names none; refuses a key that no request can carry. */
export function providerOf(config: Config, env: World['env']): Result<ProviderSettings | null> {
  const { llm_url, llm_model, llm_key_env, llm_response_format, allow_remote_llm } = config;
  if (llm_url === '') return ok(null);
  const value = env[llm_key_env] ?? '';
  const key = ProviderKey.read(value);
  if (key === null && value !== '') return refuse(unusableKey(llm_key_env));
  return ok({ url: llm_url, model: llm_model, mode: llm_response_format, key, allowRemote: allow_remote_llm });
}

const unusableKey = (name: string): Refusal => ({
  code: 'provider_unconfigured',
  detail: `the value of ${name} cannot be the key of a provider: it may hold letters, digits and punctuation, and no space or line break`,
});

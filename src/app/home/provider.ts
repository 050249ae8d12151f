/** What the configuration says about a model provider. This version has none, so a configured one is never called. */
import type { Config } from '../../codec/config.js';

/** Returns a warning for a configuration that names a provider; null for one that does not. */
export const providerWarning = ({ llm_url }: Pick<Config, 'llm_url'>): string | null =>
  llm_url === '' ? null : 'llm_url is set, but this version has no provider: research runs on the built-in engine alone';

/** Returns the value with one more of its `warnings` when its configuration names a provider. */
export function withProviderWarning<A extends { readonly warnings?: readonly string[] }>(
  value: A,
  config: Pick<Config, 'llm_url'>,
): A & { readonly warnings?: readonly string[] } {
  const warning = providerWarning(config);
  return warning === null ? value : { ...value, warnings: [...(value.warnings ?? []), warning] };
}

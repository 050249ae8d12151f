/** A call to a provider that a test expects to fail. */
import assert from 'node:assert/strict';
import * as E from 'fp-ts/lib/Either.js';
import type { Refusal } from '../../src/base/refusal.js';
import { complete, type CallOptions, type ProviderSettings } from '../../src/provider/complete.js';
import { ProviderKey } from '../../src/provider/key.js';

/** Returns the key of a valid text. */
export function keyOf(text: string): ProviderKey {
  const key = ProviderKey.read(text);
  assert.ok(key !== null);
  return key;
}

export const prompt = {
  system: 'Answer.',
  user: 'How many?',
  schema: { name: 'any', schema: { type: 'object' } },
  maxTokens: 64,
};
export const settingsOf = (url: string): ProviderSettings => ({
  url,
  model: 'small',
  mode: 'json_schema',
  key: null,
  allowRemote: false,
});

/** Returns the refusal of a call. Nothing that the provider wrote may be in it. */
export async function refusal(settings: ProviderSettings, options: Partial<CallOptions> = {}): Promise<Refusal> {
  const result = await complete(settings, prompt, { deadline_ms: 60_000, ...options });
  assert.ok(E.isLeft(result), 'the call succeeded');
  assert.doesNotMatch(JSON.stringify(result.left), /UNREPEATED/, 'the words of the provider are repeated');
  return result.left;
}

/** The key of a provider never leaves its requests. */
import assert from 'node:assert/strict';
import * as E from 'fp-ts/lib/Either.js';
import { describe, it } from 'mocha';
import { provider_key_chars_max } from '../../src/base/provider-limits.js';
import type { Refusal } from '../../src/base/refusal.js';
import { complete } from '../../src/provider/complete.js';
import { ProviderKey } from '../../src/provider/key.js';
import { answers, completion, lists, withProvider, type ProviderScript } from '../support/provider-server.js';
import { keyOf, prompt, refusal, settingsOf } from './given-call.js';

describe('the key of a provider', () => {
  const secret = 'marked-secret-1';
  const key = keyOf(secret);
  const withKey = (script: ProviderScript): Promise<Refusal> =>
    withProvider(script, ({ url }) => refusal({ ...settingsOf(url), key }));

  it('fails a call whose response repeats it, plain or escaped, and is in no refusal', async () => {
    const escaped = `\\u006darked-secret-1`;
    const scripts: ProviderScript[] = [
      { chat: answers({ claim: `the key is ${secret}` }) },
      { chat: answers({ [secret]: 1 }) },
      { chat: completion(`{"a":"${escaped}"}`) },
      { chat: completion(`{"${escaped}":1}`) },
      { chat: completion('{}', { model: secret }) },
      { chat: completion('{}', { note: `Bearer ${secret}` }) },
      { models: lists(secret) },
      { chat: (response, seen) => answers({ header: seen.headers.authorization })(response, seen) },
    ];
    for (const script of scripts) {
      const refused = await withKey(script);
      assert.deepEqual([refused.code, refused.facts?.['reason']], ['provider_failed', 'key_repeated'], refused.detail);
      assert.ok(!JSON.stringify(refused).includes(secret));
    }
  });

  it('is in no refusal for a response that cannot be read', async () => {
    for (const text of [secret, `{"${secret}":1,"${secret}":1}`, `{"${secret}":`]) {
      const refused = await withKey({ chat: completion(text) });
      assert.equal(refused.code, 'provider_failed');
      assert.ok(!JSON.stringify(refused).includes(secret), refused.detail);
    }
    const echo: ProviderScript = { chat: (response) => void response.writeHead(401, { 'x-key': secret }).end(secret) };
    assert.ok(!JSON.stringify(await withKey(echo)).includes(secret));
  });

  it('is a text that a header can hold', () => {
    for (const text of ['', ' ', 'a b', 'a\n', 'é', 'x'.repeat(provider_key_chars_max + 1)])
      assert.equal(ProviderKey.read(text), null);
    assert.equal(keyOf('!~').authorization, 'Bearer !~');
  });

  it('is printed as a placeholder', () => {
    assert.deepEqual([String(key), JSON.stringify({ key })], ['[key]', '{"key":"[key]"}']);
    assert.equal(key.redact(`a ${secret} b`), 'a [key] b');
  });

  it('may be short on this machine only', async () => {
    const short = keyOf('ollama');
    await withProvider({ chat: completion('{}', { system_fingerprint: 'fp_ollama' }) }, async ({ url }) => {
      assert.ok(E.isRight(await complete({ ...settingsOf(url), key: short }, prompt, { deadline_ms: 60_000 })));
    });
    const remote = { ...settingsOf('https://model.example/v1'), allowRemote: true, key: short };
    const resolve = async () => [{ address: '192.0.2.1', family: 4 }];
    assert.match((await refusal(remote, { resolve })).detail, /the key is too short/);
  });
});

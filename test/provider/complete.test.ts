/** Calls to a provider: what is sent and kept when they succeed; the reason, and the sentence that people see, when they fail. */
import assert from 'node:assert/strict';
import * as E from 'fp-ts/lib/Either.js';
import { sha256Hex } from '../../src/base/bytes.js';
import { complete, probeModel, type ProviderSettings, type CallOptions } from '../../src/provider/complete.js';
import { type Refusal, unwrap } from '../../src/base/refusal.js';
import {
  answers,
  certificateOf,
  completion,
  lists,
  status,
  withProvider,
  drips,
  type ProviderScript,
} from '../support/provider/provider-server.js';
import { provider_key_chars_max, ProviderKey } from '../../src/provider/key.js';

const prompt = {
  system: 'Answer in JSON.',
  user: 'How many?',
  schema: { name: 'count', schema: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] } },
  maxTokens: 64,
};
const deadline_ms = 60_000;
const settingsOf = (url: string, more: Partial<ProviderSettings> = {}): ProviderSettings => ({
  url,
  model: 'small',
  mode: 'json_object',
  key: null,
  allowRemote: false,
  ...more,
});

/** Returns the key of a valid text. */
function keyOf(text: string): ProviderKey {
  const key = ProviderKey.read(text);
  assert.ok(key !== null);
  return key;
}

/** Returns the refusal of a call. Nothing that the provider wrote may be in it. */
async function refusal(settings: ProviderSettings, options: Partial<CallOptions> = {}): Promise<Refusal> {
  const result = await complete(settings, prompt, { deadline_ms, ...options });
  assert.ok(E.isLeft(result), 'the call succeeded');
  assert.doesNotMatch(JSON.stringify(result.left), /UNREPEATED/, 'the words of the provider are repeated');
  return result.left;
}

describe('a call to a provider', () => {
  it('posts one request after the list of models, and keeps model, hashes and usage', async () => {
    await withProvider({ chat: answers({ count: 3 }) }, async ({ url, seen }) => {
      const { value, inference } = unwrap(await complete(settingsOf(url), prompt, { deadline_ms }));
      assert.deepEqual(value, { count: 3 });
      assert.deepEqual(
        seen.map(({ method, path }) => `${method} ${path}`),
        ['GET /v1/models', 'POST /v1/chat/completions'],
      );
      const body = seen[1]?.body ?? '';
      assert.deepEqual(JSON.parse(body), {
        model: 'small',
        messages: [
          {
            role: 'system',
            content: `Answer in JSON.\n\nReply with one JSON object that satisfies this JSON Schema:\n{"properties":{"count":{"type":"integer"}},"required":["count"],"type":"object"}`,
          },
          { role: 'user', content: 'How many?' },
        ],
        temperature: 0,
        max_tokens: 64,
        response_format: { type: 'json_object' },
      });
      assert.deepEqual(
        { ...inference, response_hash: inference.response_hash.length },
        {
          model: 'small',
          reported_model: 'small-2026-01',
          model_listed: true,
          mode: 'json_object',
          max_tokens: 64,
          request_hash: sha256Hex(body),
          response_hash: 64,
          usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
        },
      );
    });
  });

  it('sends the schema as strict in the mode json_schema', async () => {
    await withProvider({ chat: answers({ count: 3 }) }, async ({ url, seen }) => {
      const { inference } = unwrap(await complete(settingsOf(url, { mode: 'json_schema' }), prompt, { deadline_ms }));
      assert.equal(inference.mode, 'json_schema');
      const { messages, response_format } = JSON.parse(seen[1]?.body ?? '') as Record<string, unknown>;
      assert.deepEqual(messages, [
        { role: 'system', content: 'Answer in JSON.' },
        { role: 'user', content: 'How many?' },
      ]);
      assert.deepEqual(response_format, {
        type: 'json_schema',
        json_schema: { name: 'count', strict: true, schema: prompt.schema.schema },
      });
    });
  });

  it('sends the key as a bearer token, requests no compression, and uses no proxy of the environment', async () => {
    const before = { ...process.env };
    Object.assign(process.env, {
      http_proxy: 'http://127.0.0.1:9',
      HTTP_PROXY: 'http://127.0.0.1:9',
      ALL_PROXY: 'http://127.0.0.1:9',
    });
    try {
      await withProvider({ chat: answers({}) }, async ({ url, seen }) => {
        const key = keyOf('marked-secret-1');
        assert.ok(E.isRight(await complete(settingsOf(`${url}/`, { key }), prompt, { deadline_ms })));
        for (const { headers } of seen) {
          assert.equal(headers.authorization, 'Bearer marked-secret-1');
          assert.equal(headers['accept-encoding'], 'identity');
        }
      });
      await withProvider({ chat: answers({}) }, async ({ url, seen }) => {
        assert.ok(E.isRight(await complete(settingsOf(url), prompt, { deadline_ms })));
        assert.deepEqual(
          seen.map(({ headers }) => headers.authorization),
          [undefined, undefined],
        );
      });
    } finally {
      for (const name of ['http_proxy', 'HTTP_PROXY', 'ALL_PROXY']) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
  });

  it('keeps no usage that lacks a count or is none, and fails for neither', async () => {
    for (const usage of [{ prompt_tokens: 10, completion_tokens: 5 }, { total_tokens: '15' }, 'many', []])
      await withProvider({ chat: completion('{}', { usage }) }, async ({ url }) => {
        assert.equal(unwrap(await complete(settingsOf(url), prompt, { deadline_ms })).inference.usage, null);
      });
  });

  it('names the limit on tokens and leaves the temperature out as configured, and records that', async () => {
    await withProvider({ chat: answers({ count: 3 }) }, async ({ url, seen }) => {
      const form = { token_limit: 'max_completion_tokens', temperature: null } as const;
      const { inference } = unwrap(await complete(settingsOf(url, { form }), prompt, { deadline_ms }));
      const body = seen[1]?.body ?? '';
      const { temperature, max_tokens, max_completion_tokens } = JSON.parse(body) as Readonly<Record<string, unknown>>;
      assert.deepEqual([temperature, max_tokens, max_completion_tokens], [undefined, undefined, 64]);
      assert.deepEqual(
        [inference.token_limit, inference.temperature, inference.max_tokens, inference.request_hash],
        ['max_completion_tokens', null, 64, sha256Hex(body)],
      );
    });
  });

  it('accepts a server without a list of models, without usage and without a model name', async () => {
    const chat = completion('{}', { usage: null, model: undefined });
    await withProvider({ chat, models: status(404) }, async ({ url }) => {
      const { inference } = unwrap(await complete(settingsOf(url), prompt, { deadline_ms }));
      assert.deepEqual([inference.model_listed, inference.usage, inference.reported_model], [null, null, null]);
    });
  });

  it('resolves a name once, checks every address, and tries them in turn', async () => {
    await withProvider({ chat: answers({}) }, async ({ port, seen }) => {
      let asked = 0;
      const resolve = async (host: string) => {
        assert.equal(host, 'localhost');
        asked++;
        // Nothing listens at the first address.
        return [
          { address: '127.0.0.2', family: 4 },
          { address: '127.0.0.1', family: 4 },
        ];
      };
      const settings = settingsOf(`http://localhost:${port}/v1`);
      unwrap(await complete(settings, prompt, { deadline_ms, resolve }));
      assert.deepEqual([asked, seen.length], [1, 2]);
    });
  });

  it('trusts a certificate for the name of the host, whatever the address', async () => {
    await withProvider({ chat: answers({}), certificate: 'localhost' }, async ({ port }) => {
      const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
      const settings = settingsOf(`https://localhost:${port}/v1`, { ca: certificateOf('localhost', 'cert') });
      assert.ok(E.isRight(await complete(settings, prompt, { deadline_ms, resolve })));
    });
  });

  it('probes whether the server lists the model', async () => {
    const probe = (models: Parameters<typeof withProvider>[0]['models'] & object): Promise<boolean | null> =>
      withProvider({ models }, async ({ url }) => unwrap(await probeModel(settingsOf(url), { deadline_ms })));
    assert.equal(await probe(lists('large', 'small')), true);
    assert.equal(await probe(lists('large')), false);
    assert.equal(await probe(status(405)), null);
    assert.equal(await probe(answers({})), null);
  });
});

const refusalOf = (script: ProviderScript, options: Partial<CallOptions> = {}): Promise<Refusal> =>
  withProvider(script, ({ url }) => refusal(settingsOf(url), options));

describe('a failing call to a provider', () => {
  it('repeats no request', async () => {
    for (const chat of [status(429), status(500), completion('```')])
      await withProvider({ chat }, async ({ url, seen }) => {
        await refusal(settingsOf(url));
        assert.equal(seen.length, 2);
      });
  });

  it('times out when headers, or a byte at a time of the body, take longer than the deadline', async () => {
    const scripts: ProviderScript[] = [
      { chat: drips(20) },
      { chat: () => undefined },
      { models: drips(20) },
      { models: () => undefined },
    ];
    for (const script of scripts) {
      const { code, detail, facts } = await refusalOf(script, { deadline_ms: 300 });
      assert.deepEqual([code, facts?.['reason']], ['provider_failed', 'timeout'], detail);
      assert.equal(detail, 'the provider did not respond in full within 0.3 s');
    }
  });

  it('times out when the name is not resolved before the deadline', async () => {
    const resolve = () => new Promise<never>(() => undefined);
    const { facts } = await refusal(settingsOf('http://localhost:1/v1'), { deadline_ms: 50, resolve });
    assert.equal(facts?.['reason'], 'timeout');
  });

  it('is refused over http before anything is sent when an address of the name is not loopback', async () => {
    await withProvider({ chat: answers({}) }, async ({ port, seen }) => {
      const to = (...addresses: string[]): Promise<Refusal> =>
        refusal(
          { ...settingsOf(`http://localhost:${port}/v1`), allowRemote: true },
          {
            resolve: async () => addresses.map((address) => ({ address, family: 4 })),
          },
        );
      for (const addresses of [['127.0.0.1', '192.0.2.1'], ['192.0.2.1', '127.0.0.1'], ['192.0.2.1'], ['10.0.0.1']]) {
        const { code, detail, facts } = await to(...addresses);
        assert.deepEqual([code, facts?.['reason']], ['provider_failed', 'address']);
        assert.match(detail, /is not on this machine only: http is allowed when every address of the host is loopback/);
      }
      assert.match((await to()).detail, /has a host name without an address/);
      assert.equal(seen.length, 0);
    });
  });

  it('is refused without allow_remote_llm when an address is not loopback, and always for a literal address elsewhere', async () => {
    const resolve = async () => [
      { address: '127.0.0.1', family: 4 },
      { address: '192.0.2.1', family: 4 },
    ];
    const named = await refusal(settingsOf('https://model.example/v1'), { resolve });
    assert.match(named.detail, /set allow_remote_llm to send missions to other machines/);
    const literal = await refusal({ ...settingsOf('http://192.0.2.1/v1'), allowRemote: true });
    assert.equal(literal.facts?.['reason'], 'address');
    const mapped = await refusal({ ...settingsOf('http://[::ffff:127.0.0.1]/v1'), allowRemote: true });
    assert.equal(mapped.facts?.['reason'], 'address');
  });

  it('is refused when the name cannot be resolved, and where nothing listens', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    const unknown = await refusal(settingsOf('http://localhost:1/v1'), { resolve });
    assert.equal(unknown.detail, 'the provider has a host name that cannot be resolved (ENOTFOUND)');
    const port = await withProvider({}, async (provider) => provider.port);
    const nobody = await refusal(settingsOf(`http://127.0.0.1:${port}/v1`));
    assert.equal(nobody.detail, 'the provider could not be reached, or broke off (ECONNREFUSED)');
  });

  it('is refused with an untrusted certificate, or one for another name', async () => {
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const secure = (certificate: 'localhost' | 'other.example', ca?: string): Promise<Refusal> =>
      withProvider({ chat: answers({}), certificate }, async ({ port, seen }) => {
        const settings = { ...settingsOf(`https://localhost:${port}/v1`), ...(ca === undefined ? {} : { ca }) };
        const refused = await refusal(settings, { resolve });
        assert.equal(seen.length, 0);
        return refused;
      });
    const untrusted = await secure('localhost');
    assert.deepEqual([untrusted.code, untrusted.facts?.['reason']], ['provider_failed', 'certificate']);
    assert.match(untrusted.detail, /has a certificate that is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/);
    const other = await secure('other.example', certificateOf('other.example', 'cert'));
    assert.equal(other.facts?.['reason'], 'certificate');
    assert.equal(other.detail, 'the provider has a certificate for another name');
  });
});

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

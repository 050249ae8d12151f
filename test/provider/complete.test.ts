/** Calls to a provider that succeed: what is sent, and what is kept of the response. */
import assert from 'node:assert/strict';
import * as E from 'fp-ts/lib/Either.js';
import { describe, it } from 'mocha';
import { sha256Hex } from '../../src/base/hash.js';
import { complete, probeModel, type ProviderSettings } from '../../src/provider/complete.js';
import { unwrap } from '../../src/base/result.js';
import { answers, certificateOf, completion, lists, status, withProvider } from '../support/provider/provider-server.js';
import { keyOf, settingsOf as given } from './given-call.js';

const prompt = {
  system: 'Answer in JSON.',
  user: 'How many?',
  schema: { name: 'count', schema: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] } },
  maxTokens: 64,
};
const deadline_ms = 60_000;
const settingsOf = (url: string, more: Partial<ProviderSettings> = {}): ProviderSettings => ({
  ...given(url),
  mode: 'json_object',
  ...more,
});

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

/** Every way in which a call to a provider fails: the reason, and the sentence that people see. */
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { describe, it } from 'mocha';
import { provider_answer_bytes_max } from '../../src/base/provider-limits.js';
import type { Refusal } from '../../src/base/refusal.js';
import type { CallOptions } from '../../src/provider/complete.js';
import { refusal, settingsOf } from './given-call.js';
import {
  answers,
  certificateOf,
  completion,
  drips,
  lists,
  raw,
  status,
  withProvider,
  type ProviderScript,
} from '../support/provider-server.js';

const refusalOf = (script: ProviderScript, options: Partial<CallOptions> = {}): Promise<Refusal> =>
  withProvider(script, ({ url }) => refusal(settingsOf(url), options));

const big = JSON.stringify({ filler: 'x'.repeat(2 * 1_048_576) });

/** What the server does, the reason of the failure, and a part of its sentence. */
const failures: readonly (readonly [string, ProviderScript, string, string])[] = [
  ['401', { chat: status(401) }, 'status', 'the provider answered with status 401: it refused the key, or wants one'],
  ['403', { chat: status(403) }, 'status', 'status 403: it refused the key'],
  ['404', { chat: status(404) }, 'status', 'status 404: llm_url must be the address before /chat/completions'],
  ['429', { chat: status(429, { 'retry-after': '0' }) }, 'status', 'status 429: it limits requests; recover the mission later'],
  ['500', { chat: status(500) }, 'status', 'status 500: it failed; recover the mission later'],
  ['201', { chat: status(201) }, 'status', 'status 201: only 200 is accepted'],
  [
    '400 for an unsupported json_schema',
    { chat: status(400) },
    'status',
    'status 400: it may not support the configured llm_response_format',
  ],
  [
    'a redirect',
    { chat: status(307, { location: '/v1/models' }) },
    'redirect',
    'answered with a redirect (307), which is not followed',
  ],
  ['401 for the list of models', { models: status(401) }, 'status', 'status 401'],
  [
    'a list without the model',
    { models: lists('large'), chat: answers({}) },
    'model_not_listed',
    'does not list the model small',
  ],
  ['a response that is not JSON', { chat: raw('UNREPEATED') }, 'malformed', 'sent an answer that is not JSON'],
  ['a response that is not UTF-8', { chat: raw(Buffer.of(0x22, 0xff, 0x22)) }, 'malformed', 'not valid UTF-8'],
  ['a response of another shape', { chat: raw('{"UNREPEATED":1}') }, 'malformed', 'no chat completion: choices: required'],
  ['no choice', { chat: completion('{}', { choices: [] }) }, 'malformed', '0 choices in place of one'],
  ['no text', { chat: completion(null) }, 'malformed', 'an answer without text'],
  ['an empty text', { chat: completion('') }, 'malformed', 'content that is not one JSON object'],
  ['fenced JSON', { chat: completion('```json\n{}\n```') }, 'malformed', 'JSON in a Markdown fence'],
  ['JSON with words after it', { chat: completion('{} UNREPEATED') }, 'malformed', 'content that is not one JSON object'],
  ['truncated JSON', { chat: completion('{"a":[1') }, 'malformed', 'the document ends too early'],
  [
    'a repeated member',
    { chat: completion('{"UNREPEATED":1,"UNREPEATED":2}') },
    'malformed',
    'content that is not one JSON object',
  ],
  ['a list', { chat: completion('[]') }, 'malformed', 'it is another JSON value'],
  [
    'finish_reason length',
    { chat: completion('{}', {}, { finish_reason: 'length' }) },
    'truncated',
    '(finish_reason length); raise max_output_tokens',
  ],
  [
    'finish_reason content_filter',
    { chat: completion('{}', {}, { finish_reason: 'content_filter' }) },
    'truncated',
    'finish_reason is not stop',
  ],
  ['no finish_reason', { chat: completion('{}', {}, { finish_reason: null }) }, 'truncated', 'finish_reason is not stop'],
  ['a body of 2 MiB', { chat: completion(big) }, 'too_large', `answered with more than ${provider_answer_bytes_max} bytes`],
  ['a list of models of 2 MiB', { models: raw(big) }, 'too_large', `answered with more than ${provider_answer_bytes_max} bytes`],
  [
    'a never-ending body',
    {
      chat: (response) => {
        const more = (): void => void (response.destroyed || response.write('x'.repeat(65_536), more));
        more();
      },
    },
    'too_large',
    'answered with more than',
  ],
  [
    'gzip of more than 1 MiB',
    { chat: raw(gzipSync(big), { 'content-encoding': 'gzip' }) },
    'compressed',
    'answered in a compressed form, which was not asked for',
  ],
  ['headers without an end', { chat: raw('{}', { filler: 'x'.repeat(40_000) }) }, 'too_large', 'sent too many headers'],
  [
    'a connection that closes',
    { chat: (response) => void response.destroy() },
    'connection',
    'could not be reached, or broke off (',
  ],
  [
    'a body that breaks off',
    {
      chat: (response) =>
        void (response.writeHead(200, { 'content-length': 99 }).write('{'), setTimeout(() => response.destroy(), 20)),
    },
    'connection',
    'could not be reached, or broke off (UND_ERR_',
  ],
];

describe('a call to a provider fails', () => {
  for (const [title, script, reason, words] of failures) {
    it(`with ${title}`, async () => {
      const { code, detail, facts } = await refusalOf(script);
      assert.deepEqual([code, facts?.['reason']], ['provider_failed', reason], detail);
      assert.ok(detail.includes(words), detail);
    });
  }

  it('and repeats no request', async () => {
    for (const chat of [status(429), status(500), completion('```')])
      await withProvider({ chat }, async ({ url, seen }) => {
        await refusal(settingsOf(url));
        assert.equal(seen.length, 2);
      });
  });

  it('when headers, or a byte at a time of the body, take longer than the deadline', async () => {
    const scripts: ProviderScript[] = [
      { chat: drips(20) },
      { chat: () => undefined },
      { models: drips(20) },
      { models: () => undefined },
    ];
    for (const script of scripts) {
      const { code, detail, facts } = await refusalOf(script, { deadline_ms: 300 });
      assert.deepEqual([code, facts?.['reason']], ['provider_failed', 'timeout'], detail);
      assert.equal(detail, 'the provider did not answer in full within 0.3 s');
    }
  });

  it('when the name is not resolved before the deadline', async () => {
    const resolve = () => new Promise<never>(() => undefined);
    const { facts } = await refusal(settingsOf('http://localhost:1/v1'), { deadline_ms: 50, resolve });
    assert.equal(facts?.['reason'], 'timeout');
  });

  it('as interrupted when its signal aborts, before and during the call', async () => {
    const ended = await refusalOf({ chat: answers({}) }, { signal: AbortSignal.abort() });
    assert.equal(ended.code, 'interrupted');
    const stop = new AbortController();
    const script: ProviderScript = { chat: () => stop.abort() };
    assert.equal((await refusalOf(script, { signal: stop.signal })).code, 'interrupted');
  });

  it('over http when an address of the name is not loopback, before anything is sent', async () => {
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

  it('without allow_remote_llm when an address is not loopback, and for an address that is none of this machine', async () => {
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

  it('for a name that cannot be resolved, and where nothing listens', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    const unknown = await refusal(settingsOf('http://localhost:1/v1'), { resolve });
    assert.equal(unknown.detail, 'the provider has a host name that cannot be resolved (ENOTFOUND)');
    const port = await withProvider({}, async (provider) => provider.port);
    const nobody = await refusal(settingsOf(`http://127.0.0.1:${port}/v1`));
    assert.equal(nobody.detail, 'the provider could not be reached, or broke off (ECONNREFUSED)');
  });

  it('with an untrusted certificate, or one for another name', async () => {
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

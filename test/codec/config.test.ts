/** The configuration: defaults, every field out of its bounds, of another type and unknown, and the canonical form. */
import assert from 'node:assert/strict';
import { sha256Hex } from '../../src/base/bytes.js';
import { isRefused, unwrap } from '../../src/base/refusal.js';
import { configCodec, configText, type Config } from '../../src/codec/config.js';
import { decode } from '../../src/codec/kit.js';
import { hex } from '../support/codec/given-events.js';

const read = (document: unknown): Config => unwrap(decode(configCodec, document));
const faults = (document: unknown): unknown => {
  const decoded = decode(configCodec, document);
  return isRefused(decoded) ? decoded.left.errors?.map(({ path }) => path) : 'accepted';
};

const defaults: Config = {
  name: 'alpha-agent',
  llm_url: '',
  llm_model: '',
  llm_response_format: 'json_object',
  llm_token_limit: 'max_tokens',
  llm_temperature: true,
  llm_key_env: 'AGENT_LLM_KEY',
  llm_timeout: 120,
  max_output_tokens: 1_200,
  max_source_chars: 60_000,
  max_evaluations: 10_000,
  effort_max: 10_000_000,
  max_generations: 1,
  allow_remote_llm: false,
  allow_code_execution: false,
  chain: null,
  execution: 'local',
  executing_max: null,
  running_max: null,
  execution_check: 'second',
  approvals: { required: 0, approver_is_not_requester: false },
  notices: [],
  console_origin: '',
};
const chain = { rpc_url: 'https://rpc.example', token_code_sha256: hex('a') };
const local = { llm_url: 'http://127.0.0.1:11434/v1', llm_model: 'm' };

/** Field, values at the bounds, values just outside. */
const fields: readonly (readonly [keyof Config, readonly unknown[], readonly unknown[]])[] = [
  ['name', ['a', 'A_z-9', 'x'.repeat(64)], ['', 'x'.repeat(65), 'a b', 'é', 'a\n']],
  ['llm_response_format', ['json_object', 'json_schema'], ['text', '']],
  ['llm_token_limit', ['max_tokens', 'max_completion_tokens'], ['tokens', '']],
  ['llm_temperature', [true, false], [0, 1, 'true']],
  ['llm_key_env', ['A', 'A_9', `A${'X'.repeat(80)}`], ['', '9A', '_A', 'a', `A${'X'.repeat(81)}`]],
  ['llm_timeout', [1, 300], [0, 301, 1.5]],
  ['max_output_tokens', [64, 4_096], [63, 4_097]],
  ['max_source_chars', [1_000, 1_000_000], [999, 1_000_001]],
  ['max_evaluations', [20, 100_000_000], [19, 100_000_001, 1e300]],
  ['effort_max', [20, 100_000_000], [19, 100_000_001, 1.5]],
  ['max_generations', [1, 3], [0, 4]],
  ['allow_remote_llm', [true, false], [0, 'true', 'yes']],
  ['allow_code_execution', [true, false], [1, 'false']],
  ['executing_max', [null, 1, 1_024], [0, 1_025, 1.5]],
  ['running_max', [null, 1, 1_024], [0, 1_025, 1.5]],
  [
    'console_origin',
    ['', 'https://agent.example', 'https://agent.example:8443', 'http://localhost', 'http://localhost:8765'],
    [
      'http://agent.example',
      'https://agent.example/',
      'https://192.0.2.7',
      'http://127.0.0.1:8765',
      'https://user@agent.example',
    ],
  ],
  ['chain', [null, chain], [[], false, '']],
  [
    'execution',
    ['local', 'nats://127.0.0.1:4222', 'nats://localhost:1', 'nats://[::1]:4222', 'tls://queue.example:65535'],
    [
      ['', 'Local', 'http://127.0.0.1:4222', 'nats://queue.example:4222', 'nats://10.0.0.1:4222', 'tls://queue.example:4222/'],
      ['tls://user:secret@q.example:4222', 'nats://token@127.0.0.1:4222', 'tls://queue.example:0', 'tls://q.example:65536'],
    ].flat(),
  ],
  [
    'notices',
    [[], [{ url: 'https://hook.example/x' }], [{ url: 'http://127.0.0.1:9/x', events: ['alert', 'needs_review'] }]],
    ['all'],
  ],
  ['execution_check', ['second', 'home'], ['', 'none', 'both']],
];
const chainFields: readonly (readonly [string, readonly unknown[], readonly unknown[]])[] = [
  ['chain_id', [1, Number.MAX_SAFE_INTEGER], [0, -1, 1.5, 2 ** 53, '1']],
  ['token_code_sha256', [hex('0')], ['', hex('A'), `0x${hex('a')}`, hex('a').slice(1)]],
  ['confirmations', [1, 10_000], [0, 10_001]],
  ['reinvest_bps', [0, 10_000], [-1, 10_001]],
  ['rpc_url', ['https://rpc.example/v1?key=1', 'https://[2001:db8::1]:8545'], ['', 'rpc.example', ' https://rpc.example', 7]],
];

describe('configuration codec', () => {
  it('fills every default into an empty document', () => {
    assert.deepEqual(read({}), defaults);
    assert.deepEqual(read({ chain }).chain, { ...chain, chain_id: 1, confirmations: 12, reinvest_bps: 0 });
  });

  for (const [key, good, bad] of fields) {
    it(`accepts ${key} at its bounds and refuses it outside`, () => {
      for (const value of good) assert.deepEqual(Object.keys(read({ [key]: value })), Object.keys(defaults));
      for (const value of bad) assert.deepEqual(faults({ [key]: value }), [key], JSON.stringify(value));
    });
  }

  for (const [key, good, bad] of chainFields) {
    it(`accepts chain.${key} at its bounds and refuses it outside`, () => {
      for (const value of good) assert.ok(read({ chain: { ...chain, [key]: value } }));
      for (const value of bad) assert.deepEqual(faults({ chain: { ...chain, [key]: value } }), [`chain.${key}`], String(value));
    });
  }

  it('refuses webhooks over http on other machines, with a user, and with unknown events', () => {
    const of = (notice: unknown): unknown => faults({ notices: [notice] });
    assert.deepEqual(of({ url: 'http://hook.example/x' }), ['notices[0].url']);
    assert.deepEqual(of({ url: 'https://user:secret@hook.example/x' }), ['notices[0].url']);
    assert.deepEqual(of({ url: 'https://hook.example/x', events: ['everything'] }), ['notices[0].events[0]']);
  });

  it('never coerces another type', () => {
    for (const key of Object.keys(defaults) as (keyof Config)[]) {
      const wrong: readonly unknown[] =
        typeof defaults[key] === 'string' ? [1, true, null, [], {}] : key === 'notices' ? ['1', {}, 'null'] : ['1', [], 'null'];
      for (const value of wrong) assert.deepEqual(faults({ [key]: value }), [key], `${key}: ${JSON.stringify(value)}`);
    }
    for (const value of [null, [], 'x', 1]) assert.deepEqual(faults(value), ['']);
  });

  it('refuses unknown keys, spelling and case included', () => {
    assert.deepEqual(faults({ LLM_URL: '' }), ['LLM_URL']);
    assert.deepEqual(faults({ surplus: 1, other: 2 }), ['surplus', 'other']);
    assert.deepEqual(faults({ chain: { ...chain, confirmation: 3 } }), ['chain.confirmation']);
    assert.deepEqual(faults(JSON.parse('{"__proto__": {"name": "x"}}')), ['__proto__']);
  });
});

describe('configuration: addresses', () => {
  it('require llm_url and llm_model together', () => {
    assert.deepEqual(faults({ llm_url: local.llm_url }), ['llm_model']);
    assert.deepEqual(faults({ llm_model: 'm' }), ['llm_url']);
    assert.equal(faults(local), 'accepted');
  });

  const llm = (llm_url: string, allow_remote_llm = true): unknown => faults({ ...local, llm_url, allow_remote_llm });

  it('refuse a user, password, query or fragment in llm_url', () => {
    for (const url of ['https://user@h.example', 'https://:pw@h.example', 'https://u:p@h.example/v1', 'http://u@127.0.0.1']) {
      assert.deepEqual(llm(url), ['llm_url'], url);
    }
    for (const tail of ['?key=1', '?', '#part', '#']) assert.deepEqual(llm(`https://h.example/v1${tail}`), ['llm_url'], tail);
  });

  it('allow http for loopback only, and https for others when remote models are allowed', () => {
    for (const host of ['localhost', '127.0.0.1', '127.255.0.9', '[::1]', 'LOCALHOST']) {
      assert.equal(llm(`http://${host}:8080/v1`, false), 'accepted', host);
    }
    const others = ['h.example', '10.0.0.1', '128.0.0.1', '0.0.0.0', 'localhost.example', '127.0.0.1.example', '[::2]', '[::]'];
    for (const host of others) {
      assert.deepEqual(llm(`http://${host}/v1`), ['llm_url'], host);
      assert.equal(llm(`https://${host}/v1`), 'accepted', host);
      assert.deepEqual(llm(`https://${host}/v1`, false), ['allow_remote_llm'], host);
    }
    for (const url of ['ftp://127.0.0.1', 'file:///v1', 'v1', '//h.example', 'javascript:alert(1)', 'http://127.0.0.1/v1 ']) {
      assert.deepEqual(llm(url), ['llm_url'], url);
    }
  });

  it('allow http in rpc_url only on loopback and never for chain 1, and no user, password or fragment', () => {
    const rpc = (rpc_url: string, chain_id: number): unknown => faults({ chain: { ...chain, rpc_url, chain_id } });
    assert.equal(rpc('http://127.0.0.1:8545', 31_337), 'accepted');
    assert.equal(rpc('https://rpc.example?key=1', 1), 'accepted');
    for (const [url, id] of [
      ['http://127.0.0.1:8545', 1],
      ['http://rpc.example', 31_337],
      ['https://u@rpc.example', 1],
      ['https://:p@rpc.example', 1],
      ['https://rpc.example#a', 1],
      ['https://rpc.example#', 1],
    ] as const) {
      assert.deepEqual(rpc(url, id), ['chain.rpc_url'], url);
    }
  });
});

describe('configuration: canonical form', () => {
  it('leaves out of the defaults what the reference does not have', () => {
    const text = configText(read({}));
    assert.equal(
      text,
      '{"allow_code_execution":false,"allow_remote_llm":false,"chain":null,"llm_key_env":"AGENT_LLM_KEY","llm_model":"",' +
        '"llm_timeout":120,"llm_url":"","max_evaluations":10000,"max_output_tokens":1200,"max_source_chars":60000,"name":"alpha-agent"}',
    );
    assert.equal(sha256Hex(text).length, 64);
  });

  it('holds max_generations and llm_response_format where they differ', () => {
    const text = configText(read({ max_generations: 2, llm_response_format: 'json_schema' }));
    const members = JSON.parse(text) as Record<string, unknown>;
    assert.deepEqual([members['max_generations'], members['llm_response_format']], [2, 'json_schema']);
    assert.equal(Object.keys(members).length, 13);
  });

  it('reads back unchanged, whatever the spelling of the file', () => {
    for (const document of [{}, { max_generations: 3 }, { chain }, local, { name: 'b' }]) {
      const config = read(document);
      assert.deepEqual(read(JSON.parse(configText(config))), config);
      assert.equal(configText(read(JSON.parse(configText(config)))), configText(config));
    }
  });
});

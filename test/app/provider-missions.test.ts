/** Research missions with a language model: what is recorded of one that succeeds, and how each failure shows. */
import assert from 'node:assert/strict';
import { pause } from '../../src/app/control/control.js';
import type { Home } from '../../src/app/home/home.js';
import { cancelMission, showMission } from '../../src/app/missions/missions.js';
import { inspectHome } from '../../src/app/operator/doctor.js';
import { statusReader } from '../../src/app/operator/status.js';
import type { Refusal } from '../../src/base/refusal.js';
import type { Capability } from '../../src/codec/api-status.js';
import { model_limits_text, model_method_text } from '../../src/kinds/research/constants.js';
import { daemonsForEach } from '../support/app/given-daemon.js';
import { actor, apply, execute, laterRefusalOf, rejectsRefusal, research, review } from '../support/app/given-home.js';
import { good, openWith, queuedFor, tides } from '../support/provider/given-provider.js';
import { setStatus } from '../support/app/given-tools.js';
import { failures } from '../support/provider/provider-failures.js';
import { answers, drips, type ProviderScript, withProvider } from '../support/provider/provider-server.js';
import { homeForEach } from '../support/app/temporary-home.js';

describe('a research mission with a provider', () => {
  const homes = homeForEach();
  let home: Home;
  const opened = (env: Readonly<Record<string, string>> = {}): Home => (home = openWith(homes.get(), env));
  afterEach(() => home.close());

  /** Executes a mission against a script, and returns the refusal with the mission's record. */
  async function failed(
    script: ProviderScript,
    config: object = {},
  ): Promise<readonly [Refusal, ReturnType<typeof showMission>]> {
    return withProvider(script, async ({ url }) => {
      const { id } = await queuedFor(home, url, config);
      const refusal = await laterRefusalOf(() => execute(home, id));
      assert.ok(refusal !== null, 'the mission succeeded');
      return [refusal, showMission(home, id)];
    });
  }

  it('records quotes with their places, the call, and another engine than the built-in one', async () => {
    opened();
    await withProvider({ chat: answers({ findings: good }) }, async ({ url, seen }) => {
      const { id } = await queuedFor(home, url, { llm_response_format: 'json_schema' });
      const made = await execute(home, id);
      assert.equal(made.state, 'review');
      assert.deepEqual(made.engine, { name: 'research_model', version: '1.1.0' });
      const result = made.result as Record<string, unknown>;
      assert.deepEqual([result['method'], result['limits']], [model_method_text, model_limits_text]);
      const texts = new Map(tides.work.sources.map((source) => [source.id, source.text]));
      const findings = result['findings'] as readonly Record<string, unknown>[];
      assert.equal(findings.length, good.length);
      findings.forEach(({ start, end, score, terms, ...proposed }, i) => {
        assert.deepEqual(proposed, good[i]);
        assert.equal(texts.get(good[i]?.source_id ?? '')?.slice(Number(start), Number(end)), good[i]?.quote);
        assert.equal(score, null);
        assert.ok(Array.isArray(terms));
      });
      assert.deepEqual(result['inference'], made.inference);
      assert.deepEqual(
        [made.inference?.model, made.inference?.reported_model, made.inference?.mode, made.inference?.max_tokens],
        ['small', 'small-2026-01', 'json_schema', 1_200],
      );
      assert.deepEqual(made.inference?.usage, { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 });
      const [planning] = made.stages;
      assert.deepEqual(planning?.detail['provider'], {
        model: 'small',
        mode: 'json_schema',
        max_tokens: 1_200,
        seconds_limit: 120,
      });
      assert.deepEqual(made.stages.find(({ role }) => role === 'strategy')?.detail['inference'], made.inference);
      // The address of a source is never sent.
      assert.ok(!JSON.stringify(seen).includes('harbour.example'));
      const done = await review(home, made);
      assert.equal(done.state, 'completed');
      assert.equal(seen.length, 2, 'review asks nobody');
    });
  });

  const one = good.slice(0, 1);
  const [first] = one;
  const ungrounded: readonly (readonly [string, unknown, RegExp])[] = [
    [
      'a quote altered by one character',
      { findings: [{ ...first, quote: 'High water is at Six.' }] },
      /quotes what is not in source s1 word for word, in finding 1/,
    ],
    ['a quote with other white space', { findings: [{ ...first, quote: 'at six. Tides' }] }, /quotes what is not in source s1/],
    [
      'a quote from another source',
      { findings: [...one, { ...first, source_id: 's2' }] },
      /quotes what is not in source s2 word for word, in finding 2/,
    ],
    [
      'a source that is not there',
      { findings: [{ ...first, source_id: 'UNREPEATED' }] },
      /names a source that the mission does not have, in finding 1/,
    ],
    [
      'an extra key',
      { findings: one, UNREPEATED: 1 },
      /findings of another shape: it has a member that the schema does not have/,
    ],
    ['an extra key in a finding', { findings: [{ ...first, UNREPEATED: 1 }] }, /it has a member that the schema does not have/],
    ['no findings', { findings: [] }, /findings: must have 1 to 20 items, has 0/],
    ['21 findings', { findings: Array.from({ length: 21 }, () => first) }, /findings: must have 1 to 20 items, has 21/],
    ['no quote', { findings: [{ claim: 'x', source_id: 's1' }] }, /findings\[0\]\.quote: required/],
    ['a blank quote', { findings: [{ ...first, quote: ' ' }] }, /quote: must not be blank/],
    ['an empty claim', { findings: [{ ...first, claim: '' }] }, /claim: must have/],
    ['other members', { answer: 'x' }, /another shape/],
  ];
  for (const [title, value, words] of ungrounded)
    it(`fails visibly with ${title}`, async () => {
      opened();
      const [refusal, mission] = await failed({ chat: answers(value) });
      assert.equal(refusal.code, 'provider_failed');
      assert.match(refusal.detail, words);
      assert.deepEqual([mission.state, mission.error?.code, mission.error?.stage], ['failed', 'provider_failed', 'strategy']);
      const { request_hash, response_hash, model } = mission.inference ?? {};
      assert.deepEqual([request_hash?.length, response_hash?.length, model], [64, 64, 'small']);
      assert.match(mission.error?.message ?? '', words);
      assert.doesNotMatch(JSON.stringify([refusal, mission]), /UNREPEATED/);
      assert.equal(mission.result, null);
    });

  /** The failures of a response that arrived whole. */
  const read = ['malformed', 'truncated'];
  for (const [title, script, reason, words] of failures)
    it(`fails visibly with ${title}`, async () => {
      opened();
      const [refusal, mission] = await failed(script, { llm_response_format: 'json_schema' });
      assert.deepEqual([refusal.code, mission.state, mission.error?.code], ['provider_failed', 'failed', 'provider_failed']);
      assert.ok(mission.error?.message.includes(words), mission.error?.message);
      assert.equal(refusal.hint, `agent-cli recover ${mission.id}`);
      assert.equal(mission.result, null);
      const { request_hash, response_hash } = mission.inference ?? {};
      const length = read.includes(reason) && !words.endsWith('not HTTP/1.1') ? 64 : undefined;
      assert.deepEqual([request_hash?.length, response_hash?.length], [length, length]);
      if (reason === 'truncated') assert.equal(mission.inference?.usage?.total_tokens, 15);
      assert.equal(mission.error?.stage, length === undefined ? 'research' : 'strategy');
      assert.doesNotMatch(JSON.stringify([refusal, mission]), /UNREPEATED/);
    });

  it('fails visibly with a certificate that is not trusted', async () => {
    opened();
    const [, mission] = await failed({ chat: answers({ findings: good }), certificate: 'localhost' });
    assert.equal(mission.error?.message, 'the provider has a certificate that is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)');
  });

  it('fails with findings that are too long to be exported', async () => {
    opened();
    for (const claim of ['\u0001'.repeat(3_000), '"'.repeat(3_000)]) {
      const findings = Array.from({ length: 20 }, () => ({ ...first, claim }));
      const [refusal, mission] = await failed({ chat: answers({ findings }) });
      assert.deepEqual([refusal.code, mission.error?.message], ['provider_failed', 'the findings of the provider are too long']);
      assert.equal(mission.inference?.response_hash.length, 64);
    }
  });

  it('fails when headers or a dripping body take longer than llm_timeout', async () => {
    opened();
    for (const chat of [() => undefined, drips(20)]) {
      const [refusal, mission] = await failed({ chat }, { llm_timeout: 1 });
      assert.equal(refusal.code, 'provider_failed');
      assert.equal(mission.error?.message, 'the provider did not respond in full within 1 s');
    }
  });

  it('ends the call when it is cancelled, the home is paused, or its process is told to stop', async () => {
    opened();
    const other = homes.get().open();
    const stopper = new AbortController();
    const acts: readonly (readonly [string, (id: string) => Promise<unknown> | void])[] = [
      ['cancelled', (id) => cancelMission(other, id, actor)],
      ['paused', () => pause(other, actor)],
      ['interrupted', () => stopper.abort('told to stop')],
    ];
    for (const [code, act] of acts) {
      let id = '';
      const chat: ProviderScript['chat'] = () => void act(id);
      await withProvider({ chat }, async ({ url }) => {
        ({ id } = await queuedFor(home, url));
        const refusal = await laterRefusalOf(() => execute(home, id, { signal: stopper.signal }));
        assert.ok(refusal !== null);
        assert.equal(showMission(home, id).error?.code, code);
      });
    }
    other.close();
  });

  it('sends nothing while provider_call is disabled, and fails when it is disabled during the call', async () => {
    opened();
    let id = '';
    const chat: ProviderScript['chat'] = () => void setStatus(home, 'provider_call', 'quarantined');
    await withProvider({ chat }, async ({ url, seen }) => {
      await setStatus(home, 'provider_call', 'disabled');
      ({ id } = await queuedFor(home, url));
      await rejectsRefusal(execute(home, id), 'tool_disabled');
      assert.deepEqual([showMission(home, id).state, seen.length], ['queued', 0]);
      await setStatus(home, 'provider_call', 'active');
      await rejectsRefusal(execute(home, id), 'tool_disabled');
      assert.deepEqual([showMission(home, id).error?.code, seen.length], ['tool_disabled', 2]);
    });
  });

  it('sends nothing, and stays queued, with sources longer than max_source_chars or an unusable key', async () => {
    opened({ AGENT_LLM_KEY: 'two words' });
    await withProvider({ chat: answers({ findings: good }) }, async ({ url, seen }) => {
      const spaced = await queuedFor(home, url);
      const refusal = await rejectsRefusal(execute(home, spaced.id), 'provider_unconfigured');
      assert.match(refusal.detail, /the value of AGENT_LLM_KEY cannot be the key of a provider/);
      assert.ok(!JSON.stringify(refusal).includes('two words'));
      const long = await queuedFor(
        home,
        url,
        { max_source_chars: 1_000, llm_key_env: 'NONE' },
        research('tides', 'é'.repeat(1_001)),
      );
      const refused = await rejectsRefusal(execute(home, long.id), 'too_large');
      assert.equal(
        refused.detail,
        'the sources have 1001 characters, and at most 1000 are sent to the provider (max_source_chars); nothing was sent',
      );
      assert.deepEqual(
        [showMission(home, spaced.id).state, showMission(home, long.id).state, seen.length],
        ['queued', 'queued', 0],
      );
    });
  });
});

const llm = { llm_url: 'http://127.0.0.1:9/v1', llm_model: 'small' };

describe('capabilities', () => {
  const daemons = daemonsForEach();
  const homes = homeForEach();

  /** Returns the capability of research missions, of which doctor and the status say the same. */
  async function researchIn(home: Home): Promise<Capability | undefined> {
    const { capabilities } = inspectHome(home);
    const daemon = await daemons.start(homes.get());
    assert.deepEqual(statusReader(daemon)({ name: 'me', role: 'admin' }).capabilities, capabilities);
    await daemon.stop();
    return capabilities.find(({ kind }) => kind === 'research');
  }

  it('show research as not available with a key that no request can carry', async () => {
    const home = openWith(homes.get(), { AGENT_LLM_KEY: 'two words' });
    await apply(home, llm);
    const { available, detail } = (await researchIn(home)) ?? {};
    assert.equal(available, false);
    assert.match(detail ?? '', /^the value of AGENT_LLM_KEY cannot be the key/);
    home.close();
  });
});

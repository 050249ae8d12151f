/** A provider by the command line: from the configuration to a verified export, and a search for its key in everything that is written. @slow */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Env, type HostedScratch, hostedScratch, type Ran, root } from '../support/cli/cli-run.js';
import { listening } from '../support/crash/crash-both.js';
import { collect, start } from '../support/crash/crash-cli.js';
import { fullEffort } from '../support/effort.js';
import { freshFetch } from '../support/http/fetch.js';
import { filesBelow } from '../support/files-below.js';
import { freePort } from '../support/http/free-port.js';
import { research } from '../support/app/given-home.js';
import { good, tides } from '../support/provider/given-provider.js';
import { answers, completion, lists, type ProviderScript, status, withProvider } from '../support/provider/provider-server.js';
import { real } from '../support/real.js';
import { hang_ms } from '../support/wait.js';

/** A real llama-server with the generated model of scripts/tiny-model.mjs, which quotes one word of its sources. */
interface TinyModel {
  readonly word: string;
  readonly tinyModel: () => Uint8Array;
}

/** Serves the model while `use` runs. @param use takes the address, and the word that the model quotes */
async function withLlamaServer<A>(use: (url: string, word: string) => Promise<A>): Promise<A> {
  const { word, tinyModel } = (await import(join(root, 'scripts', 'tiny-model.mjs'))) as TinyModel;
  const folder = mkdtempSync(join(tmpdir(), 'agent-llama-'));
  const model = join(folder, 'tiny.gguf');
  writeFileSync(model, tinyModel());
  const port = await freePort();
  const child = spawn(join(root, 'scripts', 'llama-server'), [model, String(port)], { stdio: ['ignore', 'ignore', 'pipe'] });
  const closed = once(child, 'close');
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(-4_000)));
  try {
    const url = `http://127.0.0.1:${port}/v1`;
    for (const end = Date.now() + hang_ms; !(await isReady(url)); await sleep(50))
      if (child.exitCode !== null || Date.now() > end) throw new Error(`llama-server did not start: ${said}`);
    return await use(url, word);
  } finally {
    child.kill('SIGTERM');
    await closed;
    rmSync(folder, { recursive: true });
  }
}

const isReady = (url: string): Promise<boolean> =>
  freshFetch(`${url}/models`).then(
    ({ ok }) => ok,
    () => false,
  );

const secret = 'sk-marked/secret+1234567890';

describe('a provider by the command line', () => {
  let place: HostedScratch;
  /** Everything that commands printed. */
  let said = '';
  beforeEach(() => {
    place = hostedScratch();
    said = '';
  });
  afterEach(() => place.remove());

  const env = (): Env => ({ ...place.env, AGENT_LLM_KEY: secret });

  async function run(...args: readonly string[]): Promise<Ran> {
    const ran = await place.later(args, env());
    said += ran.stdout + ran.stderr;
    return ran;
  }

  async function json(...args: readonly string[]): Promise<Record<string, unknown>> {
    const { code, stdout, stderr } = await run(...args, '--json');
    assert.equal(code, 0, stderr + stdout);
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  function file(name: string, value: unknown): string {
    writeFileSync(join(place.directory, name), JSON.stringify(value));
    return name;
  }

  async function configured(url: string, more: object = {}): Promise<void> {
    await json('pause');
    await json('configure', file('config.json', { llm_url: url, llm_model: 'small', ...more }));
    await json('resume');
  }

  /** From the configuration to the verified export; returns the mission in review. */
  async function wholeWay(config: Readonly<Record<string, unknown>>, mission: unknown): Promise<Record<string, unknown>> {
    const { public_key } = (await json('init')) as { readonly public_key: string };
    const { llm_url, ...more } = config;
    await configured(String(llm_url), more);
    const { checks } = (await json('doctor', '--probe')) as { readonly checks: readonly Record<string, unknown>[] };
    const check = checks.find(({ name }) => name === 'provider');
    assert.match(String(check?.['detail']), /^it lists the model/);
    const { id } = (await json('run', file('tides.json', mission))) as { readonly id: string };
    const made = await json('execute', id);
    assert.deepEqual([made['state'], made['engine']], ['review', { name: 'research_model', version: '1.1.0' }]);
    const decision = ['--revision', String(made['revision']), '--result-hash', String(made['result_hash'])];
    assert.equal((await json('review', id, ...decision, '--approve', '--note', 'read'))['state'], 'completed');
    await json('export', id, '--output', 'tides.export.json');
    const verdict = await json('verify-export', 'tides.export.json', '--public-key', public_key, '--recompute');
    assert.deepEqual(
      [verdict['valid'], verdict['recomputed'], verdict['reason']],
      [
        true,
        null,
        'not recomputed: a language model proposed the findings; their quotes and the hash of its request were checked',
      ],
    );
    const exported = readFileSync(join(place.directory, 'tides.export.json'), 'utf8');
    assert.ok(!exported.includes(new URL(String(llm_url)).host), 'the address is in the export');
    return made;
  }

  it('runs research in json_schema mode: configure, run, execute, review, export, verify the export', async () => {
    await withProvider({ chat: answers({ findings: good }) }, async ({ url, seen }) => {
      const made = await wholeWay({ llm_url: url, llm_response_format: 'json_schema' }, tides);
      assert.equal(seen.filter(({ method }) => method === 'POST').length, 1, 'only executing asks the model');
      const { response_format } = JSON.parse(seen.at(-1)?.body ?? '') as { readonly response_format: { readonly type: string } };
      assert.equal(response_format.type, 'json_schema');
      const { stdout } = await run('show', String(made['id']));
      assert.match(stdout, /Claims written by {2}small-2026-01\n[^]*Findings; .*; the model requested: small$/m);
      assert.match(stdout, /claim {2}It is at six\.\n.*quote {2}High water is at six\./);
    });
  });

  if (fullEffort)
    real('llama-server', 'a real llama-server with a generated model', () => {
      it('runs the whole way, and fails visibly with a model that it does not list', async () => {
        await withLlamaServer(async (url, word) => {
          const mission = research(word, `The ${word} follow the moon.`);
          const made = await wholeWay({ llm_url: url, llm_model: 'tiny', llm_response_format: 'json_schema' }, mission);
          const { findings } = made['result'] as { readonly findings: readonly Record<string, unknown>[] };
          assert.deepEqual([findings[0]?.['quote'], findings[0]?.['start']], [word, 'The '.length]);
          await configured(url, { llm_model: 'other' });
          const { code, stderr } = await run('run', 'tides.json', '--execute');
          assert.equal(code, 1);
          assert.match(stderr, /the provider does not list the model other/);
          await configured(url, { llm_model: 'tiny', max_output_tokens: 64 });
          assert.match((await run('run', 'tides.json', '--execute')).stderr, /Provider failed: mission/);
        });
      });
    });

  it('is checked by doctor --probe, which reports a model that is not listed, and warns where there is no list', async () => {
    await json('init');
    const probe = async (models: NonNullable<ProviderScript['models']>): Promise<readonly unknown[]> =>
      withProvider({ models }, async ({ url }) => {
        await configured(url);
        const { code, stdout } = await run('doctor', '--probe', '--json');
        const { checks } = JSON.parse(stdout) as { readonly checks: readonly Record<string, unknown>[] };
        const check = checks.find(({ name }) => name === 'provider');
        return [code, check?.['fix'], check?.['status'], check?.['detail']];
      });
    const reconfigure = 'agent-cli config set llm_url=URL llm_model=MODEL';
    assert.deepEqual(await probe(lists('large')), [3, reconfigure, 'fail', 'it does not list the model small']);
    assert.deepEqual((await probe(status(404))).slice(0, 3), [0, null, 'warn']);
    assert.deepEqual(await probe(status(401)), [
      3,
      null,
      'fail',
      'the provider responded with status 401: it refused the key, or wants one',
    ]);
  });

  it('keeps its key out of journal, log, export, backup and messages, even where the provider repeats it', async () => {
    await json('init');
    const echo = (response: Parameters<NonNullable<ProviderScript['chat']>>[0], code: number): void =>
      void response.writeHead(code, { 'x-key': secret, 'www-authenticate': secret }).end(JSON.stringify({ error: secret }));
    const [first] = good;
    const scripts: readonly ProviderScript[] = [
      { chat: (response) => echo(response, 401) },
      { chat: (response) => echo(response, 200) },
      { models: (response) => echo(response, 403) },
      { chat: answers({ findings: [{ ...first, claim: `the key is ${secret}` }] }) },
      { chat: answers({ findings: [{ ...first, [secret]: 1 }] }) },
      { chat: completion(`\`\`\`${secret}`) },
      { chat: completion(`{"${secret}":1,"${secret}":2}`) },
      { chat: completion('{}', { model: `${secret}-model` }, { finish_reason: secret }) },
    ];
    let now: ProviderScript = {};
    const provider: ProviderScript = {
      chat: (response, seen) => (now.chat ?? status(500))(response, seen),
      models: (response, seen) => (now.models ?? lists('small'))(response, seen),
    };
    await withProvider(provider, async ({ url, seen }) => {
      await configured(url);
      file('tides.json', tides);
      for (const script of scripts) {
        now = script;
        const { code, stderr } = await run('run', 'tides.json', '--execute');
        assert.equal(code, 1, stderr);
        assert.ok(stderr.includes('Provider failed: mission'), stderr);
        assert.equal(seen.at(-1)?.headers.authorization, `Bearer ${secret}`);
      }
      now = { chat: answers({ findings: good }) };
      await served();
      const { id, revision, result_hash } = await json('run', 'tides.json', '--execute');
      const decision = ['--revision', String(revision), '--result-hash', String(result_hash), '--approve', '--note', 'read'];
      await json('review', String(id), ...decision);
      await json('export', String(id), '--output', 'tides.export.json');
      now = { models: (response) => echo(response, 200) };
      assert.equal((await run('doctor', '--probe')).code, 3);
      await run('list', '--json');
    });
    await json('backup', 'home.zip');
    const forms = [
      secret,
      Buffer.from(secret).toString('base64').slice(0, 32),
      Buffer.from(secret).toString('hex'),
      encodeURIComponent(secret),
    ];
    const texts = filesBelow(place.directory).map((name) => [name, readFileSync(join(place.directory, name), 'latin1')] as const);
    assert.ok(texts.some(([name]) => name.endsWith('journal.sqlite3')) && texts.some(([name]) => name === 'tides.export.json'));
    assert.ok(
      texts.some(([, text]) => text.includes('"code":"provider_failed"')),
      'the search finds what is written',
    );
    for (const [name, text] of [...texts, ['what was printed', said] as const])
      for (const form of forms) assert.ok(!text.includes(form), name);
  });

  /** Executes a mission in a daemon, whose log is kept with what commands print. */
  async function served(): Promise<void> {
    const child = start(['serve', '--port', '0', '--json'], env());
    const ended = collect(child);
    try {
      const url = await listening(child);
      const token = readFileSync(join(place.directory, 'home', 'api.token'), 'utf8').trim();
      const ask = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const sent = method === 'GET' ? {} : { body: body === undefined ? '' : JSON.stringify(body) };
        const response = await freshFetch(`${url}${path}`, { method, headers, ...sent, signal: AbortSignal.timeout(hang_ms) });
        const answer = await response.text();
        said += answer;
        assert.ok(response.ok, answer);
        return JSON.parse(answer) as Record<string, unknown>;
      };
      const { id } = await ask('POST', 'api/missions', { ...tides, goal: 'When do boats leave?' });
      assert.equal((await ask('POST', `api/missions/${String(id)}/execute?wait=1`))['state'], 'review');
      assert.deepEqual((await ask('GET', 'api/status'))['inference'], { model: 'small', mode: 'json_object' });
    } finally {
      child.kill('SIGTERM');
      const { stdout, stderr } = await ended;
      said += stdout + stderr;
    }
  }
});

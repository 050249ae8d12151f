/** A config.json that is not the signed one, under a running daemon: it fails closed, whatever a caller uses, until the signed bytes are back. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { restoreSignedConfig } from '../../src/app/control/control.js';
import { one_island } from '../../src/app/simulation/islands/settings.js';
import { setToolStatus } from '../../src/app/tools/tools.js';
import { busClient, envelope, greeting } from '../support/bus/given-bus.js';
import { heldEngine, until, verified } from '../support/app/given-daemon.js';
import { actor, apply, completed, forecast, produced, queued } from '../support/app/given-home.js';
import type { Loose } from '../support/http/schema-check.js';
import { givenOperator, stopAfterEach, type GivenOperator } from './given-operator.js';
import { fetched, type Got } from './plain-http.js';
import { held } from './simulation/given-simulation.js';

const token = 'a-Token.of_tests~123';
const simulation = {
  settings: { token, port: 0, rate_limit: 0, origins: '*' as const, islands: one_island },
  service: { simulate: held },
};
const bus = { host: '127.0.0.1', port: 0, isPortNamed: true, tls: null, token: null };

interface Given extends GivenOperator {
  readonly ids: Readonly<Record<'reviewed' | 'waiting' | 'approved', string>>;
  readonly simulate: (method: string, path: string, body?: unknown) => Promise<Loose>;
  /** Writes the signed bytes back. */
  readonly restore: () => void;
}

async function given(options: Parameters<typeof givenOperator>[0] = {}): Promise<Given> {
  const ids = { reviewed: '', waiting: '', approved: '' };
  const server = await givenOperator({ simulation, bus, ...options }, async (home) => {
    ids.reviewed = (await produced(home, forecast('reviewed'), 'real')).id;
    ids.waiting = (await queued(home)).id;
    ids.approved = (await completed(home, forecast('approved'))).id;
    await setToolStatus(home, 'backup', { to: 'deprecated', note: 'why', actor });
  });
  const url = `http://127.0.0.1:${server.simulation?.port ?? 0}`;
  const simulate: Given['simulate'] = (method, path, body) => fetched(url + path, method, token, { body });
  const file = server.home.paths.config;
  const text = fs.readFileSync(file);
  const restore = (): void => {
    fs.rmSync(file, { recursive: true, force: true });
    fs.writeFileSync(file, text, { mode: 0o600 });
  };
  return { ...server, ids, simulate, restore };
}

const lines = ({ log }: GivenOperator, what: string): readonly string[] => log.filter((line) => line.includes(what));
/** What the log says of the file; the simulation's lines say of each run that it failed for it. */
const configLines = (server: GivenOperator): readonly string[] =>
  lines(server, 'config.json').filter((line) => !line.includes('"server":"simulation"'));
const codeOf = ({ status, body }: Loose): unknown => [status, body.code];
const refused = [500, 'integrity'];

const damages: Readonly<Record<string, (file: string) => void>> = {
  'edited by hand': (file) => fs.appendFileSync(file, ' '),
  'edited in place, with its size and times kept': (file) => {
    const { atime, mtime } = fs.statSync(file);
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('alpha', 'omega'));
    fs.utimesSync(file, atime, mtime);
  },
  broken: (file) => fs.writeFileSync(file, '{"name":'),
  missing: (file) => fs.rmSync(file),
  'a directory': (file) => (fs.rmSync(file), fs.mkdirSync(file)),
};

describe('a daemon whose config.json is not the signed one', () => {
  stopAfterEach();

  it('refuses every change but stops, and takes changes again with the signed bytes, whatever the damage', async () => {
    const server = await given();
    const { ask, get, ids, simulate, home, restore } = server;
    const head = (): number => home.writer.head.size;
    const post = (path: string, body?: unknown): Promise<Got> => ask('POST', path, body === undefined ? {} : { body });
    const client = busClient(`${server.bus?.host}:${server.bus?.port}`);
    assert.equal((await client.send(greeting)).code, 'OK');
    const { revision, result_hash } = await get(`/api/missions/${ids.reviewed}`);
    let { waiting } = ids;
    let run = (await simulate('POST', '/simulate', { seed: 7 })).body.id;
    try {
      for (const [i, [what, damage]] of Object.entries(damages).entries()) {
        const runState = async (): Promise<string> => (await simulate('GET', `/runs/${run}`)).body.state;
        await until(async () => (await runState()) === 'running');
        const before = head();
        damage(home.paths.config);
        for (const outcome of [
          await post('/api/missions', forecast('another')),
          await post(`/api/missions/${waiting}/execute`),
          await post(`/api/missions/${ids.reviewed}/review`, { revision, result_hash, approve: true, note: 'yes' }),
          await post('/api/tools/backup/status', { status: 'disabled', note: 'again' }),
          await post('/api/control', { state: 'ready' }),
          await simulate('POST', '/simulate', { seed: 8 }),
        ])
          assert.deepEqual(codeOf(outcome), refused, what);
        for (let n = 0; n < 3; n++) {
          const { code, text } = await client.send(envelope());
          assert.deepEqual([code, text.split(':')[0]], ['UNAVAILABLE', 'integrity'], what);
        }
        await until(async () => (await runState()) === 'failed', 'the run ends');
        assert.equal(head(), before + 1, 'that failure only');
        assert.equal((await post(`/api/missions/${waiting}/cancel`)).body.state, 'failed');
        assert.equal((await post('/api/control', { state: 'paused' })).status, 200);
        assert.equal(configLines(server).length, 2 * i + 1, what);
        const { items } = await get('/api/alerts');
        assert.deepEqual(
          items.filter(({ type }: Loose) => type !== 'run_failed').map(({ type, count }: Loose) => [type, count]),
          [['config_failed', i + 1]],
        );

        restore();
        assert.equal((await post('/api/control', { state: 'ready' })).status, 200);
        const another = await post('/api/missions', forecast('another'));
        assert.equal(another.status, 201);
        waiting = another.body.id;
        const next = await simulate('POST', '/simulate', { seed: 8 });
        assert.equal(next.status, 200);
        run = next.body.id;
        assert.equal((await client.send(envelope())).text, 'ok');
        assert.equal(configLines(server).length, 2 * i + 2, what);
      }
    } finally {
      client.close();
    }
  });

  it('shows what is recorded with a warning, and neither exports nor settles', async () => {
    const { ask, get, home, ids, restore } = await given();
    const reads = ['/api/missions', `/api/missions/${ids.reviewed}`, `/api/missions/${ids.reviewed}/events`, '/api/journal'];
    const whole = await Promise.all(reads.map((path) => get(path)));
    fs.appendFileSync(home.paths.config, ' ');
    const { config, ...status } = await get('/api/status');
    assert.equal(config.valid, false);
    assert.match(config.reason, /^config\.json is not the configuration that the journal signs/);
    for (const [i, path] of reads.entries()) assert.deepEqual(await get(path), { ...whole[i], config }, path);
    assert.equal((await ask('GET', '/healthz', { as: 'none' })).status, 200);
    const health = await ask('GET', '/metrics');
    assert.match(health.text, /^agent_journal_entries [1-9]/m);
    assert.deepEqual(codeOf(await ask('GET', `/api/missions/${ids.approved}/export`)), refused);
    const settle = { transaction: `0x${'1'.repeat(64)}` };
    assert.deepEqual(codeOf(await ask('POST', `/api/missions/${ids.approved}/settle`, { body: settle })), refused);
    restore();
    assert.deepEqual(await get('/api/status'), { ...status, config: { valid: true, reason: null } });
    for (const [i, path] of reads.entries()) assert.deepEqual(await get(path), whole[i], path);
    assert.equal((await ask('GET', `/api/missions/${ids.approved}/export`)).status, 200);
  });

  it('notices without a request, and tells each change of state once', async () => {
    const server = await given();
    const { home, given: of, get, restore } = server;
    fs.rmSync(home.paths.config);
    await until(() => configLines(server).length === 1, 'the first line');
    await sleep(1_200);
    assert.equal(configLines(server).length, 1);
    of.with((other) => void restoreSignedConfig(other), { tolerate: ['config'] });
    await until(() => lines(server, 'config.json is the signed configuration again').length === 1, 'the second line');
    fs.appendFileSync(home.paths.config, ' ');
    await until(() => configLines(server).length === 3, 'the third line');
    assert.deepEqual(
      (await get('/api/alerts')).items.map(({ type, count }: Loose) => [type, count]),
      [['config_failed', 2]],
    );
    restore();
  });

  it('says that the home is gone to whoever shows a token, and records nothing in it', async () => {
    const { ask, get, home, simulate, given: of, ids } = await given();
    const run = (await simulate('POST', '/simulate', { seed: 7 })).body.id;
    const before = home.writer.head.size;
    fs.renameSync(of.directory, `${of.directory}-moved`);
    for (const [method, path] of [
      ['GET', '/api/status'],
      ['GET', '/api/doctor'],
      ['POST', `/api/missions/${ids.waiting}/cancel`],
    ] as const)
      for (const as of ['admin', 'viewer'] as const) {
        const outcome = await ask(method, path, { as });
        assert.deepEqual(codeOf(outcome), refused);
        assert.match(outcome.body.detail, /^the home is gone/);
        assert.ok(!outcome.text.includes(of.directory));
      }
    assert.equal((await ask('GET', '/api/status', { as: 'none' })).status, 401);
    assert.deepEqual(codeOf(await simulate('DELETE', `/runs/${run}`)), refused);
    assert.equal(home.writer.head.size, before);
    fs.renameSync(`${of.directory}-moved`, of.directory);
    assert.equal((await get('/api/status')).config.valid, true);
  });

  it('ends what it executes, as a failure with that reason', async () => {
    const { engine, working } = heldEngine();
    const { ask, get, home, ids, simulate } = await given({ daemon: { runEngine: engine } });
    const runs = [await simulate('POST', '/simulate', { seed: 7 }), await simulate('POST', '/simulate', { seed: 8 })];
    assert.equal((await ask('POST', `/api/missions/${ids.waiting}/execute`)).status, 202);
    await until(() => working.length === 1, 'the engine works');
    fs.appendFileSync(home.paths.config, ' ');
    await until(async () => (await get(`/api/missions/${ids.waiting}`)).state === 'failed', 'the failure is recorded');
    const { error } = await get(`/api/missions/${ids.waiting}`);
    assert.deepEqual([error.code, error.message], ['interrupted', 'config.json is not the signed configuration']);
    for (const { body } of runs) {
      const run = async (): Promise<Loose> => (await simulate('GET', `/runs/${body.id}`)).body;
      await until(async () => (await run()).state === 'failed', 'the run ends');
      assert.match((await run()).error.message, /config\.json is not the /);
    }
  });

  it('has a valid journal meanwhile, which its verification does not compare with config.json', async () => {
    const { daemon, get, home, restore, given: of } = await given({ daemon: { ...verified, verification_pause_ms: 50 } });
    await until(() => daemon.verification().valid === true);
    fs.appendFileSync(home.paths.config, ' ');
    // Longer than a verification that has begun.
    await sleep(1_000);
    of.clock.now += 1_000;
    const first = daemon.verification().verified_at;
    await until(() => daemon.verification().verified_at !== first, 'the next verification');
    assert.equal((await get('/api/status')).journal.valid, true);
    restore();
  });

  it('goes on when another process configures the home', async () => {
    const server = await given();
    const { ask, get, given: of, home } = server;
    const config = JSON.parse(fs.readFileSync(home.paths.config, 'utf8')) as object;
    await of.with((other) => apply(other, { ...config, name: 'another' }));
    await until(async () => (await get('/api/status')).name === 'another');
    assert.equal((await ask('POST', '/api/missions', { body: forecast('another') })).status, 201);
    assert.deepEqual([configLines(server), (await get('/api/alerts')).items], [[], []]);
  });
});

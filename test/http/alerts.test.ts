/** A worker thread that loops or dies: the agent restarts, one alert is sent, the run completes, and the number survives. */
import assert from 'node:assert/strict';
import { watchThread } from '../../src/app/threads/watched-worker.js';
import { simulateOnThread, type RunSimulation } from '../../src/app/simulation/runs/thread.js';
import { one_island } from '../../src/app/simulation/islands/settings.js';
import { agent_heartbeat_ms, agent_silence_ms_max } from '../../src/app/orchestrator/orchestrator.js';
import { Fault } from '../../src/base/refusal.js';
import { entriesOfStream } from '../../src/journal/reader.js';
import { createLogger } from '../../src/http/log.js';
import { startServers, type ServeOptions, type Servers } from '../../src/http/start.js';
import { atEffort } from '../support/effort.js';
import { fetched } from './plain-http.js';
import { until } from '../support/app/given-daemon.js';
import type { Loose } from '../support/http/schema-check.js';
import { startWebhook, type Webhook } from '../support/http/webhook-server.js';
import { temporaryHome } from '../support/app/temporary-home.js';
import { givenOperator, stopAfterEach } from './given-operator.js';
import { atOnce, held } from './simulation/given-simulation.js';

const token = 'a-Token.of_tests~123';
const script = new URL('../support/app/watched-child.js', import.meta.url);

/** A search whose thread is caught in an endless loop the first time. */
const loopingOnce = (): RunSimulation => {
  let tries = 0;
  return async (task, watch) => {
    if (++tries > 1) return simulateOnThread(task, watch);
    await watch?.runStage?.('strategy', (observer) => {
      const kind = { script, memory_mb_max: 64, isBackground: false, name: 'the looping thread' };
      const watched = { task: { lives_ms: 1, ends: atEffort('dozes', 'loops') }, observer };
      const thread = watchThread<never>({ ...kind, ...watched });
      observer.signal.addEventListener('abort', () => void thread.end(), { once: true });
      return thread.answer;
    });
    throw new Fault('the loop ended');
  };
};

describe('an agent whose worker thread is lost', () => {
  stopAfterEach();
  let webhook: Webhook;
  beforeEach(async () => {
    webhook = await startWebhook();
  });
  afterEach(() => webhook.close());

  const settings = { token, port: 0, rate_limit: 0, origins: '*', islands: one_island } as const;

  async function serve(simulate: RunSimulation) {
    const operator = await givenOperator({ webhook: webhook.url, simulation: { settings, service: { simulate } } });
    const url = `http://127.0.0.1:${operator.simulation?.port ?? 0}`;
    const ask = async (path: string, body?: unknown): Promise<Loose> =>
      (await fetched(url + path, body === undefined ? 'GET' : 'POST', token, { body })).body;
    const succeeded = async (): Promise<Loose> => {
      const { id } = await ask('/simulate', { seed: 7, horizon: 3 });
      await until(async () => ['succeeded', 'failed'].includes((await ask(`/runs/${id}`)).state), 'the run ends');
      return ask(`/runs/${id}`);
    };
    return { operator, ask, succeeded };
  }

  it('is restarted after an endless loop, the run completes, and one alert is sent', async () => {
    assert.ok(agent_silence_ms_max + 3 * agent_heartbeat_ms <= 10_000, '/status shows it within 10 s');
    const { operator, ask, succeeded } = await serve(loopingOnce());
    const { id } = await ask('/simulate', { seed: 7, horizon: 3 });
    await until(async () => (await ask('/status')).agents.strategy.restarts === 1, 'the restart is shown');
    await until(async () => (await ask(`/runs/${id}`)).state === 'succeeded', 'the run completes');
    const run = await ask(`/runs/${id}`);
    assert.equal(run.attempt, 2);
    assert.equal(run.outcome_hash, (await succeeded()).outcome_hash);
    await until(() => webhook.bodies.length > 0, 'the alert is sent');
    const text = 'agent-cli: the strategy agent was restarted (restart 1)';
    assert.deepEqual(webhook.bodies, [JSON.stringify({ content: text })]);
    await until(async () => (await operator.get('/api/alerts', 'viewer')).items[0].delivery === 'sent');
    const alerts = await operator.get('/api/alerts', 'viewer');
    assert.deepEqual([alerts.webhook, alerts.items.length, alerts.items[0].text], [true, 1, text]);
    assert.equal((await operator.get('/api/agents', 'viewer')).agents.strategy.restarts, 1);
    assert.match((await operator.ask('GET', '/metrics')).text, /^agent_restarts_total\{agent="strategy"\} 1$/m);
    const [entry] = entriesOfStream(operator.home.db, '@agent:strategy');
    assert.deepEqual(entry?.event?.document, { restarts: 1, cause: 'unresponsive', work: id });
    const said = [...operator.log, JSON.stringify(alerts), (await operator.ask('GET', '/metrics')).text].join('\n');
    assert.ok(!said.includes('very-secret') && !JSON.stringify(await ask('/status')).includes('very-secret'));

    await operator.stop();
    const logger = createLogger('silent', { write: () => undefined });
    const again = await startServers(operator.given.world, { host: '127.0.0.1', port: 0, allowedHosts: [], logger });
    try {
      assert.equal(again.daemon.orchestrator.states().strategy.restarts, 1);
      assert.equal(again.daemon.orchestrator.states().market.restarts, 0);
    } finally {
      await again.stop();
    }
  });

  it('fails its run after three times, with one more alert and one more event', async () => {
    const dies: RunSimulation = async (_task, watch) => {
      await watch?.runStage?.('market', () => Promise.reject(new Fault('its thread was killed')));
      throw new Fault('unreachable');
    };
    const { operator, ask } = await serve(dies);
    const { id } = await ask('/simulate', { seed: 7 });
    await until(async () => (await ask(`/runs/${id}`)).state === 'failed', 'the run fails');
    await until(() => webhook.bodies.length === 2, 'both alerts are sent');
    const contents = webhook.bodies.map((body) => (JSON.parse(body) as { content: string }).content);
    assert.deepEqual(contents, [
      'agent-cli: the market agent was restarted (restart 1)',
      `agent-cli: simulation run ${id} failed: execution_failed`,
    ]);
    const events = entriesOfStream(operator.home.db, '@agent:market').map(({ event }) => event?.document);
    assert.deepEqual(
      events,
      [1, 2, 3].map((restarts) => ({ restarts, cause: 'failed', work: id })),
    );
    assert.equal((await operator.get('/api/alerts')).items.at(-1).count, 3);
  });
});

describe('simulation runs that a process left', () => {
  const settings = { token: 'a-Token.of_tests~123', port: 0, rate_limit: 0, origins: '*', islands: one_island } as const;
  let webhook: Webhook;
  beforeEach(async () => {
    webhook = await startWebhook();
  });
  afterEach(() => webhook.close());
  const logTo = (lines: string[]) => createLogger('info', { write: (line) => void lines.push(line) });
  const serving = (simulate: RunSimulation, lines: string[]): ServeOptions => ({
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    logger: logTo(lines),
    webhook: webhook.url,
    simulation: { settings, service: { simulate, running_max: 2 } },
  });
  const contents = (from: number): string[] =>
    webhook.bodies
      .slice(from)
      .map((body) => (JSON.parse(body) as { content: string }).content)
      .toSorted();
  const failure = (id: string): string => `agent-cli: simulation run ${id} failed: interrupted`;

  /** Two runs that are executed and three that are queued. */
  async function five({ simulation }: Servers): Promise<readonly [executed: readonly string[], queued: readonly string[]]> {
    assert.ok(simulation !== null);
    const { service } = simulation;
    const ids: string[] = [];
    for (let seed = 0; seed < 5; seed++) ids.push((await service.request({ seed }, { actor: 'operator' })).id);
    await until(() => ids.slice(0, 2).every((id) => service.progressOf(id) > 0));
    return [ids.slice(0, 2), ids.slice(2)];
  }

  for (const end of ['kill', 'stop'] as const) {
    it(`are named in an alert and in the log after a ${end}, and those that were queued are executed`, async () => {
      const home = temporaryHome();
      const log: string[] = [];
      const before = await startServers(home.world, serving(held, log));
      const [executed, queued] = await five(before);
      // What a kill leaves is what is on the disk at that moment.
      const left = end === 'kill' ? home.copy() : home;
      await before.stop();
      if (end === 'stop') assert.equal(webhook.bodies.length, 2);
      const [sent, logged] = end === 'kill' ? [webhook.bodies.length, log.length] : [0, 0];
      const after = await startServers(left.world, serving(atOnce, log));
      try {
        await until(() => queued.every((id) => after.simulation?.service.progressOf(id) === 1), 'the queued runs succeed');
        await until(() => webhook.bodies.length === sent + 2, 'two alerts are sent');
        assert.deepEqual(contents(sent), executed.map(failure).toSorted());
        for (const id of executed)
          assert.equal(log.slice(logged).filter((line) => line.includes(`run ${id} failed`)).length, 1, id);
      } finally {
        await after.stop();
      }
      for (const each of new Set([home, left])) each.remove();
    });
  }
});

describe('a journal that fails its verification', () => {
  stopAfterEach();

  it('raises an alert, which the console shows without a webhook too', async () => {
    const operator = await givenOperator();
    assert.deepEqual(await operator.get('/api/alerts', 'viewer'), { webhook: false, items: [] });
    operator.home.damage.report({ code: 'integrity', detail: 'the secret goal of entry 3' });
    const { items } = await operator.get('/api/alerts', 'viewer');
    assert.equal(items.length, 1);
    assert.equal(
      items[0].text,
      'agent-cli: the journal failed its verification; only pauses, failures, cancellations and revocations of tokens are recorded. Run agent-cli verify',
    );
    assert.equal(items[0].delivery, 'shown');
  });
});

/** A real Prometheus reads both servers with the example configuration, loads the alert rules, and has data for each query of the dashboard. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/http/free-port.js';
import { freshFetch } from '../support/http/fetch.js';
import { folderForEach } from '../support/app/temporary-home.js';
import { packageRoot } from '../support/package-root.js';
import { real } from '../support/real.js';
import { hang_ms } from '../support/wait.js';
import { givenOperator, stopOperators } from './given-operator.js';
import { givenSimulation, stopAfterEach, token } from './simulation/given-simulation.js';
import { assertNone } from '../support/lists.js';

const root = packageRoot(import.meta.url);
const monitoring = join(root, 'docs', 'monitoring');
const poll_ms = 100;

interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[] }[];
}

/** Words of PromQL and metrics of Prometheus itself. */
const others = new Set('sum by rate increase time histogram_quantile up or le status instance job state'.split(' '));

/** Returns the names of the metrics in a query. */
const metricsOf = (expr: string): string[] =>
  [...expr.replaceAll(/"[^"]*"/g, '').matchAll(/(?<![\w.])[a-z][a-z_]*[a-z](?!\w)/g)]
    .map(([name]) => name)
    .filter((name) => !others.has(name));

/** Metrics that have no series before something happens. */
const later = /connections_dropped_total|agent_workers|agi_workers/;

real('prometheus', 'docs/monitoring', () => {
  let server: ChildProcess | undefined;
  stopAfterEach();
  beforeEach(() => {
    cpSync(join(monitoring, 'alerts.yaml'), join(folder.get(), 'alerts.yaml'));
  });
  afterEach(async () => {
    if (server?.exitCode === null) {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
    await stopOperators();
  });
  const folder = folderForEach();

  const promtool = (...args: readonly string[]): string =>
    execFileSync('promtool', args, { cwd: folder.get(), encoding: 'utf8', timeout: hang_ms });

  it('has alert rules that fire when they should, and not otherwise', () => {
    cpSync(join(root, 'test', 'vectors', 'monitoring', 'alerts-test.yaml'), join(folder.get(), 'alerts-test.yaml'));
    promtool('test', 'rules', 'alerts-test.yaml');
    const names = (text: string, pattern: RegExp): string[] => [
      ...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
    ];
    const rules = names(readFileSync(join(folder.get(), 'alerts.yaml'), 'utf8'), /- alert: (\w+)/g);
    const tested = names(readFileSync(join(folder.get(), 'alerts-test.yaml'), 'utf8'), /alertname: (\w+)/g);
    assert.deepEqual(tested.toSorted(), rules.toSorted());
  });

  /** Writes the example configuration for these servers, and starts Prometheus with it; returns its address. */
  async function started(operator: { readonly url: string; readonly token: string }, simulation: string): Promise<string> {
    const at = (url: string): string => new URL(url).host;
    writeFileSync(join(folder.get(), 'operator'), operator.token);
    writeFileSync(join(folder.get(), 'simulation'), token);
    const config = readFileSync(join(monitoring, 'prometheus.yml'), 'utf8')
      .replaceAll('15s', '200ms')
      .replace('127.0.0.1:8765', at(operator.url))
      .replace('127.0.0.1:8000', at(simulation))
      .replace('/etc/prometheus/agent-cli.token', join(folder.get(), 'operator'))
      .replace('/etc/prometheus/agent-cli-simulation.token', join(folder.get(), 'simulation'));
    writeFileSync(join(folder.get(), 'prometheus.yml'), config);
    promtool('check', 'config', 'prometheus.yml');
    const listening = `127.0.0.1:${await freePort()}`;
    server = spawn(
      'prometheus',
      ['--config.file=prometheus.yml', '--storage.tsdb.path=data', `--web.listen-address=${listening}`, '--log.level=error'],
      { cwd: folder.get(), stdio: ['ignore', 'ignore', 'inherit'] },
    );
    return `http://${listening}`;
  }

  /** Asks until a condition holds. */
  async function until<A>(ask: () => Promise<A>, holds: (answer: A) => boolean, what: string): Promise<A> {
    const end = performance.now() + hang_ms;
    for (;;) {
      const answer = await ask().catch((error: unknown) => error as A);
      if (holds(answer)) return answer;
      if (performance.now() > end) throw new Error(`${what}: ${JSON.stringify(answer)}`);
      await sleep(poll_ms);
    }
  }

  it('has data for each query of the dashboard, and rules that can be evaluated, from both servers', async () => {
    const [operator, simulation] = [await givenOperator(), await givenSimulation()];
    await operator.ask('GET', '/api/status', { as: 'viewer' });
    await simulation.succeeded();
    const url = await started({ url: operator.url, token: operator.tokens.viewer }, simulation.url);
    const ask = async (path: string): Promise<Record<string, readonly Record<string, unknown>[]>> => {
      const response = await freshFetch(`${url}${path}`);
      const { data } = (await response.json()) as { readonly data: Record<string, readonly Record<string, unknown>[]> };
      return data;
    };
    const { panels } = JSON.parse(readFileSync(join(monitoring, 'grafana.json'), 'utf8')) as Dashboard;
    const targets = panels.flatMap((panel) => panel.targets);
    assert.ok(targets.length > 20);
    for (const { expr, legendFormat } of targets) {
      const path = `/api/v1/query?query=${encodeURIComponent(expr.replaceAll('$job', 'agent-cli.*'))}`;
      const hasData = ({ result }: Awaited<ReturnType<typeof ask>>): boolean =>
        Array.isArray(result) && (result.length > 0 || later.test(expr));
      const { result: [first] = [] } = await until(() => ask(path), hasData, expr);
      for (const [, label = ''] of legendFormat.matchAll(/\{\{ ?(\w+) ?\}\}/g))
        assert.ok(first === undefined || label in (first['metric'] as object), `${label} in ${expr}`);
    }
    const { groups = [] } = await ask('/api/v1/rules');
    const rules = groups.flatMap((group) => group['rules'] as readonly Record<'query' | 'health' | 'state', string>[]);
    assert.ok(rules.length > 5);
    const known = Object.keys(await ask('/api/v1/metadata'));
    const named = rules.flatMap(({ query }) => metricsOf(query)).map((name) => name.replace(/_bucket$/, ''));
    assertNone(named, (name) => !known.includes(name));
    const bad = rules.filter(({ health, state }) => health === 'err' || state === 'firing');
    assert.deepEqual(bad, []);
  });
});

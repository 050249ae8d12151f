/** The Grafana dashboard and the alert rules ask for metrics that the servers have, with labels that they have. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../support/package-root.js';
import { givenOperator, stopAfterEach as stopOperators } from './given-operator.js';
import { givenSimulation, stopAfterEach } from './simulation/given-simulation.js';

const folder = join(packageRoot(import.meta.url), 'docs', 'monitoring');
/** Words of PromQL and metrics of Prometheus itself. */
const others = new Set([
  'sum',
  'by',
  'rate',
  'increase',
  'time',
  'histogram_quantile',
  'up',
  'or',
  'le',
  'status',
  'instance',
  'job',
  'state',
]);

interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[] }[];
}

/** Returns the names of the metrics in a query. */
const metricsOf = (expr: string): string[] =>
  [...expr.replaceAll(/"[^"]*"/g, '').matchAll(/(?<![\w.])[a-z][a-z_]*[a-z](?!\w)/g)]
    .map(([name]) => name)
    .filter((name) => !others.has(name));

/** Returns the names of the labels in a query and a legend. */
const labelsOf = (text: string): string[] =>
  [...text.matchAll(/\{\{ ?(?:\$labels\.)?(\w+) ?\}\}|(\w+)=~?"/g)].map(([, shown, asked]) => shown ?? asked ?? '');

describe('monitoring', () => {
  stopAfterEach();
  stopOperators();

  it('uses only existing metrics and labels', async () => {
    const [operator, simulation] = [await givenOperator(), await givenSimulation()];
    await operator.ask('GET', '/api/status', { as: 'viewer' });
    await simulation.succeeded();
    const texts = [
      (await operator.ask('GET', '/metrics', { as: 'viewer' })).text,
      (await simulation.ask('GET', '/metrics')).text,
    ];
    const types = new Map(
      texts.flatMap((text) => [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type])),
    );
    const labels = new Set(texts.flatMap((text) => [...text.matchAll(/[{,](\w+)="/g)].map(([, label]) => label)));
    const dashboard = JSON.parse(readFileSync(join(folder, 'grafana.json'), 'utf8')) as Dashboard;
    const targets = dashboard.panels.flatMap((panel) => panel.targets);
    const rules = readFileSync(join(folder, 'alerts.yaml'), 'utf8');
    const rulesAsked = [...rules.matchAll(/^ +expr: (.+)$/gm)].map(([, expr = '']) => expr);
    assert.ok(targets.length > 20 && rulesAsked.length > 5);
    for (const expr of [...targets.map((target) => target.expr), ...rulesAsked]) {
      const asked = metricsOf(expr);
      assert.ok(asked.length > 0 || expr.startsWith('up{'), expr);
      for (const name of asked) {
        const isBuckets = name.endsWith('_bucket') && types.get(name.slice(0, -'_bucket'.length)) === 'histogram';
        assert.ok(types.has(name) || isBuckets, `${name} in ${expr}`);
      }
    }
    const shown = [...targets.map(({ expr, legendFormat }) => `${expr} ${legendFormat}`), rules].flatMap(labelsOf);
    assert.deepEqual(
      [...new Set(shown)].filter((label) => !labels.has(label) && !['job', 'instance', 'reason'].includes(label)),
      [],
    );
  });
});

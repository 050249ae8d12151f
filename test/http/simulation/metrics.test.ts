import assert from 'node:assert/strict';
import { exchangeRaw } from '../raw-client.js';
import { givenSimulation, stopAfterEach } from './given-simulation.js';

describe('simulation API: metrics', () => {
  stopAfterEach();

  it('count every response by method, template and status; unknown paths share one label', async () => {
    const statuses: number[] = [];
    const { ask, succeeded, port } = await givenSimulation({ onAnswered: (status) => void statuses.push(status) });
    const id = await succeeded();
    await ask('GET', `/results/${id}`);
    await ask('GET', `/results/${'f'.repeat(16)}`);
    await ask('GET', `/results/${id}.csv`);
    for (const path of ['/nowhere', '/else/where', '/results/a/b']) await ask('GET', path);
    await ask('PUT', '/simulate');
    await ask('GET', '/status', { token: null });
    await ask('GET', '/assets/none.js');
    await exchangeRaw(port, 'nonsense\r\n\r\n', { answers: 1 });
    const { text, headers } = await ask('GET', '/metrics');
    assert.match(headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    const count = (method: string, endpoint: string, status: number): number => {
      const line = `api_requests_total{method="${method}",endpoint="${endpoint}",status="${status}"} `;
      return Number(
        text
          .split('\n')
          .find((one) => one.startsWith(line))
          ?.slice(line.length) ?? 0,
      );
    };
    for (const [method, endpoint, status, expected] of [
      ['POST', '/simulate', 200, 1],
      ['GET', '/results/{id}', 200, 1],
      ['GET', '/results/{id}', 404, 1],
      ['GET', '/results/{id}.csv', 200, 1],
      ['GET', 'unmatched', 404, 3],
      ['PUT', '/simulate', 405, 1],
      ['GET', '/status', 401, 1],
      ['GET', '/assets/{file}', 404, 1],
      ['other', 'unmatched', 400, 1],
    ] as const) {
      assert.equal(count(method, endpoint, status), expected, `${method} ${endpoint} ${status}`);
    }
    assert.match(text, /^api_request_duration_seconds_bucket\{le="0\.005",method="GET",endpoint="\/results\/\{id\}"\} \d/m);
    assert.equal(statuses.filter((status) => status === 404).length, 5);
  });

  it('show the journal, the runs, the agents and the process', async () => {
    const { ask, succeeded, daemon } = await givenSimulation();
    await succeeded();
    const { text } = await ask('GET', '/metrics');
    const value = (name: string): number =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.split(' ')[1],
      );
    assert.equal(value('agi_journal_entries'), daemon.home.writer.head.size);
    assert.equal(value('agi_runs{state="queued"}'), 0);
    assert.equal(value('agi_runs_ended_total{state="succeeded"}'), 1);
    for (const role of ['planning', 'research', 'strategy', 'market', 'codegen', 'safety', 'memory']) {
      assert.ok(value(`agi_agent_last_beat_seconds{agent="${role}"}`) > 1e9, role);
      assert.equal(value(`agi_agent_restarts_total{agent="${role}"}`), 0);
    }
    assert.equal(value('agi_workers{state="idle"}'), 0);
    assert.equal(value('agi_progress_sockets'), 0);
    assert.ok(value('process_resident_memory_bytes') > 1e6);
    assert.ok(value('process_cpu_seconds_total') > 0);
    assert.ok(Math.abs(value('process_start_time_seconds') - performance.timeOrigin / 1_000) < 2);
    for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm))
      if (!name.startsWith('nodejs_')) assert.equal(name.endsWith('_total'), type === 'counter', name);
    assert.ok(value('api_connections') >= 1);
  });
});

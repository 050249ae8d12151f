/** What Prometheus is told about the agent: read when it asks. */
import { Gauge, type Registry } from 'prom-client';
import type { Daemon } from '../../app/daemon/daemon.js';
import type { StatusReport } from '../../app/operator/status.js';
import type { MetricNames } from '../core/metrics.js';

export const operatorMetricNames: MetricNames = {
  requests: 'agent_http_requests_total',
  duration: 'agent_http_request_duration_seconds',
  connections: 'agent_http_connections',
  route: 'route',
  unmatched: '',
  buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 600],
};

export function registerAgentMetrics(
  registry: Registry,
  { executions, verification }: Daemon,
  status: () => Pick<StatusReport, 'journal' | 'counts' | 'control'>,
): void {
  const gauge = (name: string, help: string, value: () => number): void => {
    const made = new Gauge({
      name,
      help,
      registers: [],
      collect() {
        this.set(value());
      },
    });
    registry.registerMetric(made);
  };
  gauge('agent_journal_entries', 'Entries in the journal, which is the sequence of its head', () => status().journal.events);
  gauge('agent_journal_valid', '1 or 0 as the last verification of the journal found; -1 before there was one', () => {
    const { valid } = verification();
    return valid === null ? -1 : Number(valid);
  });
  gauge('agent_executions_running', 'Missions that this daemon executes now', () => executions.running().length);
  gauge('agent_paused', '1 while the agent is paused', () => Number(status().control === 'paused'));
  const missions = new Gauge({
    name: 'agent_missions',
    help: 'Missions by state',
    labelNames: ['state'] as const,
    registers: [],
    collect() {
      for (const [state, count] of Object.entries(status().counts)) this.set({ state }, count);
    },
  });
  registry.registerMetric(missions);
  gauge('process_resident_memory_bytes', 'Memory that the process holds', () => process.memoryUsage.rss());
  gauge('process_cpu_seconds', 'Processor time that the process took, all threads together', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
}

/** Prometheus metrics of the agent, read on collection. */
import type { Registry } from 'prom-client';
import type { Daemon } from '../../app/daemon/daemon.js';
import { type BusCounts, Figures, type MetricNames } from '../core/metrics.js';
import type { Status } from '../../codec/api-status.js';
import type { WorkerState } from '../../codec/jobs.js';

export const operatorMetricNames: MetricNames = {
  requests: 'agent_http_requests_total',
  duration: 'agent_http_request_duration_seconds',
  connections: 'agent_http_connections',
  dropped: 'agent_http_connections_dropped_total',
  route: 'route',
  unmatched: '',
  buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 600],
};

interface Watched {
  readonly status: () => Pick<Status, 'journal' | 'counts' | 'control'>;
  /** Returns the workers that execute missions; null while missions are executed on this machine. */
  readonly workers: () => readonly WorkerState[] | null;
  readonly bus: BusCounts | null;
}

export function registerAgentMetrics(
  registry: Registry,
  { executions, orchestrator, verification }: Daemon,
  { status, workers, bus }: Watched,
): void {
  const figures = new Figures(registry);
  figures.addDaemon('agent', 'agent', {
    entries: () => status().journal.events,
    valid: () => verification().valid,
    agents: () => orchestrator.states(),
    workers,
    bus,
  });
  figures.add('agent_executions_running', 'Missions that this daemon executes now', () => executions.running().length);
  figures.add('agent_paused', '1 while the agent is paused', () => Number(status().control === 'paused'));
  figures.addLabelled('agent_missions', 'Missions by state', 'state', () => status().counts);
}

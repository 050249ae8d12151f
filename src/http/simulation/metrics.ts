/** Prometheus metrics of the simulation, read on collection. */
import type { Registry } from 'prom-client';
import type { Daemon } from '../../app/daemon/daemon.js';
import type { SimulationService } from '../../app/simulation/service.js';
import { type BusCounts, Figures, type MetricNames } from '../core/metrics.js';

export const simulationMetricNames: MetricNames = {
  requests: 'api_requests_total',
  duration: 'api_request_duration_seconds',
  connections: 'api_connections',
  dropped: 'api_connections_dropped_total',
  route: 'endpoint',
  unmatched: 'unmatched',
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
};

interface MetricsSources {
  readonly daemon: Daemon;
  readonly service: SimulationService;
  /** The number of open sockets. */
  readonly sockets: () => number;
  /** The number of addresses that the rate limit counts. */
  readonly addresses: () => number;
  readonly bus: BusCounts | null;
}

export function registerSimulationMetrics(
  registry: Registry,
  { daemon, service, sockets, addresses, bus }: MetricsSources,
): void {
  const { home, verification } = daemon;
  const figures = new Figures(registry);
  figures.addDaemon('agi', 'agi_agent', {
    entries: () => home.writer.head.size,
    valid: () => verification().valid,
    agents: () => service.agents(),
    workers: service.workers,
    bus,
  });
  figures.addLabelled('agi_runs', 'Queued and running runs', 'state', () => ({ ...service.counts() }));
  figures.addCounts('agi_runs_ended_total', 'Runs of this process that ended', 'state', () => ({ ...service.ended() }));
  figures.add('agi_progress_sockets', 'Open progress sockets', sockets);
  figures.add('api_rate_limit_addresses', 'Addresses that the rate limit counts now', addresses);
}

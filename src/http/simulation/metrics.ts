/** What Prometheus is told about the simulation: read when it asks. */
import { Gauge, type Registry } from 'prom-client';
import type { Daemon } from '../../app/daemon/daemon.js';
import type { SimulationService } from '../../app/simulation/service.js';
import type { MetricNames } from '../core/metrics.js';

export const simulationMetricNames: MetricNames = {
  requests: 'api_requests_total',
  duration: 'api_request_duration_seconds',
  connections: 'api_connections',
  route: 'endpoint',
  unmatched: 'unmatched',
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
};

interface Watched {
  readonly daemon: Daemon;
  readonly service: SimulationService;
  /** Sockets that are open. */
  readonly sockets: () => number;
  /** Addresses that the rate limit counts. */
  readonly addresses: () => number;
}

export function registerSimulationMetrics(registry: Registry, { daemon, service, sockets, addresses }: Watched): void {
  const { home, verification } = daemon;
  const gauge = (name: string, help: string, value: () => number): void => {
    const collect = (): void => made.set(value());
    const made: Gauge = new Gauge({ name, help, registers: [registry], collect });
  };
  const labelled = (name: string, help: string, label: string, values: () => Readonly<Record<string, number>>): void => {
    const collect = (): void => {
      for (const [key, value] of Object.entries(values())) made.set({ [label]: key }, value);
    };
    const made: Gauge = new Gauge({ name, help, labelNames: [label], registers: [registry], collect });
  };
  const agents = (member: 'last_beat' | 'restarts') => (): Readonly<Record<string, number>> =>
    Object.fromEntries(Object.entries(service.agents()).map(([name, agent]) => [name, agent[member]]));
  gauge('agi_journal_entries', 'Entries in the journal, which is the sequence of its head', () => home.writer.head.size);
  gauge('agi_journal_valid', '1 or 0 as the last verification of the journal found; -1 before there was one', () => {
    const { valid } = verification();
    return valid === null ? -1 : Number(valid);
  });
  labelled('agi_runs', 'Runs that wait and that are executed', 'state', () => ({ ...service.counts() }));
  labelled('agi_runs_ended', 'Runs of this process that ended', 'state', () => ({ ...service.ended() }));
  labelled('agi_agent_last_beat_seconds', 'Unix time of the last beat', 'agent', agents('last_beat'));
  labelled('agi_agent_restarts', 'Restarts since the process began', 'agent', agents('restarts'));
  gauge('agi_progress_sockets', 'Open progress sockets', sockets);
  gauge('api_rate_limit_addresses', 'Addresses that the rate limit counts now', addresses);
  gauge('process_resident_memory_bytes', 'Memory that the process holds', () => process.memoryUsage.rss());
  gauge('process_cpu_seconds', 'Processor time that the process took, all threads together', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
}

/**
 * Prometheus metrics of requests, by endpoint template, so that no client can make up label values; and gauges, which are read whenever
 * Prometheus collects them.
 */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { workerStates, type WorkerState } from '../../codec/jobs.js';

export interface HttpMetrics {
  readonly answered: (method: string, route: string, status: number, seconds: number) => void;
  /** Counts a connection that was closed because every place was taken. */
  readonly dropped: () => void;
}

/** The names of one server's metrics. */
export interface MetricNames {
  readonly requests: string;
  readonly duration: string;
  readonly connections: string;
  readonly dropped: string;
  /** The label that holds an endpoint's template. */
  readonly route: string;
  /** The value of that label for unknown paths. */
  readonly unmatched: string;
  /** Upper bounds in seconds. */
  readonly buckets: readonly number[];
}

const methods = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Registers the metrics of one server. */
export function registerMetrics(registry: Registry, connections: () => number, names: MetricNames): HttpMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: names.requests,
    help: 'HTTP responses, refusals included',
    labelNames: ['method', names.route, 'status'],
    registers,
  });
  const duration = new Histogram({
    name: names.duration,
    help: 'From the end of the head of a request to the end of its response',
    labelNames: ['method', names.route],
    buckets: [...names.buckets],
    registers,
  });
  const help = 'Connections closed because every place was taken';
  const dropped = new Counter({ name: names.dropped, help, registers });
  new Gauges(registry).add(names.connections, 'Open connections', connections);
  return {
    answered: (method, route, status, seconds) => {
      const labels = [methods.has(method) ? method : 'other', route || names.unmatched] as const;
      requests.labels(...labels, String(status)).inc();
      duration.labels(...labels).observe(seconds);
    },
    dropped: () => dropped.inc(),
  };
}

interface BusCounts {
  readonly peers: () => number;
  readonly dropped: () => number;
  readonly messages: () => Readonly<Record<string, number>>;
}

export class Gauges {
  constructor(private readonly registry: Registry) {}

  add(name: string, help: string, value: () => number): void {
    const collect = (): void => gauge.set(value());
    const gauge: Gauge = new Gauge({ name, help, registers: [this.registry], collect });
  }

  /** Adds a gauge with one value for each label. */
  addLabelled(name: string, help: string, label: string, values: () => Readonly<Record<string, number>>): void {
    const collect = (): void => {
      for (const [key, value] of Object.entries(values())) gauge.set({ [label]: key }, value);
    };
    const gauge: Gauge = new Gauge({ name, help, labelNames: [label], registers: [this.registry], collect });
  }

  /** @param valid the result of the last verification of the journal; null before the first one */
  addJournal(prefix: string, entries: () => number, valid: () => boolean | null): void {
    this.add(`${prefix}_journal_entries`, 'Entries in the journal, which is the sequence of its head', entries);
    this.add(
      `${prefix}_journal_valid`,
      'Last verification of the journal: 1 (valid), 0 (not valid), or -1 before the first',
      () => {
        const found = valid();
        return found === null ? -1 : Number(found);
      },
    );
  }

  /** @param states heartbeat in Unix seconds and number of restarts of each agent */
  addAgents(prefix: string, states: () => Readonly<Record<string, { last_beat: number; restarts: number }>>): void {
    const of = (member: 'last_beat' | 'restarts') => (): Readonly<Record<string, number>> =>
      Object.fromEntries(Object.entries(states()).map(([name, agent]) => [name, agent[member]]));
    this.addLabelled(`${prefix}_last_beat_seconds`, 'Unix time of the last heartbeat', 'agent', of('last_beat'));
    this.addLabelled(`${prefix}_restarts`, 'Restarts recorded in the journal of the home', 'agent', of('restarts'));
  }

  /** @param workers the workers of queues; null while no queue is in use */
  addWorkers(prefix: string, workers: () => readonly WorkerState[] | null): void {
    this.addLabelled(`${prefix}_workers`, 'Workers of queues heard from in the last ten minutes', 'state', () => {
      const all = workers() ?? [];
      return Object.fromEntries(workerStates.map((state) => [state, all.filter((worker) => worker.state === state).length]));
    });
  }

  addBus(prefix: string, { peers, dropped, messages }: BusCounts): void {
    this.add(`${prefix}_bus_peers`, 'Open connections of the message bus', peers);
    this.add(`${prefix}_bus_dropped`, 'Connections of the message bus that the server closed or refused', dropped);
    this.addLabelled(`${prefix}_bus_messages`, 'Messages of the bus since the process began', 'result', () => ({
      ...messages(),
    }));
  }

  addProcess(): void {
    this.add('process_resident_memory_bytes', 'Memory that the process holds', () => process.memoryUsage.rss());
    this.add('process_cpu_seconds', 'Processor time that the process took, all threads together', () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    });
  }
}

/**
 * Prometheus metrics of requests, by endpoint template, so that no client can make up label values; and gauges, which are read whenever
 * Prometheus collects them.
 */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { workerStates, type WorkerState } from '../../codec/jobs.js';

export type HttpMetrics = Readonly<ReturnType<typeof registerMetrics>>;

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
export function registerMetrics(registry: Registry, connections: () => number, names: MetricNames) {
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
  new Figures(registry).add(names.connections, 'Open connections', connections);
  return {
    answered: (method: string, route: string, status: number, seconds: number) => {
      const labels = [methods.has(method) ? method : 'other', route || names.unmatched] as const;
      requests.labels(...labels, String(status)).inc();
      duration.labels(...labels).observe(seconds);
    },
    /** Counts a connection that was closed because every place was taken. */
    dropped: () => dropped.inc(),
  };
}

interface DaemonFigures {
  readonly entries: () => number;
  /** The result of the last verification of the journal; null before the first one. */
  readonly valid: () => boolean | null;
  /** Heartbeat in Unix seconds and number of restarts of each agent. */
  readonly agents: () => Readonly<Record<string, { last_beat: number; restarts: number }>>;
  /** The workers of queues; null while no queue is in use. */
  readonly workers: () => readonly WorkerState[] | null;
  /** What the message bus counts; null if it is not served. */
  readonly bus: BusCounts | null;
}

export interface BusCounts {
  readonly peers: () => number;
  readonly dropped: () => number;
  readonly messages: () => Readonly<Record<string, number>>;
}

/** Values that are read whenever Prometheus collects them. */
export class Figures {
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

  /** Adds a counter with one value for each label, or with one value. */
  addCounts(name: string, help: string, label: string | null, values: () => Readonly<Record<string, number>>): void {
    const collect = (): void => {
      counter.reset();
      for (const [key, value] of Object.entries(values())) counter.inc(label === null ? {} : { [label]: key }, value);
    };
    const labelNames = label === null ? [] : [label];
    const counter: Counter = new Counter({ name, help, labelNames, registers: [this.registry], collect });
  }

  /** Adds what both servers report of the daemon; the names begin with `prefix`, those of the agents with `agent`. */
  addDaemon(prefix: string, agent: string, { entries, valid, agents, workers, bus }: DaemonFigures): void {
    this.add(`${prefix}_journal_entries`, 'Entries in the journal, which is the sequence of its head', entries);
    const verified = 'Last verification of the journal: 1 (valid), 0 (not valid), or -1 before the first';
    this.add(`${prefix}_journal_valid`, verified, () => Number(valid() ?? -1));
    const of = (member: 'last_beat' | 'restarts') => (): Readonly<Record<string, number>> =>
      Object.fromEntries(Object.entries(agents()).map(([name, state]) => [name, state[member]]));
    this.addLabelled(`${agent}_last_beat_seconds`, 'Unix time of the last heartbeat', 'agent', of('last_beat'));
    this.addCounts(`${agent}_restarts_total`, 'Restarts recorded in the journal of the home', 'agent', of('restarts'));
    this.addLabelled(`${prefix}_workers`, 'Workers of queues heard from in the last ten minutes', 'state', () => {
      const all = workers() ?? [];
      return Object.fromEntries(workerStates.map((state) => [state, all.filter((worker) => worker.state === state).length]));
    });
    if (bus === null) return;
    this.add(`${prefix}_bus_peers`, 'Open connections of the message bus', bus.peers);
    const closed = 'Connections of the message bus that the server closed or refused';
    this.addCounts(`${prefix}_bus_dropped_total`, closed, null, () => ({ all: bus.dropped() }));
    const messages = () => ({ ...bus.messages() });
    this.addCounts(`${prefix}_bus_messages_total`, 'Messages of the bus since the process began', 'result', messages);
  }
}

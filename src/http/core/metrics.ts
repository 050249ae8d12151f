/** Prometheus metrics of requests, by endpoint template, so that no client can make up label values. */
import { Counter, Histogram, type Registry } from 'prom-client';
import { Gauges } from './gauges.js';

export interface HttpMetrics {
  readonly answered: (method: string, route: string, status: number, seconds: number) => void;
}

/** The names of one server's metrics. */
export interface MetricNames {
  readonly requests: string;
  readonly duration: string;
  readonly connections: string;
  readonly dropped: string;
  readonly sending: string;
  /** The label that holds an endpoint's template. */
  readonly route: string;
  /** The value of that label for unknown paths. */
  readonly unmatched: string;
  /** Upper bounds in seconds. */
  readonly buckets: readonly number[];
}

const methods = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** What is read whenever metrics are collected. */
interface HttpGauges {
  readonly connections: () => number;
  /** The size of large bodies that are being sent. */
  readonly sending: () => number;
}

/** Registers the metrics of one server. */
export function registerMetrics(registry: Registry, gauges: HttpGauges, names: MetricNames): HttpMetrics {
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
  const added = new Gauges(registry);
  added.add(names.connections, 'Open connections', gauges.connections);
  added.add(names.sending, 'Bytes of large bodies that are being sent, equal ones counted once', gauges.sending);
  // Counters are cached by their labels, because the library's own lookup takes longer than counting.
  type Children = readonly [Counter.Internal, Histogram.Internal<string>];
  const children = new Map<string, Children>();
  const childrenOf = (method: string, route: string, status: string): Children => [
    requests.labels(method, route, status),
    duration.labels(method, route),
  ];
  return {
    answered: (method, route, status, seconds) => {
      const label = methods.has(method) ? method : 'other';
      const key = `${label} ${route} ${status}`;
      const kept = children.get(key) ?? childrenOf(label, route || names.unmatched, String(status));
      children.set(key, kept);
      kept[0].inc();
      kept[1].observe(seconds);
    },
  };
}

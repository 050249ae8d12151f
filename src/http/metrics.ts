/** What Prometheus is told about requests: by endpoint template, so that nobody can make up label values. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface HttpMetrics {
  readonly answered: (method: string, route: string, status: number, seconds: number) => void;
}

const methods = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Registers the metrics of one server; `connections` is read whenever they are collected. */
export function registerMetrics(registry: Registry, connections: () => number): HttpMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: 'agent_http_requests_total',
    help: 'Answered HTTP requests, refused ones included',
    labelNames: ['method', 'route', 'status'] as const,
    registers,
  });
  const duration = new Histogram({
    name: 'agent_http_request_duration_seconds',
    help: 'From the end of the head of a request to the end of its answer',
    labelNames: ['method', 'route'] as const,
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 600],
    registers,
  });
  const open = new Gauge({
    name: 'agent_http_connections',
    help: 'Open connections',
    registers: [],
    collect() {
      this.set(connections());
    },
  });
  registry.registerMetric(open);
  // Of labels that are known, the counters: looking them up by their labels takes longer than counting.
  const children = new Map<string, readonly [Counter.Internal, Histogram.Internal<string>]>();
  return {
    answered: (method, route, status, seconds) => {
      const label = methods.has(method) ? method : 'other';
      const key = `${label} ${route} ${status}`;
      const kept = children.get(key) ?? [requests.labels(label, route, String(status)), duration.labels(label, route)];
      children.set(key, kept);
      kept[0].inc();
      kept[1].observe(seconds);
    },
  };
}

/** The agent as a whole: health, status, doctor, metrics. */
import { alertsCodec } from '../../codec/api-alerts.js';
import { agentsCodec } from '../../codec/api-simulation.js';
import { doctorCodec, type Status, statusCodec } from '../../codec/api-status.js';
import { bytes, endpoint, type Endpoint, json } from '../core/endpoint.js';
import { healthEndpoint, metricsEndpoint } from '../core/system-endpoints.js';
import type { Operator } from './operator.js';
import type { Registry } from 'prom-client';
import type { Daemon } from '../../app/daemon/daemon.js';
import { type BusCounts, Figures } from '../core/metrics.js';
import type { WorkerState } from '../../codec/jobs.js';

export const systemEndpoints = ({ daemon, doctor, status, metrics, alerts, workers, console }: Operator): readonly Endpoint[] => [
  healthEndpoint('Whether the process responds; the journal is not checked'),
  endpoint({
    route: 'GET /api/status',
    auth: 'viewer',
    agent: 'any',
    summary: 'The agent at a glance',
    responses: { 200: { description: 'The status', body: statusCodec } },
    handle: ({ actor }) => json(200, status(actor)),
  }),
  endpoint({
    route: 'GET /api/verify-export.html',
    auth: 'viewer',
    summary: 'The page that checks exports and reports offline, for whoever receives one',
    responses: { 200: { description: 'The page', type: 'text/html', headers: ['Content-Disposition'] } },
    handle: () =>
      bytes(200, 'text/html; charset=utf-8', console.verifier(), {
        'Content-Disposition': 'attachment; filename="verify-export.html"',
      }),
  }),
  endpoint({
    route: 'GET /api/doctor',
    auth: 'viewer',
    summary: 'What is in order and what is not, with the command that fixes it',
    responses: { 200: { description: 'The report, failed checks included', body: doctorCodec } },
    handle: async () => json(200, await doctor()),
  }),
  endpoint({
    route: 'GET /api/agents',
    auth: 'viewer',
    summary: 'The seven agents: the last heartbeat and the number of restarts of each; and the workers that execute missions',
    responses: { 200: { description: 'The agents by name', body: agentsCodec } },
    handle: () => {
      const listed = workers();
      return json(200, { agents: daemon.orchestrator.states(), ...(listed === null ? {} : { workers: listed }) });
    },
  }),
  endpoint({
    route: 'GET /api/alerts',
    auth: 'viewer',
    summary: 'The newest alerts of this daemon, and whether they were sent to the webhook',
    responses: { 200: { description: 'The alerts, the newest first', body: alertsCodec } },
    handle: () => json(200, alerts()),
  }),
  metricsEndpoint(metrics),
];

// Prometheus metrics of the agent, read on collection.

interface SystemSources {
  readonly status: () => Pick<Status, 'journal' | 'counts' | 'control'>;
  /** Returns the workers that execute missions; null while missions are executed on this machine. */
  readonly workers: () => readonly WorkerState[] | null;
  readonly bus: BusCounts | null;
}

export function registerAgentMetrics(
  registry: Registry,
  { executions, orchestrator, verification }: Daemon,
  { status, workers, bus }: SystemSources,
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

/** The server itself: health, agents, metrics. */
import { ok } from '../../base/result.js';
import { healthCodec } from '../../codec/api-status.js';
import { agentsCodec } from '../../codec/api-simulation.js';
import { endpoint, type Endpoint } from '../core/endpoint.js';
import { bytes, json } from '../core/reply.js';
import type { Simulation } from './simulation.js';

export const systemEndpoints = ({ service, metrics }: Simulation): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/healthz',
    auth: 'public',
    summary: 'Whether the process answers; it says nothing of the journal or the agents',
    responses: { 200: { description: 'It does', body: healthCodec } },
    handle: () => ok(json(200, { status: 'ok' })),
  }),
  endpoint({
    method: 'GET',
    path: '/status',
    auth: 'admin',
    summary: 'The seven agents: when each last showed life, and how often it was restarted',
    responses: { 200: { description: 'The agents by name', body: agentsCodec } },
    handle: () => ok(json(200, { agents: service.agents() })),
  }),
  endpoint({
    method: 'GET',
    path: '/metrics',
    auth: 'admin',
    summary: 'Metrics in the text format of Prometheus',
    responses: { 200: { description: 'The metrics', type: 'text/plain' } },
    handle: async () => ok(bytes(200, metrics.contentType, await metrics.metrics())),
  }),
];

/** The server itself: health, agents, metrics. */
import { agentsCodec } from '../../codec/api-simulation.js';
import { endpoint, type Endpoint } from '../core/endpoint.js';
import { json } from '../core/reply.js';
import { healthEndpoint, metricsEndpoint } from '../core/system-endpoints.js';
import type { Simulation } from './simulation.js';

export const systemEndpoints = ({ service, metrics }: Simulation): readonly Endpoint[] => [
  healthEndpoint('Whether the process answers; it says nothing of the journal or the agents'),
  endpoint({
    method: 'GET',
    path: '/status',
    auth: 'admin',
    summary: 'The seven agents: when each last showed life, and how often it was restarted; and the workers of queues',
    responses: { 200: { description: 'The agents by name', body: agentsCodec } },
    handle: () => {
      const workers = service.workers();
      return json(200, { agents: service.agents(), ...(workers === null ? {} : { workers }) });
    },
  }),
  metricsEndpoint('admin', metrics),
];

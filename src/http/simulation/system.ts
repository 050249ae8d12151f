/** The server itself: health, agents, metrics. */
import { agentsCodec } from '../../codec/api-simulation.js';
import { endpoint, type Endpoint } from '../core/endpoint.js';
import { json } from '../core/reply.js';
import { healthEndpoint, metricsEndpoint } from '../core/system-endpoints.js';
import type { Simulation } from './simulation.js';

export const systemEndpoints = ({ service, metrics }: Simulation): readonly Endpoint[] => [
  healthEndpoint('Whether the process responds; the journal and the agents are not checked'),
  endpoint({
    method: 'GET',
    path: '/status',
    auth: 'admin',
    summary: 'The seven agents: the last heartbeat and the number of restarts of each; and the workers of queues',
    responses: { 200: { description: 'The agents by name', body: agentsCodec } },
    handle: () => {
      const workers = service.workers();
      return json(200, { agents: service.agents(), ...(workers === null ? {} : { workers }) });
    },
  }),
  metricsEndpoint('admin', metrics),
];

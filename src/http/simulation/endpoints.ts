/** Every endpoint of the simulation's API. */
import { agentsCodec } from '../../codec/api-simulation.js';
import { endpoint, type Endpoint } from '../core/endpoint.js';
import { json } from '../core/reply.js';
import { healthEndpoint, metricsEndpoint, openApiEndpoint, pageEndpoints } from '../core/system-endpoints.js';
import { simulationDocument } from './document.js';
import { resultEndpoints } from './results.js';
import { runEndpoints } from './runs.js';
import type { Simulation } from './simulation.js';
import { sweepEndpoints } from './sweeps.js';

export function simulationEndpoints(simulation: Simulation): readonly Endpoint[] {
  const all: readonly Endpoint[] = [
    ...pageEndpoints('dashboard', simulation.dashboard),
    ...runEndpoints(simulation),
    ...resultEndpoints(simulation),
    ...sweepEndpoints(simulation),
    ...systemEndpoints(simulation),
    simulation.progress,
    openApiEndpoint('/openapi.json', 'viewer', () => simulationDocument(all)),
  ];
  return all;
}

/** The server itself: health, agents, metrics. */
const systemEndpoints = ({ service, metrics }: Simulation): readonly Endpoint[] => [
  healthEndpoint('Whether the process responds; the journal and the agents are not checked'),
  endpoint({
    method: 'GET',
    path: '/status',
    auth: 'viewer',
    summary: 'The seven agents: the last heartbeat and the number of restarts of each; and the workers of queues',
    responses: { 200: { description: 'The agents by name', body: agentsCodec } },
    handle: () => {
      const workers = service.workers();
      return json(200, { agents: service.agents(), ...(workers === null ? {} : { workers }) });
    },
  }),
  metricsEndpoint('viewer', metrics),
];

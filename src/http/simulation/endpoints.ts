/** Every endpoint of the simulation's API, and the OpenAPI document of them, with the responses of the policy before a handler runs. */
import { programVersion } from '../../app/home/world.js';
import { agentsCodec, simulationProblem } from '../../codec/api-simulation.js';
import { endpoint, type Endpoint } from '../core/endpoint.js';
import { misfit, openApiText, problem, unwanted } from '../core/openapi.js';
import { json, type ResponseShape } from '../core/reply.js';
import { healthEndpoint, isPagePath, metricsEndpoint, openApiEndpoint, pageEndpoints } from '../core/system-endpoints.js';
import { resultEndpoints } from './results.js';
import { runEndpoints } from './runs.js';
import type { Simulation } from './simulation.js';

export function simulationEndpoints(simulation: Simulation): readonly Endpoint[] {
  const all: readonly Endpoint[] = [
    ...pageEndpoints('dashboard', simulation.dashboard),
    ...runEndpoints(simulation),
    ...resultEndpoints(simulation),
    ...systemEndpoints(simulation),
    simulation.progress,
    openApiEndpoint('/openapi.json', 'admin', () => simulationDocument(all)),
  ];
  return all;
}

/** The server itself: health, agents, metrics. */
const systemEndpoints = ({ service, metrics }: Simulation): readonly Endpoint[] => [
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

// Their document

const info = {
  title: 'agent-cli simulation API',
  version: programVersion,
  description:
    'Forecasts of capability growth and of the sectors that it disrupts. All errors are application/problem+json (RFC 9457). A conditional scenario under its inputs, not a prediction.',
};

const simulationDocument = (endpoints: readonly Endpoint[]): string =>
  openApiText(endpoints, info, {
    problem: simulationProblem,
    ofBoundary,
    token: 'The text of API_TOKEN',
    roles: false,
  });

/** Returns the policy's responses in the order of its checks. */
function ofBoundary({ method, path, auth, params, query, headers, body, ignoresQuery }: Endpoint): Record<number, ResponseShape> {
  const reads = [params, query, headers, body].some((part) => part !== undefined);
  return {
    ...(isPagePath(path)
      ? {}
      : { 429: problem('Too many requests from this address; wait for the number of seconds in Retry-After') }),
    ...(auth === 'public' ? {} : { 401: problem('No token'), 403: problem('A wrong token') }),
    400: problem(method === 'GET' ? 'A request with a body' : 'Ambiguous framing, a body that ends too early, or invalid JSON'),
    431: problem('Too many or too large header fields'),
    ...(method === 'GET' ? {} : { 408: problem('The body took too long'), 413: problem('The body is too large') }),
    ...(ignoresQuery === true ? {} : { 422: problem(reads ? misfit : unwanted) }),
  };
}

/** Every endpoint of the simulation's API. */
import type { Endpoint } from '../core/endpoint.js';
import { openApiEndpoint } from '../core/system-endpoints.js';
import { dashboardEndpoints } from './dashboard.js';
import { simulationDocument } from './openapi.js';
import { resultEndpoints } from './results.js';
import { runEndpoints } from './runs.js';
import type { Simulation } from './simulation.js';
import { progressEndpoint } from './socket-endpoint.js';
import { systemEndpoints } from './system.js';

export function simulationEndpoints(simulation: Simulation): readonly Endpoint[] {
  const all: readonly Endpoint[] = [
    ...dashboardEndpoints(simulation),
    ...runEndpoints(simulation),
    ...resultEndpoints(simulation),
    ...systemEndpoints(simulation),
    progressEndpoint,
    openApiEndpoint('/openapi.json', 'admin', () => simulationDocument(all)),
  ];
  return all;
}

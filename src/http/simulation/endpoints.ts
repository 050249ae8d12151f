/** Every endpoint of the simulation's API. */
import type { Endpoint } from '../core/endpoint.js';
import { openApiEndpoint, pageEndpoints } from '../core/system-endpoints.js';
import { simulationDocument } from './openapi.js';
import { resultEndpoints } from './results.js';
import { runEndpoints } from './runs.js';
import type { Simulation } from './simulation.js';
import { systemEndpoints } from './system.js';

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

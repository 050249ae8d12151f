/** Every endpoint of the simulation's interface, and the document that is made of them. */
import { ok } from '../../base/result.js';
import { openApiCodec } from '../../codec/api-simulation.js';
import { endpoint, type Endpoint } from '../core/endpoint.js';
import { bytes } from '../core/reply.js';
import { dashboardEndpoints } from './dashboard.js';
import { simulationDocument } from './openapi.js';
import { resultEndpoints } from './results.js';
import { runEndpoints } from './runs.js';
import type { Simulation } from './simulation.js';
import { progressEndpoint } from './socket-endpoint.js';
import { systemEndpoints } from './system.js';

export function simulationEndpoints(simulation: Simulation): readonly Endpoint[] {
  let text: string | null = null;
  const document: Endpoint = endpoint({
    method: 'GET',
    path: '/openapi.json',
    auth: 'admin',
    summary: 'This document',
    responses: { 200: { description: 'OpenAPI 3.1', body: openApiCodec } },
    handle: () => ok(bytes(200, 'application/json; charset=utf-8', (text ??= simulationDocument(all)))),
  });
  const all: readonly Endpoint[] = [
    ...dashboardEndpoints(simulation),
    ...runEndpoints(simulation),
    ...resultEndpoints(simulation),
    ...systemEndpoints(simulation),
    progressEndpoint,
    document,
  ];
  return all;
}

/** Every endpoint of the operator's API. */
import type { Endpoint } from '../core/endpoint.js';
import { openApiEndpoint } from '../core/system-endpoints.js';
import { consoleEndpoints } from './console.js';
import { decisionEndpoints } from './decisions.js';
import { journalEndpoints } from './journal.js';
import { loginEndpoints } from './login.js';
import { missionEndpoints } from './missions.js';
import { operatorDocument } from './openapi.js';
import type { Operator } from './operator.js';
import { paymentEndpoints } from './payments.js';
import { systemEndpoints } from './system.js';
import { toolEndpoints } from './tools.js';

export function operatorEndpoints(operator: Operator): readonly Endpoint[] {
  const all: readonly Endpoint[] = [
    ...consoleEndpoints(operator),
    ...systemEndpoints(operator),
    ...loginEndpoints(operator.sessions),
    ...missionEndpoints(operator),
    ...decisionEndpoints(operator),
    ...journalEndpoints(operator),
    ...toolEndpoints(operator),
    ...paymentEndpoints(operator),
    openApiEndpoint('/api/openapi.json', 'viewer', () => operatorDocument(all)),
  ];
  return all;
}

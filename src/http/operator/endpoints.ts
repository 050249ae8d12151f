/** Every endpoint of the operator's API. */
import type { Endpoint } from '../core/endpoint.js';
import { openApiEndpoint, pageEndpoints } from '../core/system-endpoints.js';
import { decisionEndpoints } from './decisions.js';
import { journalEndpoints } from './journal.js';
import { loginEndpoints } from './login.js';
import { missionEndpoints } from './missions.js';
import { operatorDocument } from './openapi.js';
import type { Operator } from './operator.js';
import { paymentEndpoints } from './payments.js';
import { systemEndpoints } from './system.js';
import { toolEndpoints } from './tools.js';

/** The page in place of a console that is not built. */
const unbuilt = {
  type: 'text/html; charset=utf-8',
  bytes: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>agent-cli</title></head>
<body>
<h1>The console is not built</h1>
<p>This agent is running, and its HTTP API is at <code>/api</code>. The console's files are missing: build the program, then reload this page.</p>
</body>
</html>
`,
};

export function operatorEndpoints(operator: Operator): readonly Endpoint[] {
  const all: readonly Endpoint[] = [
    ...pageEndpoints('console', operator.console, unbuilt),
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

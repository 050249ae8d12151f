/** Every endpoint of the operator's API, and the OpenAPI document of them, with the responses of the policy before a handler runs. */
import { programVersion } from '../../app/home/world.js';
import { feedEntryCodec, feedProgressCodec } from '../../codec/api-journal.js';
import { problemCodec } from '../../codec/api-problem.js';
import type { Endpoint } from '../core/endpoint.js';
import { misfit, openApiText, problem, unwanted } from '../core/openapi.js';
import type { ResponseShape } from '../core/reply.js';
import { openApiEndpoint, pageEndpoints } from '../core/system-endpoints.js';
import { approverEndpoints } from './approvers.js';
import { decisionEndpoints } from './decisions.js';
import { intakeEndpoints } from './intake.js';
import { journalEndpoints } from './journal.js';
import { loginEndpoints } from './login.js';
import { missionEndpoints } from './missions.js';
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
    ...approverEndpoints(operator),
    ...missionEndpoints(operator),
    ...intakeEndpoints(operator),
    ...decisionEndpoints(operator),
    ...journalEndpoints(operator),
    ...toolEndpoints(operator),
    ...paymentEndpoints(operator),
    { ...openApiEndpoint('/api/openapi.json', 'viewer', () => operatorDocument(all)), agent: 'any' },
  ];
  return all;
}

// Their document

const info = {
  title: 'agent-cli operator API',
  version: programVersion,
  description:
    'What the commands do, over HTTP. Documents are those of the same command with --json. Errors are application/problem+json (RFC 9457).',
};

const operatorDocument = (endpoints: readonly Endpoint[]): string =>
  openApiText(endpoints, info, {
    extra: [feedEntryCodec, feedProgressCodec],
    problem: problemCodec,
    ofBoundary,
    token: '43 characters; see docs/tokens.md',
    roles: true,
  });

/** Returns the policy's responses in the order of their statuses. */
function ofBoundary({
  method,
  auth,
  agent,
  params,
  query,
  headers,
  body,
  ignoresQuery,
}: Endpoint): Record<number, ResponseShape> {
  const mutation = method !== 'GET';
  const reads = [params, query, headers, body].some((part) => part !== undefined);
  return {
    400: problem(mutation ? 'Ambiguous framing, an upload with a wrong length, or invalid JSON' : 'A request with a body'),
    421: problem('A Host that this server does not serve'),
    431: problem('Too many or too large header fields'),
    ...(auth === 'public' ? {} : { 401: problem('No token, or a wrong one'), 429: problem('Too many wrong tokens') }),
    ...(mutation
      ? {
          403: problem('A page from another origin, or a role below this one'),
          408: problem('The body took too long'),
          411: problem('Content-Length is missing'),
          413: problem('The body is too large'),
        }
      : auth === 'public' || agent !== undefined
        ? {}
        : { 403: problem('A role below this one, or a token of the role agent') }),
    ...(mutation && body !== undefined ? { 415: problem('A body that is not application/json') } : {}),
    ...(ignoresQuery === true ? {} : { 422: problem(reads ? misfit : unwanted) }),
  };
}

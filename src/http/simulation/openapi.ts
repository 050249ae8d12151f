/**
 * The OpenAPI document of the simulation's interface: descriptions of the checks on every request, and its problem's additional
 * members.
 */
import { programVersion } from '../../app/home/world.js';
import { simulationProblem } from '../../codec/api-simulation.js';
import type { Endpoint } from '../core/endpoint.js';
import { misfit, openApiText, problem, unwanted } from '../core/openapi.js';
import type { ResponseShape } from '../core/reply.js';
import { isPagePath } from '../core/system-endpoints.js';

const info = {
  title: 'agent-cli simulation API',
  version: programVersion,
  description:
    'Forecasts of capability growth and of the sectors that it disrupts. All errors are application/problem+json (RFC 9457). A conditional scenario under its inputs, not a prediction.',
};

export const simulationDocument = (endpoints: readonly Endpoint[]): string =>
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

/** The OpenAPI document of the operator's API: the responses of its policy before a handler runs, and roles. */
import { programVersion } from '../../app/home/world.js';
import { feedEntryCodec, feedProgressCodec } from '../../codec/api-journal.js';
import { problemCodec } from '../../codec/api-problem.js';
import type { Endpoint } from '../core/endpoint.js';
import { misfit, openApiText, problem, unwanted } from '../core/openapi.js';
import type { ResponseShape } from '../core/reply.js';

const info = {
  title: 'agent-cli operator API',
  version: programVersion,
  description:
    'What the commands do, over HTTP. Documents are those of the same command with --json. Errors are application/problem+json (RFC 9457).',
};

export const operatorDocument = (endpoints: readonly Endpoint[]): string =>
  openApiText(endpoints, info, {
    extra: [feedEntryCodec, feedProgressCodec],
    problem: problemCodec,
    ofBoundary,
    token: '43 characters; see docs/tokens.md',
    roles: true,
  });

/** Returns the policy's responses in the order of their statuses. */
function ofBoundary({ method, auth, params, query, headers, body, ignoresQuery }: Endpoint): Record<number, ResponseShape> {
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
      : {}),
    ...(mutation && body !== undefined ? { 415: problem('A body that is not application/json') } : {}),
    ...(ignoresQuery === true ? {} : { 422: problem(reads ? misfit : unwanted) }),
  };
}

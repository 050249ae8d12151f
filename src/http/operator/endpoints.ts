/** Every endpoint of the operator's API, and the document that is made of them. */
import { programVersion } from '../../app/home/program.js';
import { ok } from '../../base/result.js';
import { feedEntryCodec, feedProgressCodec } from '../../codec/api-journal.js';
import { mapOf } from '../../codec/kit.js';
import * as t from 'io-ts';
import { endpoint, type Endpoint } from '../core/endpoint.js';
import { openApiText } from '../core/openapi.js';
import { bytes } from '../core/reply.js';
import { consoleEndpoints } from './console.js';
import { decisionEndpoints } from './decisions.js';
import { journalEndpoints } from './journal.js';
import { missionEndpoints } from './missions.js';
import type { Operator } from './operator.js';
import { systemEndpoints } from './system.js';
import { toolEndpoints } from './tools.js';

const info = {
  title: 'agent-cli operator API',
  version: programVersion,
  description:
    'What the commands do, over HTTP. Documents are those of the same command with --json. Errors are application/problem+json (RFC 9457).',
};

export function operatorEndpoints(operator: Operator): readonly Endpoint[] {
  let text: string | null = null;
  const document: Endpoint = endpoint({
    method: 'GET',
    path: '/api/openapi.json',
    auth: 'viewer',
    summary: 'This document',
    responses: { 200: { description: 'OpenAPI 3.1', body: mapOf(t.unknown) } },
    handle: () => ok(bytes(200, 'application/json; charset=utf-8', (text ??= openApiText(all, info, { extra })))),
  });
  const extra = [feedEntryCodec, feedProgressCodec];
  const all: readonly Endpoint[] = [
    ...consoleEndpoints(operator),
    ...systemEndpoints(operator),
    ...missionEndpoints(operator),
    ...decisionEndpoints(operator),
    ...journalEndpoints(operator),
    ...toolEndpoints(operator),
    document,
  ];
  return all;
}

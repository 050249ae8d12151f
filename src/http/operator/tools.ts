/** Tools: those of this agent, and imported manifests. */
import { importManifest, listTools, setToolStatus, showTool } from '../../app/tools/tools.js';
import { toolImportCodec, toolListCodec, toolParams, toolRecordCodec, toolStatusBody } from '../../codec/api-tools.js';
import { manifestCodec } from '../../codec/tool-manifest.js';
import { endpoint, type Endpoint, json, jsonEndpoint, problem } from '../core/endpoint.js';
import { homeFor, type Operator } from './operator.js';

export const toolEndpoints = (operator: Operator): readonly Endpoint[] => [
  endpoint({
    route: 'GET /api/tools',
    auth: 'viewer',
    agent: 'any',
    summary: 'The tools, built-in ones first',
    responses: { 200: { description: 'Every tool', body: toolListCodec } },
    handle: () => json(200, listTools(operator.daemon.home)),
  }),
  jsonEndpoint({
    route: 'POST /api/tools',
    auth: 'admin',
    summary: "Record a tool's manifest",
    body: manifestCodec,
    responses: {
      200: { description: 'The tool as it is now', body: toolImportCodec },
      409: problem('Another manifest of this tool_version is recorded already'),
      503: problem('The tool tool_import is not active'),
    },
    handle: async (input) => json(200, await importManifest(homeFor(operator, input), input.body, input.actor.name)),
  }),
  endpoint({
    route: 'GET /api/tools/{id}',
    auth: 'viewer',
    agent: 'any',
    summary: 'A tool',
    params: toolParams,
    responses: { 200: { description: 'The tool', body: toolRecordCodec }, 404: problem('No such tool') },
    handle: ({ params }) => json(200, showTool(operator.daemon.home, params.id)),
  }),
  jsonEndpoint({
    route: 'POST /api/tools/{id}/status',
    auth: 'admin',
    summary: "Set a tool's status, with a reason",
    params: toolParams,
    body: toolStatusBody,
    responses: {
      200: { description: 'The tool as it is now', body: toolRecordCodec },
      404: problem('No such tool'),
      409: problem('Not allowed from its current status'),
    },
    handle: async (input) => {
      const { status: to, note } = input.body;
      const changed = await setToolStatus(homeFor(operator, input), input.params.id, { to, note, actor: input.actor.name });
      return json(200, changed);
    },
  }),
];

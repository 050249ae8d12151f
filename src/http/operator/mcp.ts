/**
 * POST /mcp: an AI assistant by the Model Context Protocol. Each request stands alone: there is no session, and GET is not served. The policy has
 * checked host, origin and token as for every endpoint.
 */
import { firstAbort } from '../../base/first-abort.js';
import { Readable } from 'node:stream';
import type { Json } from '../../base/canonical-json.js';
import { homeVia } from '../../app/home/via.js';
import { programVersion } from '../../app/home/home.js';
import { type Assistant, type Exchange, progressOf } from '../../mcp/assistant.js';
import { type McpHeaders, readEnvelope, requests_max, respond, tooManyRequests } from '../../mcp/protocol.js';
import { errorText, readMessage, resultText, RpcError, type RpcMessage } from '../../mcp/rpc.js';
import { type Context, goneSignal } from '../core/context.js';
import { bytes, type Endpoint, requireJson } from '../core/endpoint.js';
import { valuesOf } from '../core/head.js';
import { problemOf } from '../core/problem.js';
import { event_stream_type } from './events.js';
import { type Operator, pagesOf } from './operator.js';

const json_type = 'application/json';

/** @param answering the number of requests that are being answered, by the name of their token: those that wait must not take all connections */
export const mcpEndpoint = (operator: Operator, answering = new Map<string, number>()): Endpoint => ({
  method: 'POST',
  path: '/mcp',
  auth: 'reviewer',
  agent: 'any',
  summary: 'A message of an AI assistant (Model Context Protocol 2026-07-28 and 2025-11-25)',
  responses: {
    200: { description: 'The response, as JSON or, where progress is asked for, as server-sent events', type: json_type },
    202: { description: 'A notification was taken', type: json_type },
    400: { description: 'A message that is none, or header fields that differ from it', type: json_type },
    404: { description: 'No such method', type: json_type },
  },
  answer: async (context) => {
    const { rawHeaders } = context.req;
    requireJson(rawHeaders);
    let message: RpcMessage | null = null;
    try {
      message = readMessage(context.state.body ?? new Uint8Array());
      const envelope = readEnvelope(message, mcpHeaders(rawHeaders));
      if (message.id === null || message.method === null) return bytes(202, json_type, '');
      const request = { ...message, id: message.id };
      const assistant = assistantOf(operator, context);
      const respondInTurn: Respond = async (exchange) => {
        const before = answering.get(assistant.name) ?? 0;
        if (before >= requests_max) throw tooManyRequests();
        answering.set(assistant.name, before + 1);
        try {
          return await respond(assistant, request, { ...exchange, envelope, showAddress: null });
        } finally {
          answering.set(assistant.name, (answering.get(assistant.name) ?? 1) - 1);
        }
      };
      const untilGone = (gone: AbortSignal): AbortSignal => firstAbort(gone, operator.stopping);
      if (wantsEvents(request, context))
        return bytes(200, event_stream_type, (gone) => eventsOf(request, respondInTurn, untilGone(gone)));
      const result = await respondInTurn({ signal: untilGone(goneSignal(context, true)), progress: null });
      return bytes(200, json_type, resultText(request.id, result));
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return bytes(error.status, json_type, errorText(message?.id ?? error.id, error));
    }
  },
});

/** Returns whether a request asks for its progress, which only a call of a tool has, and its client takes events. */
const wantsEvents = (message: Request, context: Context): boolean =>
  message.method === 'tools/call' &&
  context.get('Accept').includes(event_stream_type) &&
  progressOf(message, () => undefined) !== null;

/** A field that was sent twice is neither of its values. */
function mcpHeaders(raw: readonly string[]): McpHeaders {
  const header = (name: string): string | null => {
    const values = valuesOf(raw, name);
    return values.length === 0 ? null : values.join(', ').trim();
  };
  return { version: header('mcp-protocol-version'), method: header('mcp-method'), name: header('mcp-name') };
}

/** Returns what the sender of a request may use. */
function assistantOf({ daemon, daemon: { executions }, intake, streams }: Operator, { state }: Context): Assistant {
  if (state.actor === null) throw new TypeError('an endpoint for nobody');
  const { name, may_execute } = state.actor;
  const home = homeVia(daemon.home, 'mcp');
  const [page = ''] = pagesOf(home, { host: state.head.host, port: state.port });
  return {
    name,
    version: programVersion,
    withHome: async (use) => {
      // A call may wait while its token is revoked.
      streams.requireReader({ actor: state.actor, client: state });
      return use(home);
    },
    intake,
    readFiles: null,
    execute: may_execute === true ? (_home, id) => executions.request(id, name, 'mcp', true) : null,
    isServed: () => true,
    pageOf: (id) => `${page}/#/missions/${id}`,
    homeFlag: '',
  };
}

type Respond = (exchange: Pick<Exchange, 'signal' | 'progress'>) => Promise<Json>;
type Request = RpcMessage & { readonly id: NonNullable<RpcMessage['id']> };

/** Returns the progress of a request and then its response, as events. A fault ends the stream after its error, so that it is logged. */
function eventsOf(message: Request, respondInTurn: Respond, signal: AbortSignal): AsyncIterable<string> {
  const { id } = message;
  const events = new Readable({ read: () => undefined, encoding: 'utf8' });
  const send = (text: string): void => void events.push(`event: message\ndata: ${text}\n\n`);
  respondInTurn({ signal, progress: progressOf(message, send) }).then(
    (result) => {
      send(resultText(id, result));
      events.push(null);
    },
    (error: unknown) => {
      const { detail } = problemOf(error).problem.document;
      send(errorText(id, error instanceof RpcError ? error : new RpcError('internal_error', detail)));
      if (error instanceof RpcError) events.push(null);
      else events.destroy(error instanceof Error ? error : new Error(detail));
    },
  );
  return events as AsyncIterable<string>;
}

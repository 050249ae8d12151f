/**
 * POST /mcp: an AI assistant by the Model Context Protocol. Each request stands alone: there is no session, and GET is not served. The policy has
 * checked host, origin and token as for every endpoint.
 */
import { Readable } from 'node:stream';
import { homeVia } from '../../app/home/via.js';
import { programVersion } from '../../app/home/world.js';
import { isLoopbackHost } from '../../base/loopback.js';
import { type Assistant, type Exchange, progressOf } from '../../mcp/assistant.js';
import { type McpHeaders, readEnvelope, respond } from '../../mcp/protocol.js';
import { errorText, readMessage, resultText, RpcError, type RpcMessage } from '../../mcp/rpc.js';
import { type Context, goneSignal } from '../core/context.js';
import { type Endpoint, requireJson } from '../core/endpoint.js';
import { valuesOf } from '../core/head.js';
import { problemOf } from '../core/problem.js';
import { bytes, type BytesReply } from '../core/reply.js';
import { event_stream_type } from './events.js';
import { actorOf, type Operator } from './operator.js';

const json_type = 'application/json';

export const mcpEndpoint = (operator: Operator): Endpoint => ({
  method: 'POST',
  path: '/mcp',
  auth: 'reviewer',
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
      const { stopping } = operator;
      const exchange = { envelope, signal: AbortSignal.any([goneSignal(context), stopping]), showAddress: null };
      return await responseTo(assistantOf(operator, context), { ...message, id: message.id }, exchange, acceptsEvents(context));
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return bytes(error.status, json_type, errorText(message?.id ?? null, error));
    }
  },
});

const acceptsEvents = (context: Context): boolean => context.get('Accept').includes(event_stream_type);

/** A field that was sent twice is neither of its values. */
function mcpHeaders(raw: readonly string[]): McpHeaders {
  const one = (name: string): string | null => {
    const values = valuesOf(raw, name);
    return values.length === 0 ? null : values.join(', ').trim();
  };
  return { version: one('mcp-protocol-version'), method: one('mcp-method'), name: one('mcp-name') };
}

/** Returns what the sender of a request may use. */
function assistantOf({ daemon, intake }: Operator, { state }: Context): Assistant {
  const { name } = actorOf(state);
  const home = homeVia(daemon.home, 'mcp');
  const { host } = state.head;
  const scheme = host !== null && isLoopbackHost(host.replace(/:[0-9]+$/, '')) ? 'http' : 'https';
  return {
    name,
    version: programVersion,
    withHome: async (use) => use(home),
    intake,
    readFiles: null,
    execute: null,
    pageOf: (id) => (host === null ? null : `${scheme}://${host}/#/missions/${id}`),
  };
}

type Request = RpcMessage & { readonly id: NonNullable<RpcMessage['id']> };

/** Returns the response: as events, with the progress before it, where the client asks for progress and takes events. */
async function responseTo(
  assistant: Assistant,
  message: Request,
  exchange: Omit<Exchange, 'progress'>,
  takesEvents: boolean,
): Promise<BytesReply<200>> {
  const { id } = message;
  const events = new Readable({ read: () => undefined, encoding: 'utf8' });
  const send = (text: string): void => void events.push(`event: message\ndata: ${text}\n\n`);
  const progress = takesEvents ? progressOf(message, send) : null;
  const answer = respond(assistant, message, { ...exchange, progress }).then((result) => resultText(id, result));
  if (progress === null) return bytes(200, json_type, await answer);
  void answer
    .catch((error: unknown) => {
      if (error instanceof RpcError) return errorText(id, error);
      const { detail } = problemOf(error).problem.document;
      send(errorText(id, new RpcError('internal_error', detail)));
      throw error;
    })
    .then(
      (text) => {
        send(text);
        events.push(null);
      },
      (error: unknown) => events.destroy(error instanceof Error ? error : new Error(String(error))),
    );
  return bytes(200, event_stream_type, () => events as AsyncIterable<string>);
}

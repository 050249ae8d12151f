/** JSON-RPC 2.0 as the Model Context Protocol uses it: one message, read with the strict reader, and its error codes. */
import type { Json } from '../base/canonical-json.js';
import { fromUtf8 } from '../base/text.js';
import { type JsonNode, parseJsonNode } from '../base/json.js';
import { body_values_max } from '../base/limits.js';
import { isRefused } from '../base/refusal.js';

export type JsonObject = Readonly<Record<string, Json>>;
export type RequestId = string | number;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const rpcCodes = {
  parse_error: -32_700,
  invalid_request: -32_600,
  method_not_found: -32_601,
  invalid_params: -32_602,
  internal_error: -32_603,
  /** Only in revisions before 2026-07-28. */
  resource_not_found: -32_002,
  header_mismatch: -32_020,
  unsupported_version: -32_022,
} as const;

/** The error response to a request. */
export class RpcError extends Error {
  readonly code: number;
  /** @param status the HTTP status of the response; @param id of a request that is not accepted, null where it cannot be read */
  constructor(
    code: keyof typeof rpcCodes,
    message: string,
    readonly data?: Json,
    readonly status = 200,
    readonly id: RequestId | null = null,
  ) {
    super(message);
    this.name = 'RpcError';
    this.code = rpcCodes[code];
  }
}

export type RpcMessage = Readonly<ReturnType<typeof messageOf>>;

/** @throws RpcError for what is not one message; an array of several is none in either revision */
export function readMessage(bytes: Uint8Array): RpcMessage {
  const text = fromUtf8(bytes);
  if (text === null) throw malformed('not valid UTF-8', '');
  const parsed = parseJsonNode(text, { valuesMax: body_values_max });
  if (isRefused(parsed)) throw malformed(parsed.left.detail, text);
  return messageOf(parsed.right, text);
}

const malformed = (detail: string, text: string): RpcError =>
  new RpcError('parse_error', `the message is not accepted: ${detail}`, undefined, 400, idIn(text));
/** @param text of the message, whose id the response gets */
export const invalid = (detail: string, text: string): RpcError =>
  new RpcError('invalid_request', detail, undefined, 400, idIn(text));

const isId = (id: unknown): id is RequestId => typeof id === 'string' || Number.isSafeInteger(id);

/** Returns the id of what the strict reader refuses: without it, the sender of a request waits until its time is over. */
function idIn(text: string): RequestId | null {
  try {
    const { id } = JSON.parse(text) as JsonObject;
    return isId(id) ? id : null;
  } catch {
    return null;
  }
}

function messageOf({ value, members }: JsonNode, text: string) {
  if (!isObject(value)) throw invalid('the message must be one JSON object; batches are not accepted', text);
  const { id = null, method = null, params = {} } = value;
  if (value['jsonrpc'] !== '2.0') throw invalid('jsonrpc must be "2.0"', text);
  if (!isId(id) && (id !== null || 'id' in value)) throw invalid('id must be a string or an integer', text);
  if (typeof method !== 'string' && !(method === null && ('result' in value || 'error' in value)))
    throw invalid('method must be a string', text);
  if (!isObject(params)) throw invalid('params must be an object', text);
  const args = members?.get('params')?.members?.get('arguments');
  return {
    /** Null for a notification. */
    id,
    /** Null for a response to a request of this server. */
    method,
    params,
    /** The text of `params.arguments` as it was sent; empty without them. */
    argumentsText: args === undefined ? '' : text.slice(args.start, args.end),
  };
}

export const resultText = (id: RequestId, result: Json): string => JSON.stringify({ jsonrpc: '2.0', id, result });

/** @param id undefined for a notification */
export const requestText = (id: RequestId | undefined, method: string, params: JsonObject): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

/** @param id null where the request's id could not be read, which the response then leaves out */
export const errorText = (id: RequestId | null, { code, message, data }: Pick<RpcError, 'code' | 'message' | 'data'>): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    ...(id === null ? {} : { id }),
    error: { code, message, ...(data === undefined ? {} : { data }) },
  });

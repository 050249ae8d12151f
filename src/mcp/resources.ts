/** What an assistant reads by its address: exports and reports of approved results, and an example of each kind of mission. */
import type { Json } from '../base/canonical-json.js';
import type { Assistant } from './assistant.js';
import { type JsonObject, RpcError } from './rpc.js';

export const resourceTemplates: readonly JsonObject[] = [];

export const listResources = (_assistant: Assistant, _cursor: Json | undefined): JsonObject => ({ resources: [] });

export function readResource(_assistant: Assistant, uri: Json | undefined, isModern: boolean): JsonObject {
  throw new RpcError(isModern ? 'invalid_params' : 'resource_not_found', 'there is no such resource', { uri: uri ?? null });
}

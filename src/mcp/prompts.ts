/** Prompts that a person picks: how a mission of each kind is drafted, queued and read. */
import { kinds } from '../codec/kinds.js';
import { type JsonObject, RpcError } from './rpc.js';

export const promptList: readonly JsonObject[] = kinds.map((kind) => ({ name: kind }));

export function getPrompt({ name }: JsonObject): JsonObject {
  throw new RpcError('invalid_params', `there is no prompt ${JSON.stringify(name)}`);
}

/** The table of tools, and the call of one. */
import type { Json } from '../base/canonical-json.js';
import type { Assistant, Exchange } from './assistant.js';
import { readTools } from './read-tools.js';
import { isObject, type JsonObject, RpcError, type RpcMessage } from './rpc.js';
import type { Tool, ToolAnswer } from './tool.js';

const tools: ReadonlyMap<string, Tool> = new Map(readTools.map((tool) => [tool.listed.name, tool]));

export const toolList: readonly JsonObject[] = [...tools.values()].map(({ listed }) => listed);

/** Calls a tool. @throws RpcError for a name that no tool has */
export async function callTool(
  assistant: Assistant,
  { params, argumentsText }: RpcMessage,
  exchange: Exchange,
): Promise<JsonObject> {
  const { name, arguments: args = {}, inputResponses } = params;
  const tool = typeof name === 'string' ? tools.get(name) : undefined;
  if (tool === undefined) throw new RpcError('invalid_params', `there is no such tool; tools/list names them`);
  const isAnswered = isObject(inputResponses);
  return resultOf(await tool.call(args, { assistant, exchange, text: argumentsText, isAnswered }));
}

const resultOf = ({ text, document, links = [], isError }: ToolAnswer): JsonObject => ({
  content: [{ type: 'text', text }, ...links.map((link) => ({ type: 'resource_link', ...link }))],
  structuredContent: document as Json,
  ...(isError === undefined ? {} : { isError }),
});

/** The table of tools, and the call of one. */
import type { Json } from '../base/canonical-json.js';
import type { Assistant, Exchange } from './assistant.js';
import { draftTools } from './draft-tools.js';
import { readTools } from './read-tools.js';
import { resultTools } from './result-tools.js';
import { isObject, type JsonObject, RpcError, type RpcMessage } from './rpc.js';
import type { InputNeeded, Tool, ToolAnswer } from './tool.js';

const tools: ReadonlyMap<string, Tool> = new Map(
  [...draftTools, ...readTools, ...resultTools].map((tool) => [tool.listed.name, tool]),
);

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

function resultOf(answer: ToolAnswer | InputNeeded): JsonObject {
  if ('url' in answer) {
    const elicitation = { method: 'elicitation/create', params: { mode: 'url', ...answer } };
    return { resultType: 'input_required', inputRequests: { review: elicitation } };
  }
  const { text, document, links = [], isError } = answer;
  return {
    content: [{ type: 'text', text }, ...links.map((link) => ({ type: 'resource_link', ...link }))],
    structuredContent: document as Json,
    ...(isError === undefined ? {} : { isError }),
  };
}

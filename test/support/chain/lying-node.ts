/** A proxy before a node that changes its responses: those of a lying, broken or slow node. */
import { createServer, type ServerResponse } from 'node:http';
import { listening } from '../listening.js';

export interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
  /** How many calls of this method there were, with this one. */
  readonly nth: number;
}

/** Returns the result in place of the node's, or writes the response itself and returns nothing. */
type Lie = (call: Call, truth: unknown, response: ServerResponse) => unknown;

export interface LyingNode {
  readonly url: string;
  /** The calls so far. */
  readonly calls: readonly Call[];
  /** What it says from now on; null for the truth. */
  lie: Lie | null;
  readonly stop: () => Promise<void>;
}

const bodyOf = async (stream: AsyncIterable<Buffer>): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
};

/** @param at the port to listen on; a free one when absent */
export async function lyingNode(truthful: string, at = 0): Promise<LyingNode> {
  const calls: Call[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request);
      const { id, method, params } = JSON.parse(body) as Omit<Call, 'nth'>;
      const call = { id, method, params, nth: calls.filter((before) => before.method === method).length + 1 };
      calls.push(call);
      const headers = { 'content-type': 'application/json', connection: 'close' };
      const answer = (await (await fetch(truthful, { method: 'POST', headers, body })).json()) as { result?: unknown };
      const result = node.lie === null ? answer.result : await node.lie(call, answer.result, response);
      if (response.writableEnded || response.headersSent || response.destroyed) return;
      response.end(JSON.stringify('result' in answer ? { ...answer, result } : answer));
    })().catch(() => response.destroy());
  });
  const { port, close } = await listening(server, at);
  const node: LyingNode = {
    url: `http://127.0.0.1:${port}`,
    calls,
    lie: null,
    stop: close,
  };
  return node;
}

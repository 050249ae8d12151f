/**
 * Checks replies against their endpoint: a response that it does not announce is a fault, because clients are generated from the
 * announced ones.
 */
import { fromUtf8 } from '../../base/bytes.js';
import { Fault } from '../../base/fault.js';
import { isRefused } from '../../base/result.js';
import { decode } from '../../codec/kit.js';
import type { Endpoint } from './endpoint.js';
import type { JsonReply, JsonTextReply, Reply } from './reply.js';

/** Checks the status always, and the shape of JSON where `shape` is true. */
export function checkReply({ method, path, responses }: Endpoint, reply: Reply, shape: boolean): void {
  const announced = responses[reply.status];
  if (announced === undefined) throw new Fault(`${method} ${path} responded with ${reply.status}, which it does not announce`);
  if (!shape || (reply.kind !== 'json' && reply.kind !== 'text')) return;
  if (announced.body === undefined) throw new Fault(`${method} ${path} responded with JSON, which it does not announce`);
  const decoded = decode(announced.body, JSON.parse(textOf(reply)));
  if (isRefused(decoded)) throw new Fault(`${method} ${path} responded with another shape: ${decoded.left.detail}`);
}

function textOf(reply: JsonReply<number, unknown> | JsonTextReply<number, unknown>): string {
  if (reply.kind === 'json') return JSON.stringify(reply.body);
  const { text } = reply.body;
  return typeof text === 'string' ? text : (fromUtf8(text) ?? '');
}

/**
 * The response to a request that reached the boundary: its head, with the fields of every response, and its body, in one write.
 */
import { Fault } from '../../base/fault.js';
import type { Exchange } from './exchange.js';
import { securityHeaders } from './headers.js';

export type Fields = Readonly<Record<string, string>>;

const everyAnswer = Object.entries(securityHeaders).flat();

/** Sets the head that is sent with the first bytes of the body. Fields that were set on the response itself are sent with it. */
export function beginAnswer(exchange: Exchange, status: number, fields: Fields, close = false): void {
  const head = [...everyAnswer, 'X-Request-Id', exchange.id, ...(exchange.fields ?? [])];
  for (const [name, value] of Object.entries(fields)) {
    if (Object.hasOwn(securityHeaders, name)) throw new Fault(`a response has its own ${name}`);
    head.push(name, value);
  }
  if (close || exchange.line.last) head.push('Connection', 'close');
  // One list, checked and written once, costs a third of setting field after field.
  exchange.response.writeHead(status, head);
}

/** Sends a response with this body, which is left out for HEAD. Without a body the status is 204. */
export function giveAnswer(
  exchange: Exchange,
  status: number,
  fields: Fields,
  body: string | Uint8Array | null,
  close = false,
): void {
  const { request, response } = exchange;
  const length = body === null ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  beginAnswer(exchange, status, { ...fields, ...length }, close);
  if (body === null || request.method === 'HEAD') response.end();
  else response.end(body);
}

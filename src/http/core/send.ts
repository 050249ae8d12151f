/** How a reply becomes the response: koa's `ctx.body` is a text, or a stream of pages, each sent when the client has taken the one before. */
import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { fromUtf8 } from '../../base/bytes.js';
import { Fault } from '../../base/fault.js';
import { JsonText } from '../../base/json-text.js';
import { isRefused } from '../../base/result.js';
import { decode } from '../../codec/kit.js';
import type { Context } from './context.js';
import type { Endpoint } from './endpoint.js';
import type { EventsReply, Reply } from './reply.js';

/** A larger response is sent in pages of this size, each when the client has taken the one before. */
const http_page_bytes = 65_536;
/** A larger response that is made for one request waits in a private temporary file, not in memory. */
const http_held_bytes_max = 262_144;

const json_type = 'application/json; charset=utf-8';

/** Sets the response of a reply other than events. */
export async function send(context: Context, reply: Exclude<Reply, EventsReply>): Promise<void> {
  context.status = reply.status;
  context.set(reply.headers ?? {});
  context.set('Content-Type', reply.kind === 'bytes' ? reply.type : json_type);
  const body = reply.kind === 'json' ? textOf(reply.body) : reply.body;
  const length = Buffer.byteLength(body);
  if (typeof body !== 'string') context.body = Readable.from(pages(body), { objectMode: false });
  else context.body = length > http_held_bytes_max ? await heldPages(body) : body;
  context.length = length;
}

function textOf(body: unknown): string | Uint8Array {
  const text: unknown = body instanceof JsonText ? body.text : JSON.stringify(body);
  if (typeof text === 'string' || text instanceof Uint8Array) return text;
  throw new Fault('a handler responded with a value that is not JSON');
}

/** Yields the pages, and lets other requests be served between them: the operating system takes megabytes at once for each client. */
async function* pages(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += http_page_bytes) {
    yield body.subarray(at, at + http_page_bytes);
    if (at + http_page_bytes < body.length) await setImmediate();
  }
}

/** Returns the pages of a text, which is kept in a private file, without a name, until the client has taken it. */
async function heldPages(text: string): Promise<Readable> {
  const name = join(tmpdir(), `agent-cli-${randomUUID()}`);
  const file = await open(name, 'wx+', 0o600);
  try {
    await rm(name);
    await file.writeFile(text);
    return file.createReadStream({ start: 0, highWaterMark: http_page_bytes });
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Checks the status always, and the shape of JSON where `shape` is true: a response that its endpoint does not announce is a fault, because
 * clients are generated from the announced ones.
 */
export function checkReply({ method, path, responses }: Endpoint, reply: Reply, shape: boolean): void {
  const announced = responses[reply.status];
  if (announced === undefined) throw new Fault(`${method} ${path} responded with ${reply.status}, which it does not announce`);
  if (!shape || reply.kind !== 'json') return;
  if (announced.body === undefined) throw new Fault(`${method} ${path} responded with JSON, which it does not announce`);
  const text = textOf(reply.body);
  const decoded = decode(announced.body, JSON.parse(typeof text === 'string' ? text : (fromUtf8(text) ?? '')));
  if (isRefused(decoded)) throw new Fault(`${method} ${path} responded with another shape: ${decoded.left.detail}`);
}

/**
 * What a handler returns, whose type follows from the responses that the endpoint announces, and how it becomes the response: koa's
 * `ctx.body` is a text, or a stream of pages, each sent when the client has taken the one before.
 */
import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type * as t from 'io-ts';
import { fromUtf8 } from '../../base/bytes.js';
import { Fault } from '../../base/fault.js';
import { JsonText } from '../../base/json-text.js';
import { isRefused } from '../../base/result.js';
import { decode } from '../../codec/kit.js';
import { goneSignal, type Context } from './context.js';
import type { problem_type } from './problem.js';

type Headers = Readonly<Record<string, string>>;

interface Head<S extends number> {
  readonly status: S;
  readonly headers?: Headers;
  /** What the body never differs under: then clients may keep it, and it is sent compressed to those that accept that. */
  readonly version?: string;
}
export interface JsonReply<S extends number, A> extends Head<S> {
  readonly kind: 'json';
  /** A value, or JSON that was serialized before. */
  readonly body: A | JsonText<A>;
}
export interface BytesReply<S extends number> extends Head<S> {
  readonly kind: 'bytes';
  readonly type: string;
  /** Bytes are shared by all who ask for them; a text is made for one request. */
  readonly body: Uint8Array | string | OpenStream;
}
/** Opens a stream of texts when the response begins; it ends, or stops waiting, when the signal aborts. */
type OpenStream = (signal: AbortSignal) => AsyncIterable<string>;

export type Reply = JsonReply<number, unknown> | BytesReply<number>;

export const json = <const S extends number, const A>(status: S, body: A, headers: Headers = {}): JsonReply<S, A> => ({
  kind: 'json',
  status,
  body,
  headers,
});

export const bytes = <const S extends number>(
  status: S,
  type: string,
  body: BytesReply<S>['body'],
  headers: Headers = {},
): BytesReply<S> => ({ kind: 'bytes', status, type, body, headers });

/** Returns the reply with a version, such as the hash of what it shows and the name of its format. */
export const versioned = <R extends Reply>(version: string, reply: R): R => ({ ...reply, version });

export interface ResponseShape {
  readonly description: string;
  /** The names of the header fields that it may carry, besides those of every response. */
  readonly headers?: readonly string[];
  /** The shape of a JSON response. */
  readonly body?: t.Mixed;
  /** The media type of any other response. */
  readonly type?: string;
}

/** The announced responses by status. */
export type Responses = Readonly<Record<number, ResponseShape>>;

/** The replies that fit these responses. Problems are thrown, never returned as replies. */
export type ReplyTo<R extends Responses> = { [S in keyof R & number]: ReplyOf<S, R[S]> }[keyof R & number];

type ReplyOf<S extends number, Shape> = Shape extends { readonly body: { readonly _A: infer A } }
  ? JsonReply<S, A | JsonText<A>>
  : Shape extends { readonly type: typeof problem_type }
    ? never
    : Shape extends { readonly type: string }
      ? BytesReply<S>
      : never;

/** A larger response is sent in pages of this size, each when the client has taken the one before. */
const http_page_bytes = 65_536;
/** A larger text, which is made for one request, waits in a private temporary file, not in memory. */
const http_text_bytes_max = 262_144;
/** Bytes that all open responses together hold in memory; beyond them a large response waits in such a file, too. */
const http_held_bytes_max = 67_108_864;

const json_type = 'application/json; charset=utf-8';

/** Sets the response of a reply. */
export async function send(context: Context, reply: Reply): Promise<void> {
  context.status = reply.status;
  context.set(reply.headers ?? {});
  context.set('Content-Type', reply.kind === 'bytes' ? reply.type : json_type);
  const whole = reply.kind === 'json' ? textOf(reply.body) : reply.body;
  if (typeof whole === 'function') {
    context.body = Readable.from(whole(goneSignal(context, true)), { objectMode: false });
    return;
  }
  const body = reply.version === undefined ? whole : await representation(context, reply.version, whole);
  if (body === null) return;
  const length = Buffer.byteLength(body);
  const owner = typeof body === 'string' ? { byteLength: length } : body.buffer;
  const isHeld = (typeof body !== 'string' || length <= http_text_bytes_max) && hold(context.res, owner);
  if (!isHeld) context.body = await filePages(body);
  else context.body = typeof body === 'string' ? body : Readable.from(pages(body), { objectMode: false });
  context.length = length;
}

/**
 * Returns the body in the encoding that the client prefers, and sets the fields for what never changes (RFC 9111, RFC 8246); null with 304 for a client
 * that has it. Each encoding has a strong entity tag of its own (RFC 9110, section 8.8.3).
 */
async function representation(context: Context, version: string, body: Uint8Array | string): Promise<Uint8Array | string | null> {
  const isCompressed = context.acceptsEncodings('gzip', 'identity') === 'gzip';
  const tag = `"${version}${isCompressed ? '-gz' : ''}"`;
  context.vary('Accept-Encoding, Authorization');
  context.set({ 'Cache-Control': 'private, max-age=31536000, immutable', ETag: tag });
  // Not `context.fresh`: a page that sends tags itself sends no-cache too (Fetch standard), which koa takes for "send it again".
  const tags = context
    .get('If-None-Match')
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''));
  if (tags.includes(tag) || tags[0] === '*') {
    context.status = 304;
    context.remove('Content-Disposition');
    return null;
  }
  if (!isCompressed) return body;
  context.set('Content-Encoding', 'gzip');
  return compressed(body);
}

const compress = promisify(gzip);
/** The compressed forms of bytes that are shared, as long as these are held. */
const known = new WeakMap<Uint8Array, Promise<Buffer>>();

function compressed(body: Uint8Array | string): Promise<Buffer> {
  if (typeof body === 'string') return compress(body);
  const made = known.get(body) ?? compress(body);
  known.set(body, made);
  return made;
}

/**
 * The large bodies that open responses of all servers hold, and the number of responses for each: a result is one buffer for all who ask for it.
 */
const held = new Map<{ readonly byteLength: number }, number>();

/** Counts a body until the response is closed. Returns false, and counts nothing, if all together would be too large. */
function hold(res: ServerResponse, body: { readonly byteLength: number }): boolean {
  if (body.byteLength <= http_page_bytes || res.closed) return true;
  const others = [...held.keys()].reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (!held.has(body) && others + body.byteLength > http_held_bytes_max) return false;
  held.set(body, (held.get(body) ?? 0) + 1);
  res.once('close', () => {
    const left = (held.get(body) ?? 0) - 1;
    if (left > 0) held.set(body, left);
    else held.delete(body);
  });
  return true;
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

/** Returns the pages of a body, which is kept in a private file, without a name, until the client has taken it. */
async function filePages(body: string | Uint8Array): Promise<Readable> {
  const name = join(tmpdir(), `agent-cli-${randomUUID()}`);
  const file = await open(name, 'wx+', 0o600);
  try {
    await rm(name);
    await file.writeFile(body);
    return file.createReadStream({ start: 0, highWaterMark: http_page_bytes });
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The part of an endpoint that a reply is checked against. */
interface Announcement {
  readonly method: string;
  readonly path: string;
  readonly responses: Responses;
}

/**
 * Checks the status always, and the shape of JSON where `shape` is true: a response that its endpoint does not announce is a fault, because
 * clients are generated from the announced ones.
 */
export function checkReply({ method, path, responses }: Announcement, reply: Reply, shape: boolean): void {
  const announced = responses[reply.status];
  if (announced === undefined) throw new Fault(`${method} ${path} responded with ${reply.status}, which it does not announce`);
  if (!shape || reply.kind !== 'json') return;
  if (announced.body === undefined) throw new Fault(`${method} ${path} responded with JSON, which it does not announce`);
  const text = textOf(reply.body);
  const decoded = decode(announced.body, JSON.parse(typeof text === 'string' ? text : (fromUtf8(text) ?? '')));
  if (isRefused(decoded)) throw new Fault(`${method} ${path} responded with another shape: ${decoded.left.detail}`);
}

/**
 * What a handler returns, whose type follows from the responses that the endpoint announces, and how it becomes the response: koa's
 * `ctx.body` is a text, or a stream of pages, each sent when the client has taken the one before.
 */
import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
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
/** A larger text, which is made for one request, waits in a private temporary file, not in memory; so do bytes, which requests share. */
const http_text_bytes_max = 262_144;
const http_bytes_max = 1_048_576;

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
  if (length > (typeof body === 'string' ? http_text_bytes_max : http_bytes_max)) context.body = await filePages(body);
  else context.body = typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, length);
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
  return compress(body);
}

const compress = promisify(gzip);

function textOf(body: unknown): string | Uint8Array {
  const text: unknown = body instanceof JsonText ? body.text : JSON.stringify(body);
  if (typeof text === 'string' || text instanceof Uint8Array) return text;
  throw new Fault('a handler responded with a value that is not JSON');
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

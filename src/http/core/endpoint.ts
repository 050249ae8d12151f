/**
 * An endpoint as data: the router, the OpenAPI document and the contract tests are loops over one list of these. The codecs type
 * its handler: they decode every part of the input before it runs, first JSON (400), then shape (422), and the responses define what it may
 * return. By then the policy has accepted the request, which is complete and well-formed. Error messages never repeat input values.
 */
import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse as parseQuery } from 'node:querystring';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type * as t from 'io-ts';
import { fromUtf8 } from '../../base/text.js';
import { JsonText } from '../../base/json-text.js';
import { parseJsonBytes } from '../../base/json.js';
import { body_values_max } from '../../base/limits.js';
import { Fault, invalid, isRefused, RefusalError, unwrap } from '../../base/refusal.js';
import type { Fields } from '../../codec/field.js';
import { decode, object, type ObjectType } from '../../codec/kit.js';
import { type Access, type Actor, type Context, goneSignal } from './context.js';
import { valuesOf, type RawHeaders } from './head.js';
import { Denied, problem_type } from './problem.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Who sends a request, as its connection and head say. */
export interface Client {
  readonly address: string;
  /** The port on which the server took the connection. */
  readonly port: number;
  /** Host and port as in the request, in lowercase; null without them. */
  readonly host: string | null;
  /** The token that was sent; null for none. */
  readonly bearer: string | null;
}

type Auth = Access['auth'];

export interface Input<P, Q, H, B, A extends Auth = Auth> {
  readonly params: P;
  readonly query: Q;
  readonly headers: H;
  readonly body: B;
  /** The body as it was sent. */
  readonly bytes: Uint8Array;
  /** Null on a public endpoint. */
  readonly actor: ActorOn<A>;
  readonly client: Client;
  /** Aborts when the client is gone or the server's time to stop is over. */
  readonly signal: AbortSignal;
}

type ActorOn<A extends Auth> = A extends 'public' ? null : Actor;

interface Description extends Access {
  readonly summary: string;
  /** For a page: links to it may carry any query, which is ignored. */
  readonly ignoresQuery?: true;
  /** The shape of its JSON body, which an `optional` one need not have; absent if no body is accepted. */
  readonly body?: t.Mixed;
  readonly bodyRule?: 'optional';
  /** Every status that the handler may return; refusals need not be listed. */
  readonly responses: Responses;
}

interface Shape {
  readonly fields: Fields;
}

/** An endpoint whose codecs run inside `answer`; they are listed here for the OpenAPI document. */
export interface Endpoint extends Description {
  readonly method: Method;
  readonly path: string;
  readonly params?: Shape | undefined;
  readonly query?: Shape | undefined;
  readonly headers?: Shape | undefined;
  /**
   * Decodes the parts and calls the handler; null if the request has left HTTP.
   * @throws RefusalError and Denied for parts that do not fit
   */
  readonly answer: (context: Context) => Promise<Reply | null> | Reply;
}

type None = Readonly<Record<string, never>>;

interface Spec<P, Q, H, B, R extends Responses, A extends Auth> extends Description {
  /** Method and path, with the names of parameters in braces, as in `GET /api/missions/{id}`. */
  readonly route: `${Method} /${string}`;
  readonly auth: A;
  readonly params?: ObjectType<P>;
  /** The query parameters, as texts; absent if none are accepted. */
  readonly query?: ObjectType<Q>;
  /** The request's header fields that the handler reads, by their lowercase names. Others are ignored. */
  readonly headers?: ObjectType<H>;
  readonly responses: R;
  /** Handles the request; it throws `RefusalError` or `Denied` to refuse it. */
  readonly handle: (input: Input<P, Q, H, B, A>) => Promise<ReplyTo<R>> | ReplyTo<R>;
}

/** Parses a body before the other parts are decoded, and returns the function that decodes it after them. */
type ReadBody<B> = (bytes: Uint8Array, headers: RawHeaders) => () => B;

/**
 * An endpoint without a body.
 * @example endpoint({ route: 'GET /items/{id}', auth: 'viewer', summary: 'An item', params, responses: { 200: item }, handle })
 */
export const endpoint = <P = None, Q = None, H = None, const R extends Responses = Responses, A extends Auth = Auth>(
  spec: Spec<P, Q, H, null, R, A> & { readonly body?: never },
): Endpoint =>
  withBody(spec, (bytes) => () => {
    if (bytes.length > 0) throw new RefusalError(invalid('', 'the body must be empty'));
    return null;
  });

/** An endpoint that takes JSON of a shape. */
export const jsonEndpoint = <B, P = None, Q = None, H = None, const R extends Responses = Responses, A extends Auth = Auth>(
  spec: Spec<P, Q, H, B, R, A> & { readonly body: t.Type<B, unknown> },
): Endpoint =>
  withBody(spec, (bytes, headers) => {
    requireJson(headers);
    const value = unwrap(parseJsonBytes(bytes, { valuesMax: body_values_max }));
    if (valuesOf(headers, 'content-type').length === 0) throw new Denied(notJson);
    return () => unwrap(decode(spec.body, value));
  });

/**
 * An endpoint whose handler receives the JSON as sent and decodes it itself; `body` is its shape, and null stands for an optional one that is
 * absent. Any Content-Type and numbers of any size are accepted.
 */
export const untypedJsonEndpoint = <P = None, Q = None, H = None, const R extends Responses = Responses, A extends Auth = Auth>(
  spec: Spec<P, Q, H, unknown, R, A> & { readonly body: t.Mixed },
): Endpoint =>
  withBody(spec, (bytes, headers) => {
    requireIdentity(headers);
    const isAbsent = spec.bodyRule === 'optional' && bytes.length === 0;
    const value = isAbsent ? null : unwrap(parseJsonBytes(bytes, anyNumber));
    return () => value;
  });

/** Parser options that leave a number of any size to its codec. */
const anyNumber = { bigIntegers: 'round', overflow: 'infinite', valuesMax: body_values_max } as const;

/** Loosely typed: where a part is absent, only the defaults of the type parameters say that its type has no members. */
const nothing: t.Mixed = object('Nothing', {});
const no_bytes = new Uint8Array();

const partOf = <A>(shape: ObjectType<A> | undefined, texts: object): A => unwrap(decode<A>(shape ?? nothing, { ...texts }));

function withBody<P, Q, H, B, R extends Responses, A extends Auth>(
  spec: Spec<P, Q, H, B, R, A>,
  readBody: ReadBody<B>,
): Endpoint {
  const { handle, route, ...described } = spec;
  const [method, path] = route.split(' ') as [Method, string];
  const { params, query, headers, ignoresQuery = false } = described;
  const names = Object.keys(headers?.fields ?? {});
  const answer: Endpoint['answer'] = (context) => {
    const { state, req } = context;
    const { rawHeaders } = req;
    const bytes = state.body ?? no_bytes;
    const decodeBody = readBody(bytes, rawHeaders);
    return handle({
      params: partOf(params, context['params'] as object),
      query: partOf(query, ignoresQuery ? {} : parseQuery(context.querystring)),
      headers: partOf(headers, readFields(names, rawHeaders)),
      body: decodeBody(),
      bytes,
      // Without a token the policy has refused every other endpoint.
      actor: (spec.auth === 'public' ? null : state.actor) as ActorOn<A>,
      client: { address: state.address, port: state.port, host: state.head.host, bearer: state.bearer },
      get signal() {
        return goneSignal(context);
      },
    });
  };
  return { ...described, method, path, answer };
}

const jsonType = /^application\/json[ \t]*(?:;[ \t]*charset=(?:"utf-8"|utf-8)[ \t]*)?$/i;

const notJson = {
  code: 'unsupported_media_type',
  detail: 'the body must be application/json in UTF-8, and its Content-Type must say so',
} as const;

/** Refuses a body whose type is another than JSON. One without a type is refused once it has been read as JSON: what is none is malformed. */
export function requireJson(headers: RawHeaders): void {
  requireIdentity(headers);
  if (!valuesOf(headers, 'content-type').every((type) => jsonType.test(type))) throw new Denied(notJson);
}

function requireIdentity(headers: RawHeaders): void {
  if (valuesOf(headers, 'content-encoding').every((encoding) => encoding.toLowerCase() === 'identity')) return;
  throw new Denied({ code: 'unsupported_media_type', detail: 'a body with a Content-Encoding is not accepted' });
}

/** Returns the header fields of these names. @throws RefusalError for one that was sent twice */
function readFields(names: readonly string[], raw: RawHeaders): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const [value, ...more] = valuesOf(raw, name);
    if (more.length > 0) throw new RefusalError(invalid(name, 'must be sent once'));
    if (value !== undefined) found[name] = value;
  }
  return found;
}

// What a handler returns, whose type follows from the responses that the endpoint announces, and how it becomes the response: koa's `ctx.body` is
// a text, or a stream of pages, each sent when the client has taken the one before.

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

/** Returns the response of a refusal, for an endpoint's `responses`. */
export const problem = (description: string): ProblemShape => ({ description, type: problem_type });

interface ProblemShape extends ResponseShape {
  readonly type: typeof problem_type;
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
    .map((tag) => tag.trim().replace(/^W\//, ''));
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

/**
 * An endpoint as data: the router, the OpenAPI document and the contract tests are loops over one list of these. The codecs type
 * its handler: they decode every part of the input before it runs, first JSON (400), then shape (422), and the responses define what it may
 * return. By then the policy has accepted the request, which is complete and well-formed. Error messages never repeat input values.
 */
import { parse as parseQuery } from 'node:querystring';
import type * as t from 'io-ts';
import { parseJsonBytes } from '../../base/json.js';
import { body_values_max } from '../../base/limits.js';
import { invalid } from '../../base/refusal.js';
import { RefusalError, unwrap } from '../../base/result.js';
import type { Fields } from '../../codec/field.js';
import { decode, object, type ObjectType } from '../../codec/kit.js';
import { type Access, goneSignal, type Actor, type Context } from './context.js';
import { valuesOf, type RawHeaders } from './head.js';
import { Denied } from './problem.js';
import type { Reply, ReplyTo, Responses } from './reply.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Who sends a request, as its connection and head say. */
export interface Client {
  readonly address: string;
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

/** An endpoint without a body. */
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
      client: { address: state.address, host: state.head.host, bearer: state.bearer },
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

/**
 * An endpoint as data: the router, the OpenAPI document and the contract tests are loops over one list of these. The codecs type
 * its handler: they decode every part of the input before it runs, and the responses define what it may return. By then the
 * policy has accepted the request, which is complete and well-formed.
 */
import { parse as parseQuery } from 'node:querystring';
import type * as t from 'io-ts';
import type { Fields } from '../../codec/field.js';
import { unwrap } from '../../base/result.js';
import { decode, object, type ObjectType } from '../../codec/kit.js';
import { goneSignal, type Actor, type Context, type Role } from './context.js';
import { jsonBody, type Inspect, noBody, optionalJsonBody, readFields, untypedJsonBody, type BodyReader } from './input.js';
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

export interface Input<P, Q, H, B> {
  readonly params: P;
  readonly query: Q;
  readonly headers: H;
  readonly body: B;
  /** Null on a public endpoint. */
  readonly actor: Actor | null;
  readonly client: Client;
  /** Aborts when the client is gone or the server's time to stop is over. */
  readonly signal: AbortSignal;
}

interface Description {
  readonly method: Method;
  /** The path, with the names of parameters in braces, as in `/api/missions/{id}`. */
  readonly path: string;
  readonly auth: 'public' | Role;
  readonly summary: string;
  /** For a page: links to it may carry any query, which is ignored. */
  readonly ignoresQuery?: true;
  /** Every status that the handler may return; refusals need not be listed. */
  readonly responses: Responses;
}

interface Shape {
  readonly fields: Fields;
}

/** An endpoint whose codecs run inside `answer`; they are listed here for the OpenAPI document. */
export interface Endpoint extends Description {
  readonly params?: Shape | undefined;
  readonly query?: Shape | undefined;
  readonly headers?: Shape | undefined;
  readonly body?: t.Mixed | undefined;
  /** Whether the body is optional or required. */
  readonly bodyRule?: 'optional' | undefined;
  /**
   * Decodes the parts and calls the handler; null if the request has left HTTP.
   * @throws RefusalError and Denied for parts that do not fit
   */
  readonly answer: (context: Context) => Promise<Reply | null> | Reply;
}

type None = Readonly<Record<string, never>>;

interface Spec<P, Q, H, B, R extends Responses> extends Description {
  /** The query parameters, as texts; absent if none are accepted. */
  readonly params?: ObjectType<P>;
  readonly query?: ObjectType<Q>;
  /** The request's header fields that the handler reads, by their lowercase names. Others are ignored. */
  readonly headers?: ObjectType<H>;
  readonly responses: R;
  /** Handles the request; it throws `RefusalError` or `Denied` to refuse it. */
  readonly handle: (input: Input<P, Q, H, B>) => Promise<ReplyTo<R>> | ReplyTo<R>;
}

/** An endpoint without a body. */
export const endpoint = <P = None, Q = None, H = None, const R extends Responses = Responses>(
  spec: Spec<P, Q, H, null, R>,
): Endpoint => withBody(spec, noBody);

/** An endpoint that takes JSON of a shape. */
export const jsonEndpoint = <B, P = None, Q = None, H = None, const R extends Responses = Responses>(
  spec: Spec<P, Q, H, B, R> & { readonly body: t.Type<B, unknown>; readonly inspect?: Inspect<B> },
): Endpoint => ({ ...withBody(spec, jsonBody(spec.body, spec.inspect)), body: spec.body });

/**
 * An endpoint whose JSON body is optional: without one the handler receives null. Any Content-Type and numbers of any size are
 * accepted.
 */
export const optionalJsonEndpoint = <B, P = None, Q = None, H = None, const R extends Responses = Responses>(
  spec: Spec<P, Q, H, B | null, R> & { readonly body: t.Type<B, unknown> },
): Endpoint => ({ ...withBody(spec, optionalJsonBody(spec.body)), body: spec.body, bodyRule: 'optional' });

/**
 * An endpoint whose handler receives the JSON as sent and decodes it itself; `body` is its shape. The JSON is read as for an
 * optional body.
 */
export const untypedJsonEndpoint = <P = None, Q = None, H = None, const R extends Responses = Responses>(
  spec: Spec<P, Q, H, unknown, R> & { readonly body: t.Mixed },
): Endpoint => ({ ...withBody(spec, untypedJsonBody), body: spec.body });

/** Loosely typed: where a part is absent, only the defaults of the type parameters say that its type has no members. */
const nothing: t.Mixed = object('Nothing', {});
const no_bytes = new Uint8Array();

const partOf = <A>(shape: ObjectType<A> | undefined, texts: object): A => unwrap(decode<A>(shape ?? nothing, { ...texts }));

function withBody<P, Q, H, B, R extends Responses>(spec: Spec<P, Q, H, B, R>, reader: BodyReader<B>): Endpoint {
  const { handle, ...described } = spec;
  const { params, query, headers, ignoresQuery = false } = described;
  const names = Object.keys(headers?.fields ?? {});
  const answer: Endpoint['answer'] = (context) => {
    const { req, state } = context;
    const { rawHeaders } = req;
    const body = state.body ?? no_bytes;
    const json = reader.parse(rawHeaders, body);
    const client: Client = { address: state.address, host: state.head.host, bearer: state.bearer };
    return handle({
      params: partOf(params, context['params'] as object),
      query: partOf(query, ignoresQuery ? {} : parseQuery(context.querystring)),
      headers: partOf(headers, readFields(names, rawHeaders)),
      body: reader.decode(json, body),
      actor: spec.auth === 'public' ? null : state.actor,
      client,
      get signal() {
        return goneSignal(context);
      },
    });
  };
  return { ...described, answer };
}

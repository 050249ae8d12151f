/**
 * An endpoint as data: the router, the OpenAPI document and the contract tests are loops over one list of these. The codecs type
 * its handler: they decode every part of the input before it runs, and the responses define what it may return. By then the
 * policy has accepted the request, which is complete and well-formed.
 */
import type * as t from 'io-ts';
import type { Fields } from '../../codec/field.js';
import { object, type ObjectType } from '../../codec/kit.js';
import type { Actor, Role } from './actor.js';
import {
  bytesBody,
  jsonBody,
  type Inspect,
  noBody,
  optionalJsonBody,
  decodeTexts,
  readFields,
  untypedJsonBody,
  type BodyReader,
} from './input.js';
import type { Exchange } from './exchange.js';
import type { RawHeaders } from './headers.js';
import type { Later } from './later.js';
import type { Reply } from './reply.js';
import type { ReplyTo, Responses } from './responses.js';
import { bearerOf } from './tokens.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The parts of a request as received. */
export interface Parts {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | string[] | undefined>>;
  readonly headers: RawHeaders;
  /** Null unless the request is a mutation. */
  readonly body: Uint8Array | null;
}

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
  readonly requestId: string;
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
  /** If true, it is served on reserved connections too, when all others are taken. */
  readonly reserved?: true;
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
  readonly body?: t.Mixed | 'bytes' | undefined;
  /** Whether the body is optional or required. */
  readonly bodyRule?: 'optional' | undefined;
  /** Decodes the parts and calls the handler. @throws RefusalError and Denied for parts that do not fit */
  readonly answer: (parts: Parts, exchange: Exchange) => Later<Reply>;
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
  readonly handle: (input: Input<P, Q, H, B>) => Later<ReplyTo<R>>;
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

/** An endpoint that takes its body as bytes. */
export const bytesEndpoint = <P = None, Q = None, H = None, const R extends Responses = Responses>(
  spec: Spec<P, Q, H, Uint8Array, R>,
): Endpoint => ({ ...withBody(spec, bytesBody), body: 'bytes' });

/** Loosely typed: where a part is absent, only the defaults of the type parameters say that its type has no members. */
const nothing: t.Mixed = object('Nothing', {});

/** Returns the decoder of a part. Most endpoints read few parts, so the result for an absent one is made once. */
function decoderOf<A>(shape: ObjectType<A> | undefined): (texts: object) => A {
  if (shape !== undefined) return (texts) => decodeTexts(shape, texts);
  const none = decodeTexts<A>(nothing, {});
  return (texts) => (Object.keys(texts).length === 0 ? none : decodeTexts<A>(nothing, texts));
}

function withBody<P, Q, H, B, R extends Responses>(spec: Spec<P, Q, H, B, R>, reader: BodyReader<B>): Endpoint {
  const { method, path, auth, summary, params, query, headers, responses, handle } = spec;
  const [paramsOf, queryOf, headersOf] = [decoderOf(params), decoderOf(query), decoderOf(headers)];
  const headerNames = Object.keys(headers?.fields ?? {});
  const isPublic = auth === 'public';
  const answer: Endpoint['answer'] = (parts, exchange) => {
    const json = reader.parse(parts.headers, parts.body);
    const input = new HandlerInput(
      paramsOf(parts.params),
      queryOf(spec.ignoresQuery === true ? {} : parts.query),
      headersOf(readFields(headerNames, parts.headers)),
      reader.decode(json, parts.body),
      isPublic ? null : exchange.actor,
      exchange,
    );
    // A large body has had its turn, however long the handler takes.
    exchange.onDecoded?.();
    return handle(input);
  };
  const ignores = spec.ignoresQuery === undefined ? {} : { ignoresQuery: spec.ignoresQuery };
  const place = spec.reserved === undefined ? {} : { reserved: spec.reserved };
  return { method, path, auth, summary, params, query, headers, ...ignores, ...place, responses, answer };
}

/** The input of a handler. A class, because the signal is costly: it is made only on first use. */
class HandlerInput<P, Q, H, B> implements Input<P, Q, H, B> {
  constructor(
    readonly params: P,
    readonly query: Q,
    readonly headers: H,
    readonly body: B,
    readonly actor: Actor | null,
    private readonly exchange: Exchange,
  ) {}

  get client(): Client {
    const { address, head, request } = this.exchange;
    return { address, host: head.host, bearer: bearerOf(request.rawHeaders) };
  }

  get requestId(): string {
    return this.exchange.id;
  }

  get signal(): AbortSignal {
    return this.exchange.signal;
  }
}

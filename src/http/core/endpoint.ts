/**
 * An endpoint as data: the router, the OpenAPI document and the contract tests are loops over one list of these. Its handler is typed by its
 * codecs: they decode every part of the input before it runs, and the responses say what it may return. By then the policy has judged the
 * request, which is whole and clean.
 */
import type * as t from 'io-ts';
import type { Fields } from '../../codec/field.js';
import { object, type ObjectType } from '../../codec/kit.js';
import type { Actor, Role } from './actor.js';
import {
  bytesBody,
  jsonBody,
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

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The parts of a request as they came. */
export interface Parts {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | string[] | undefined>>;
  readonly headers: RawHeaders;
  /** Null unless the request is a mutation. */
  readonly body: Uint8Array | null;
}

export interface Input<P, Q, H, B> {
  readonly params: P;
  readonly query: Q;
  readonly headers: H;
  readonly body: B;
  /** Null on a public endpoint. */
  readonly actor: Actor | null;
  readonly requestId: string;
  /** Aborts when the client is gone or the server's time to stop is over. */
  readonly signal: AbortSignal;
}

interface Description {
  readonly method: Method;
  /** Has the names of parameters in braces, as in `/api/missions/{id}`. */
  readonly path: string;
  readonly auth: 'public' | Role;
  readonly summary: string;
  /** For a page: links to it may carry anything behind a question mark, and mean nothing by it. */
  readonly ignoresQuery?: true;
  /** Every status that the handler may return; refusals need not be listed. */
  readonly responses: Responses;
}

interface Shape {
  readonly fields: Fields;
}

/** An endpoint whose codecs are at work inside `answer`; what they are is there for the OpenAPI document. */
export interface Endpoint extends Description {
  readonly params?: Shape | undefined;
  readonly query?: Shape | undefined;
  readonly headers?: Shape | undefined;
  readonly body?: t.Mixed | 'bytes' | undefined;
  /** Whether a body must be there. */
  readonly bodyRule?: 'optional' | undefined;
  /** Decodes the parts and calls the handler. @throws RefusalError and Denied for parts that do not fit */
  readonly answer: (parts: Parts, exchange: Exchange) => Later<Reply>;
}

type None = Readonly<Record<string, never>>;

interface Spec<P, Q, H, B, R extends Responses> extends Description {
  /** Absent: none are accepted. Values arrive as texts. */
  readonly params?: ObjectType<P>;
  readonly query?: ObjectType<Q>;
  /** The request's header fields that the handler reads, by their names in lower case. Others are ignored. */
  readonly headers?: ObjectType<H>;
  readonly responses: R;
  /** What it refuses, it throws: `RefusalError` or `Denied`. */
  readonly handle: (input: Input<P, Q, H, B>) => Later<ReplyTo<R>>;
}

/** An endpoint without a body. */
export const endpoint = <P = None, Q = None, H = None, const R extends Responses = Responses>(
  spec: Spec<P, Q, H, null, R>,
): Endpoint => withBody(spec, noBody);

/** An endpoint that takes JSON of a shape. */
export const jsonEndpoint = <B, P = None, Q = None, H = None, const R extends Responses = Responses>(
  spec: Spec<P, Q, H, B, R> & { readonly body: t.Type<B, unknown> },
): Endpoint => ({ ...withBody(spec, jsonBody(spec.body)), body: spec.body });

/** The same where the body may be left out: then the handler is given null. JSON whatever Content-Type says, with numbers of any size. */
export const optionalJsonEndpoint = <B, P = None, Q = None, H = None, const R extends Responses = Responses>(
  spec: Spec<P, Q, H, B | null, R> & { readonly body: t.Type<B, unknown> },
): Endpoint => ({ ...withBody(spec, optionalJsonBody(spec.body)), body: spec.body, bodyRule: 'optional' });

/** The handler is given the JSON as it came and decodes it itself; `body` is its shape. JSON as for an optional one. */
export const untypedJsonEndpoint = <P = None, Q = None, H = None, const R extends Responses = Responses>(
  spec: Spec<P, Q, H, unknown, R> & { readonly body: t.Mixed },
): Endpoint => ({ ...withBody(spec, untypedJsonBody), body: spec.body });

/** An endpoint that takes its body as bytes. */
export const bytesEndpoint = <P = None, Q = None, H = None, const R extends Responses = Responses>(
  spec: Spec<P, Q, H, Uint8Array, R>,
): Endpoint => ({ ...withBody(spec, bytesBody), body: 'bytes' });

/** Loosely typed: where a part is absent, only the defaults of the type parameters say that its type is that of no members. */
const nothing: t.Mixed = object('Nothing', {});

/** Most endpoints read few parts: what an absent one decodes to is made once. */
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
      reader.decode(json),
      isPublic ? null : exchange.actor,
      exchange,
    );
    return handle(input);
  };
  const ignores = spec.ignoresQuery === undefined ? {} : { ignoresQuery: spec.ignoresQuery };
  return { method, path, auth, summary, params, query, headers, ...ignores, responses, answer };
}

/** A class, because the signal costs something: it is made only where it is asked for. */
class HandlerInput<P, Q, H, B> implements Input<P, Q, H, B> {
  constructor(
    readonly params: P,
    readonly query: Q,
    readonly headers: H,
    readonly body: B,
    readonly actor: Actor | null,
    private readonly exchange: Exchange,
  ) {}

  get requestId(): string {
    return this.exchange.id;
  }

  get signal(): AbortSignal {
    return this.exchange.signal;
  }
}

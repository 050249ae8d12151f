/**
 * An endpoint as data: the router, the OpenAPI document and the contract tests are loops over one list of these. The boundary has
 * decoded every part of the input before the handler runs, and knows by then that the request is whole and clean.
 */
import type * as t from 'io-ts';
import type { Result } from '../../base/result.js';
import type { ObjectType } from '../../codec/kit.js';
import type { Actor, Role } from './actor.js';
import type { Reply } from './reply.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

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

export interface ResponseShape {
  readonly description: string;
  /** Of a JSON answer. */
  readonly body?: t.Mixed;
  /** Of any other answer. */
  readonly type?: string;
}

export interface Endpoint<P = unknown, Q = unknown, H = unknown, B = unknown> {
  readonly method: Method;
  /** With names in braces, as in `/api/missions/{id}`. */
  readonly path: string;
  readonly auth: 'public' | Role;
  readonly summary: string;
  /** Absent: none are accepted. Values arrive as texts. */
  readonly params?: ObjectType<P>;
  readonly query?: ObjectType<Q>;
  /** Of a page: links to it may carry anything behind a question mark, and mean nothing by it. */
  readonly ignoresQuery?: true;
  /** The request's header fields that the handler reads, by their names in lower case. Others are ignored. */
  readonly headers?: ObjectType<H>;
  /** Of a mutation: JSON of this shape, `bytes` as they stand, or, when absent, an empty body. */
  readonly body?: t.Type<B, unknown> | 'bytes';
  /**
   * `optional`: without a body the handler is given null. `own`: the handler is given the JSON as it came and decodes it itself. Both
   * are taken for JSON whatever Content-Type says, and the codec judges numbers of any size.
   */
  readonly bodyRule?: 'optional' | 'own';
  /** Every status that the handler answers; refusals need not be listed. */
  readonly responses: Readonly<Record<number, ResponseShape>>;
  handle(input: Input<P, Q, H, B>): Promise<Result<Reply>> | Result<Reply>;
}

type None = Readonly<Record<string, never>>;
type Body<B> = { readonly body: t.Type<B, unknown> } | { readonly body?: never };

/** An endpoint whose handler is typed by its codecs. */
export const endpoint = <P = None, Q = None, H = None, B = null>(
  one: Omit<Endpoint<P, Q, H, B>, 'body' | 'bodyRule'> & Body<B>,
): Endpoint => one as Endpoint;

/** An endpoint whose handler is typed by its codecs, but for the body, which comes as JSON or null. */
export const jsonEndpoint = <P = None, Q = None, H = None>(
  one: Omit<Endpoint<P, Q, H>, 'body' | 'bodyRule'> & { readonly body: t.Mixed; readonly bodyRule: 'optional' | 'own' },
): Endpoint => one as Endpoint;

/** An endpoint that takes its body as bytes. */
export const bytesEndpoint = <P = None, Q = None, H = None>(one: Omit<Endpoint<P, Q, H, Uint8Array>, 'body'>): Endpoint =>
  ({ ...one, body: 'bytes' }) as Endpoint;

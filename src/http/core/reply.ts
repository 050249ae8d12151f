/**
 * What a handler returns: JSON, unchanged bytes, or a stream of events. Its type follows from the responses that the endpoint announces.
 */
import type * as t from 'io-ts';
import type { JsonText } from '../../base/json-text.js';
import type { problem_type } from './problem.js';

export const event_stream_type = 'text/event-stream';

export interface FeedItem {
  /** The sequence of an entry; the client sends the last one back to resume. Null for an item that is not sent again. */
  readonly id: number | null;
  readonly event: string;
  readonly data: unknown;
}

type Headers = Readonly<Record<string, string>>;

interface Head<S extends number> {
  readonly status: S;
  readonly headers?: Headers;
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
  readonly body: Uint8Array | string;
}
export interface EventsReply {
  readonly kind: 'events';
  readonly status: 200;
  /** Opens the events once the response has begun; they end, or stop waiting, when the signal aborts. */
  readonly open: (signal: AbortSignal) => AsyncIterable<FeedItem>;
}
export type Reply = JsonReply<number, unknown> | BytesReply<number> | EventsReply;

export const json = <const S extends number, const A>(status: S, body: A, headers: Headers = {}): JsonReply<S, A> => ({
  kind: 'json',
  status,
  body,
  headers,
});

export const bytes = <const S extends number>(
  status: S,
  type: string,
  body: Uint8Array | string,
  headers: Headers = {},
): BytesReply<S> => ({ kind: 'bytes', status, type, body, headers });

export const events = (open: EventsReply['open']): EventsReply => ({ kind: 'events', status: 200, open });

export interface ResponseShape {
  readonly description: string;
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
    : Shape extends { readonly type: typeof event_stream_type }
      ? EventsReply
      : Shape extends { readonly type: string }
        ? BytesReply<S>
        : never;

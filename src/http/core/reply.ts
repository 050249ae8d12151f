/** What a handler returns: JSON, unchanged bytes, nothing, or a stream of events. The type fixes the status and the shape. */
import type { JsonText } from '../../base/json-text.js';

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
  readonly body: A;
}
/** JSON that was serialized before. */
export interface JsonTextReply<S extends number, A> extends Head<S> {
  readonly kind: 'text';
  readonly body: JsonText<A>;
}
export interface BytesReply<S extends number> extends Head<S> {
  readonly kind: 'bytes';
  readonly type: string;
  readonly body: Uint8Array | string;
}
export interface EmptyReply extends Head<204> {
  readonly kind: 'empty';
}
export interface EventsReply {
  readonly kind: 'events';
  readonly status: 200;
  /** Opens the events once the response has begun; they end, or stop waiting, when the signal aborts. */
  readonly open: (signal: AbortSignal) => AsyncIterable<FeedItem>;
}
export type Reply = JsonReply<number, unknown> | JsonTextReply<number, unknown> | BytesReply<number> | EmptyReply | EventsReply;

export const json_type = 'application/json; charset=utf-8';

export const json = <const S extends number, const A>(status: S, body: A, headers: Headers = {}): JsonReply<S, A> => ({
  kind: 'json',
  status,
  body,
  headers,
});

export const jsonText = <const S extends number, A>(status: S, body: JsonText<A>): JsonTextReply<S, A> => ({
  kind: 'text',
  status,
  body,
});

export const bytes = <const S extends number>(
  status: S,
  type: string,
  body: Uint8Array | string,
  headers: Headers = {},
): BytesReply<S> => ({ kind: 'bytes', status, type, body, headers });

export const empty = (headers: Headers = {}): EmptyReply => ({ kind: 'empty', status: 204, headers });

export const events = (open: EventsReply['open']): EventsReply => ({ kind: 'events', status: 200, open });

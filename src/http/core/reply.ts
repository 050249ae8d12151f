/** What a handler answers: JSON, bytes as they stand, nothing, or a stream of events. */
export interface FeedItem {
  /** The sequence of an entry; the client sends the last one back to resume. Null for what is not sent again. */
  readonly id: number | null;
  readonly event: string;
  readonly data: unknown;
}

interface Fields {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}
export interface JsonReply extends Fields {
  readonly kind: 'json';
  readonly body: unknown;
}
export interface BytesReply extends Fields {
  readonly kind: 'bytes';
  readonly type: string;
  readonly body: Uint8Array | string;
}
export interface EmptyReply extends Fields {
  readonly kind: 'empty';
  readonly status: 204;
}
export interface EventsReply {
  readonly kind: 'events';
  readonly status: 200;
  /** Opened once the answer has begun; it ends, or stops waiting, when the signal aborts. */
  readonly open: (signal: AbortSignal) => AsyncIterable<FeedItem>;
}
export type Reply = JsonReply | BytesReply | EmptyReply | EventsReply;

export const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply => ({
  kind: 'json',
  status,
  body,
  headers,
});

export const json_type = 'application/json; charset=utf-8';

export const bytes = (
  status: number,
  type: string,
  body: Uint8Array | string,
  headers: Readonly<Record<string, string>> = {},
): Reply => ({ kind: 'bytes', status, type, body, headers });

export const empty = (headers: Readonly<Record<string, string>> = {}): Reply => ({ kind: 'empty', status: 204, headers });

export const events = (open: EventsReply['open']): Reply => ({ kind: 'events', status: 200, open });

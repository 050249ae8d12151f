/** The responses that an endpoint announces, and the replies that its handler may therefore return. */
import type * as t from 'io-ts';
import type { problem_type } from './problem.js';
import type { BytesReply, EmptyReply, EventsReply, JsonReply, JsonTextReply } from './reply.js';
import type { event_stream_type } from './sse.js';

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
  ? JsonReply<S, A> | JsonTextReply<S, A>
  : Shape extends { readonly type: typeof problem_type }
    ? never
    : Shape extends { readonly type: typeof event_stream_type }
      ? EventsReply
      : Shape extends { readonly type: string }
        ? BytesReply<S>
        : S extends 204
          ? EmptyReply
          : never;

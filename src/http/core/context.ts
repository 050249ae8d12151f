/** A request on its way: koa's context, whose `state` holds what each middleware found out. */
import type { Socket } from 'node:net';
import type Koa from 'koa';
import { peopleRoles, type PeopleRole, type TokenOwner } from '../../codec/events/token.js';
import type { Via } from '../../codec/scalars.js';
import type { Connection } from './connection.js';
import type { Head } from './head.js';

/** What a token of each role permits: viewers read, reviewers also work on missions, admins do everything. */
export type Role = PeopleRole;

export interface Actor extends TokenOwner {
  readonly via: Via;
}

/** Whom an endpoint is for. */
export interface Access {
  /** The least role of a person. */
  readonly auth: 'public' | Role;
  /** Whether an agent may use it too: each one, or only one that may execute. Absent for none. */
  readonly agent?: 'any' | 'may_execute';
}

/** Returns why an actor may not use an endpoint; null if it may. */
export function denialReason({ role, may_execute }: Actor, { auth, agent }: Access): string | null {
  if (auth === 'public') return null;
  if (role !== 'agent')
    return peopleRoles.indexOf(role) >= peopleRoles.indexOf(auth) ? null : `this needs a token of the role ${auth}`;
  if (agent === undefined) return 'a token of the role agent may not do this';
  return agent === 'any' || may_execute === true ? null : 'this token was made without --may-execute';
}

export interface RequestState {
  readonly id: string;
  /** The address of the client; a policy that trusts a proxy changes it from that of the connection. */
  address: string;
  /** The port on which the server took the connection, whatever the head says. */
  readonly port: number;
  readonly head: Head;
  /** The token of its Authorization field; null for none, empty for anything that is not one token. */
  readonly bearer: string | null;
  readonly connection: Connection;
  /** For a request for another protocol that the server wants; null for any other. */
  readonly upgrade: Upgrade | null;
  /** The route of the path; the policy sets it. */
  route: Route | null;
  /** The template of the endpoint, for log and metrics. */
  template: string;
  actor: Actor | null;
  /** The body of a mutation, once it is read completely. */
  body: Buffer | null;
}

/** What is known of a path and method before the endpoint has the request. */
export interface Route {
  /** Whom the endpoint is for; null for an unknown path or method. GET responds to HEAD. */
  readonly access: Access | null;
  /** Methods of the endpoints at the path; none for an unknown path. */
  readonly methods: readonly string[];
  /** Whether no token is needed. */
  readonly open: boolean;
  /** The template of the path, whatever its method; empty for an unknown path. */
  readonly template: string;
}

export interface Upgrade {
  /** The bytes that arrived after the head. */
  readonly early: Buffer;
  /** Returns the socket: from then on the HTTP server neither reads it, writes to it, nor ends it. */
  readonly release: () => Socket;
}

export type Context = Koa.ParameterizedContext<RequestState>;
export type Middleware = (context: Context, next: () => Promise<void>) => Promise<void>;

/**
 * Returns a signal that aborts when the response is sent or can no longer be sent; that of a stream without an end aborts also when the client
 * ends its side of the connection.
 */
export function goneSignal({ req: { socket }, res }: Context, isStream = false): AbortSignal {
  const gone = new AbortController();
  const end = (): void => {
    socket.off('end', end);
    gone.abort();
  };
  if (res.closed || (isStream && socket.readableEnded)) end();
  if (isStream) socket.once('end', end);
  res.once('close', end);
  return gone.signal;
}

/**
 * Returns the value, or null when the signal aborts first or the time is over. Not `Promise.race`, which would keep every item on one
 * long-lived promise.
 */
export const untilAborted = <A>(value: Promise<A>, signal: AbortSignal, ms?: number): Promise<A | null> =>
  new Promise((resolve, reject) => {
    const forget = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    };
    const stop = (): void => {
      forget();
      resolve(null);
    };
    const timer = ms === undefined ? undefined : setTimeout(stop, ms);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    value.then(resolve, reject).finally(forget);
  });

/**
 * Requests for another protocol (RFC 9110, section 7.8). A server may ignore the request: without a taker, the Upgrade field is
 * ignored. Otherwise the request leaves HTTP with its socket, or is refused with a whole response.
 */
import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FieldError } from '../../base/refusal.js';
import type { Denial } from './problem.js';
import { valuesOf } from './headers.js';

/** One request for another protocol. */
export interface UpgradeOffer {
  readonly id: string;
  /** The request; its `url` is in origin form. */
  readonly request: IncomingMessage;
  /** The denial of its head, or null. */
  readonly denial: Denial | null;
  readonly socket: Socket;
  /** The bytes that arrived after the head. */
  readonly early: Buffer;
  readonly address: string;
  /** Responds in HTTP and ends the connection gently. */
  readonly refuse: (denial: Denial, errors?: readonly FieldError[]) => void;
  /** Returns the socket: from then on the HTTP server neither reads it, writes to it, nor ends it. */
  readonly release: () => Socket;
}

export interface Upgrades {
  /** The template of the path, for log and metrics. */
  readonly route: string;
  /** Whether `take` decides; the endpoints respond to other requests. */
  readonly wants: (request: IncomingMessage) => boolean;
  readonly take: (offer: UpgradeOffer) => void;
}

/** Returns the path of a target in origin or absolute form, without its query. */
export const pathOf = (target: string): string => /^(?:https?:\/\/[^/?#]*)?([^?#]*)/i.exec(target)?.[1] ?? '';

/** Returns whether a field that is a list of names has this one, in any case. */
export const hasToken = (request: IncomingMessage, field: string, name: string): boolean =>
  valuesOf(request.rawHeaders, field).some((value) => value.split(',').some((token) => token.trim().toLowerCase() === name));

/**
 * Returns the request class of a server. Once there is a listener for upgrades, Node hands over every request with `Upgrade` and
 * gives up its parser. Only here, at the property that it reads, can a request still get a response in HTTP.
 */
export function messageClass(wants: (request: IncomingMessage) => boolean): typeof IncomingMessage {
  const asking = new WeakSet<IncomingMessage>();
  return class extends IncomingMessage {
    get upgrade(): boolean {
      return asking.has(this) && (this.method === 'CONNECT' || wants(this));
    }

    set upgrade(asks: unknown) {
      if (asks === true) asking.add(this);
      else asking.delete(this);
    }
  };
}

/**
 * Requests that ask for another protocol (RFC 9110, section 7.8). A server may ignore that, and answers every one that nobody wants as
 * if it had not asked; what is wanted leaves HTTP with its socket, or is refused with a whole answer.
 */
import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FieldError } from '../../base/refusal.js';
import type { Denial } from './problem.js';
import { valuesOf } from './headers.js';

/** One request that asks for another protocol. */
export interface UpgradeOffer {
  readonly id: string;
  /** Its `url` is in origin form. */
  readonly request: IncomingMessage;
  /** What is wrong with its head. */
  readonly denial: Denial | null;
  readonly socket: Socket;
  /** What came behind the head already. */
  readonly early: Buffer;
  readonly address: string;
  /** Answers in HTTP and ends the connection gently. */
  readonly refuse: (denial: Denial, errors?: readonly FieldError[]) => void;
  /** Returns the socket: from here on nothing of the HTTP server reads it, writes to it, or ends it. */
  readonly release: () => Socket;
}

export interface Upgrades {
  /** The template of the path, for log and metrics. */
  readonly route: string;
  /** Whether `take` decides; other requests are answered by the endpoints. */
  readonly wants: (request: IncomingMessage) => boolean;
  readonly take: (offer: UpgradeOffer) => void;
}

/** Path of a target in origin or absolute form, without its query. */
export const pathOf = (target: string): string => /^(?:https?:\/\/[^/?#]*)?([^?#]*)/i.exec(target)?.[1] ?? '';

/** Whether a field that is a list of names has this one, in any case. */
export const hasToken = (request: IncomingMessage, field: string, name: string): boolean =>
  valuesOf(request.rawHeaders, field).some((value) => value.split(',').some((token) => token.trim().toLowerCase() === name));

/**
 * The requests of a server. Node hands over every request with `Upgrade` once somebody listens for one, asks nothing about it, and
 * gives up its parser: only here, at the property that it reads, can one still be answered in HTTP.
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

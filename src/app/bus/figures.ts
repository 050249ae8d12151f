/** What the message bus counts, for metrics. */
/** `incomplete` is a call that ended before its whole message was received: it was too large, late, or cancelled. */
export const busResults = [
  'handshake',
  'accepted',
  'no_handshake',
  'malformed',
  'unauthorized',
  'too_many',
  'incomplete',
  'not_recorded',
  'failed',
] as const;
export type BusResult = (typeof busResults)[number];

export interface BusFigures {
  /** The number of open connections. */
  readonly peers: () => number;
  /** The number of connections that were closed because of their failures, their silence, or because there were too many. */
  readonly dropped: () => number;
  /** The number of messages by what became of them. */
  readonly messages: () => Readonly<Record<BusResult, number>>;
}

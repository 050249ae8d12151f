/** Answers the messages of `/bus.Bus/Send`: first the handshake, then envelopes. */
import { isRefused, messageOf, type Refusal, RefusalError } from '../base/refusal.js';
import { status } from '@grpc/grpc-js';
import {
  type BusAllowance,
  type ReachedLimit,
  countedBytes,
  misplacedToken,
  readEnvelope,
  type ReceivedEnvelope,
  recordEnvelope,
} from '../app/bus/records.js';
import type { BusCallers } from '../app/bus/callers.js';
import type { BusResult } from '../app/bus/settings.js';
import { type Home, monotonic } from '../app/home/home.js';
import { shorten } from '../base/text.js';
import { formatTime } from '../base/time.js';
import { accepted, handshake, isHandshake, unwrapFrame, wrapFrame } from '../codec/bus.js';
import { denied, type Gate, type Peer, type Peers, type PeerRefusal } from './peers.js';

/** Length of the reason in a status. */
const bus_reason_chars_max = 300;

/** The response to a message: its bytes, or a status other than OK with a reason. */
export type Reply = { readonly bytes: Uint8Array } | PeerRefusal;

interface Answer {
  readonly result: BusResult;
  /** The text of the response. */
  readonly text?: string;
  readonly refused?: PeerRefusal;
}

export interface SendOptions {
  readonly home: Home;
  readonly peers: Peers;
  /** The token of the bus, or null. */
  readonly token: string | null;
  readonly callers: BusCallers;
  readonly gate: Gate;
  readonly allowance: BusAllowance;
  readonly onResult: (result: BusResult) => void;
  readonly onWarning: (message: string) => void;
}

const refused = (result: BusResult, code: status, details: string): Answer => ({ result, refused: { code, details } });

/** A message that may be the handshake: longer ones are not searched. */
const handshake_bytes_max = 512;

export class Sending {
  constructor(private readonly options: SendOptions) {}

  /** @param bearer the token of the call's metadata, or null */
  async answer(peer: Peer, message: Uint8Array, bearer: string | null): Promise<Reply> {
    const body = unwrapFrame(message);
    const { result, text = '', refused } = await this.judge(peer, body ?? message, bearer);
    this.options.onResult(result);
    if (refused !== undefined) return refused;
    const bytes = Buffer.from(text);
    return { bytes: body === null ? bytes : wrapFrame(bytes) };
  }

  private async judge(peer: Peer, body: Uint8Array, bearer: string | null): Promise<Answer> {
    if (peer.isBarred) return { result: 'unauthorized', refused: denied };
    // A client that repeats the handshake cannot know whether its channel has reconnected.
    if (body.length <= handshake_bytes_max && isHandshake(Buffer.from(body).toString('latin1'))) {
      peer.isGreeted = true;
      return { result: 'handshake', text: handshake };
    }
    if (!peer.isGreeted) {
      if (peer.failed()) return { result: 'no_handshake', refused: denied };
      return refused('no_handshake', status.FAILED_PRECONDITION, `the first message must be ${handshake}`);
    }
    return this.envelope(peer, body, bearer);
  }

  private async envelope(peer: Peer, body: Uint8Array, bearer: string | null): Promise<Answer> {
    const { callers, gate, peers, token } = this.options;
    const read = readEnvelope(body);
    if (isRefused(read)) return this.malformed(peer, read.left);
    const received = read.right;
    const ofEnvelope = callers.ofEnvelope(received.token);
    const verdict = ofEnvelope === 'missing' ? callers.ofBearer(bearer) : ofEnvelope;
    const hasToken = verdict === 'known';
    if (verdict === 'wrong' || (callers.needsToken && verdict === 'missing'))
      return { result: 'unauthorized', refused: gate.refuse(peer, verdict) };
    if (hasToken) peers.showToken(peer);
    const misplaced = misplacedToken(received, token) ?? misplacedToken(received, bearer);
    return misplaced === null ? this.record(peer, received, hasToken) : this.malformed(peer, misplaced);
  }

  private async record(peer: Peer, received: ReceivedEnvelope, hasToken: boolean): Promise<Answer> {
    const { home, peers, allowance } = this.options;
    const bytes = countedBytes(received);
    const closed = allowance.take(hasToken, bytes, monotonic(home.world));
    if (closed !== null) return refused('too_many', status.RESOURCE_EXHAUSTED, closedText(closed, home.world.clock()));
    try {
      if (!peers.takeEnvelope(peer)) {
        allowance.giveBack(hasToken, bytes);
        return refused(
          'too_many',
          status.RESOURCE_EXHAUSTED,
          'more than 60 envelopes of this connection or 600 of all within a minute; try again in a minute',
        );
      }
      await recordEnvelope(home, { peer: peer.name, hasToken }, received);
    } catch (error) {
      allowance.giveBack(hasToken, bytes);
      return this.unrecorded(error);
    }
    return { result: 'accepted', text: accepted };
  }

  private malformed(peer: Peer, { detail }: Refusal): Answer {
    if (peer.sentMalformed()) return { result: 'malformed', refused: denied };
    return refused('malformed', status.INVALID_ARGUMENT, shorten(`not an envelope: ${detail}`, bus_reason_chars_max));
  }

  /**
   * The cause goes only to the log, because it says something about this machine. That the home is damaged is logged by the daemon, once
   * and not for each envelope.
   */
  private unrecorded(error: unknown): Answer {
    const isRefusal = error instanceof RefusalError;
    if (isRefusal && error.refusal.code === 'integrity')
      return refused(
        'not_recorded',
        status.UNAVAILABLE,
        'integrity: the envelope was not recorded; the home must be repaired first',
      );
    const reason = isRefusal ? error.refusal.detail : messageOf(error);
    this.options.onWarning(`an envelope of the bus could not be recorded (${reason})`);
    return refused(
      'not_recorded',
      isRefusal ? status.UNAVAILABLE : status.INTERNAL,
      'the envelope was not recorded; nothing can be recorded now',
    );
  }
}

const withToken = 'With the token of the home (api.token) in the metadata, as authorization: Bearer, the limits are higher';

/** @param now milliseconds since the epoch */
function closedText({ limit, wait_ms }: ReachedLimit, now: number): string {
  const opens = `it opens again at ${formatTime(Math.ceil((now + wait_ms) / 1_000) * 1_000).replace(/\.0+Z$/, 'Z')}`;
  if (limit === 'token_minute') return `the bus records at most 16 MiB a minute; ${opens}`;
  return `without a token the bus records at most ${limit === 'open_day' ? '8 MiB in 24 hours' : '256 KiB a minute'}; ${opens}. ${withToken}`;
}

/** What the message bus carries: the handshake, envelopes, and the Frame of proto/bus.proto, in which a message may be wrapped. */
import * as t from 'io-ts';
import { bus_name_chars_max, bus_nonce_chars_max, bus_token_chars_max } from '../base/limits.js';
import { integer, mapOf, number, object, optional, required, text } from './kit.js';

/** The first message of a connection, and its response. */
export const handshake = 'proto_schema=1';
/** The response to an accepted envelope. */
export const accepted = 'ok';

const handshakeForm = new RegExp(`^${handshake}(?:[ \\t\\r\\n;,&]+[!-~]{1,${bus_nonce_chars_max}})?[ \\t\\r\\n]*$`);

/** Returns whether a message is the handshake: the literal text, with or without a nonce after a separator. */
export const isHandshake = (message: string): boolean => handshakeForm.test(message);

const name = text({ min: 1, max: bus_name_chars_max, notBlank: true });
/** Unix seconds. */
const seconds = number(0, 1e12);

const members = {
  sender: required(name),
  recipient: required(name),
  ts: required(seconds),
  payload: required(mapOf(t.unknown)),
};

/** An envelope as it is recorded, without its token. */
export const envelope = object('Envelope', members);
export type Envelope = t.TypeOf<typeof envelope>;

/** An envelope as it is received. */
export const sentEnvelope = object('SentEnvelope', { ...members, token: optional(text({ max: bus_token_chars_max })) });

/** The request for a stream of envelopes. */
export const subscription = object('Subscription', {
  recipient: required(name),
  /** Envelopes after this entry; from now on when absent. */
  after: optional(integer(0, Number.MAX_SAFE_INTEGER)),
});
export type Subscription = t.TypeOf<typeof subscription>;

const bodyTag = 0x0a;
/** The longest encoding of a length that is accepted: 32 bits. */
const varint_bytes_max = 5;

/** Returns the body of a message that is exactly one Frame with a body; null for any other message, which is raw. */
export function unwrapFrame(message: Uint8Array): Uint8Array | null {
  if (message[0] !== bodyTag) return null;
  let length = 0;
  for (let i = 1; i <= varint_bytes_max; i++) {
    const byte = message[i];
    if (byte === undefined) return null;
    length += (byte % 128) * 128 ** (i - 1);
    if (byte < 128) return message.length === i + 1 + length ? message.subarray(i + 1) : null;
  }
  return null;
}

/** Returns the bytes of a Frame with this body. */
export function wrapFrame(body: Uint8Array): Uint8Array {
  if (body.length === 0) return new Uint8Array(0);
  const head = [bodyTag];
  let rest = body.length;
  for (; rest >= 128; rest = Math.floor(rest / 128)) head.push((rest % 128) + 128);
  head.push(rest);
  const frame = new Uint8Array(head.length + body.length);
  frame.set(head);
  frame.set(body, head.length);
  return frame;
}

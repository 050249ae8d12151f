/** Records the envelopes that the message bus receives, and reads the newest ones and those that follow. */
import { timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { body_values_max, entry_body_bytes_max, inline_value_bytes_max } from '../../base/limits.js';
import { canonicalJson, CanonicalJsonError } from '../../base/canonical-json.js';
import { sha256 } from '../../base/hash.js';
import { parseJsonBytes } from '../../base/json.js';
import { invalid, type Refusal } from '../../base/refusal.js';
import { isRefused, ok, RefusalError, refuse, type Result } from '../../base/result.js';
import { type Envelope, envelope as envelopeCodec, sentEnvelope } from '../../codec/bus.js';
import type { Entry } from '../../codec/entry.js';
import { decode } from '../../codec/kit.js';
import { busName, busStream } from '../../domain/stream.js';
import { integrityFailure } from '../../journal/position.js';
import { newestOfStream, readBlob } from '../../journal/reader.js';
import { entryInPlace, requireSigned, storedEntries } from '../../journal/stream.js';
import type { Home } from '../home/home.js';

const bus_tail_max = 1_000;
/** Time between two looks of `bus tail` for new envelopes. */
const bus_tail_look_ms = 200;

/** An envelope that may be recorded, and the token that came with it. */
export interface Received {
  readonly envelope: Envelope;
  readonly text: string;
  readonly token: string | null;
}

/** Reads an envelope: strict JSON of the right shape that fits an entry. The refusal repeats no value of it. */
export function readEnvelope(message: Uint8Array): Result<Received> {
  const json = parseJsonBytes(message, { valuesMax: body_values_max });
  if (isRefused(json)) return json;
  const sent = decode(sentEnvelope, json.right);
  if (isRefused(sent)) return sent;
  const { token = null, ...envelope } = sent.right;
  try {
    // As deep as in an entry.
    canonicalJson([[envelope]]);
  } catch (error) {
    if (error instanceof CanonicalJsonError) return refuse(invalid('payload', 'is nested too deeply'));
    throw error;
  }
  const text = canonicalJson(envelope);
  if (Buffer.byteLength(text) > entry_body_bytes_max) return refuse({ code: 'too_large', detail: 'the envelope is too large' });
  return ok({ envelope, text, token });
}

/** Returns a check of clients' tokens in a time that reveals nothing about them; without a token of the bus any client passes. */
export function busGate(token: string | null): (given: string | null) => 'pass' | 'missing' | 'wrong' {
  if (token === null) return () => 'pass';
  const expected = sha256(token);
  return (given) => (given === null ? 'missing' : timingSafeEqual(sha256(given), expected) ? 'pass' : 'wrong');
}

/** Returns the refusal of an envelope that has the token of the bus elsewhere than in the member `token`, or null. */
export function misplacedToken({ text }: Pick<Received, 'text'>, token: string | null): Refusal | null {
  // Visible ASCII, so that JSON escapes nothing of it but " and \.
  if (token === null || !text.includes(JSON.stringify(token).slice(1, -1))) return null;
  return invalid('', 'the token of the bus may be in the member token only');
}

/** Records an accepted envelope; resolves once it is on the disk. @throws RefusalError when nothing can be recorded now */
export const recordEnvelope = (home: Home, peer: string, { envelope, text }: Received): Promise<unknown> =>
  home.transact((tx) => {
    const bytes = Buffer.from(text);
    const stored = bytes.length > inline_value_bytes_max ? { envelope_blob: tx.putBlob(bytes) } : { envelope };
    return tx.append(busName, { type: 'bus.received', document: { peer, ...stored } });
  });

export interface RecordedEnvelope {
  readonly sequence: number;
  readonly time: string;
  readonly peer: string;
  /** Null if its blob was erased. */
  readonly envelope: Envelope | null;
}

type Reading = Pick<Home, 'db' | 'signer'>;

/** Returns the newest envelopes, the oldest of them first. @throws RefusalError `invalid` for a limit out of bounds */
export function newestEnvelopes(home: Reading, limit: number): readonly RecordedEnvelope[] {
  if (limit < 0 || limit > bus_tail_max) throw new RefusalError(invalid('limit', `must be from 0 to ${bus_tail_max}`));
  return newestOfStream(home.db, busName, limit).flatMap((entry) => recorded(home, entry));
}

/** Yields each envelope that is recorded after an entry, until the signal aborts. */
export async function* followEnvelopes(home: Reading, after: number, signal: AbortSignal): AsyncGenerator<RecordedEnvelope> {
  let last = after;
  while (!signal.aborted) {
    for (const row of storedEntries(home.db, busStream, busName, last)) {
      const entry = entryInPlace(home.db, row);
      requireSigned(entry, home.signer.publicKey);
      last = entry.sequence;
      yield* recorded(home, entry);
    }
    await sleep(bus_tail_look_ms, undefined, { signal }).catch(() => undefined);
  }
}

function recorded({ db }: Reading, { event, sequence, time }: Entry): RecordedEnvelope[] {
  if (event?.type !== 'bus.received') return [];
  const { peer, envelope, envelope_blob } = event.document;
  return [{ sequence, time, peer, envelope: envelope ?? blobEnvelope(db, sequence, envelope_blob) }];
}

function blobEnvelope(db: Home['db'], sequence: number, blob: string | undefined): Envelope | null {
  const bytes = blob === undefined ? null : readBlob(db, blob);
  if (bytes === null) return null;
  const json = parseJsonBytes(bytes);
  const read = isRefused(json) ? json : decode(envelopeCodec, json.right);
  if (isRefused(read)) throw integrityFailure(`the envelope of entry ${sequence} is damaged`, sequence);
  return read.right;
}

/** Records the envelopes that the message bus receives, and reads the newest ones and those that follow. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  body_values_max,
  bus_entry_bytes,
  bus_open_bytes_per_day_max,
  bus_open_bytes_per_minute_max,
  bus_token_bytes_per_minute_max,
  entry_body_bytes_max,
  inline_value_bytes_max,
} from '../../base/limits.js';
import { canonicalJson, CanonicalJsonError } from '../../base/canonical-json.js';
import { invalid, isRefused, ok, type Refusal, RefusalError, refuse, type Result } from '../../base/refusal.js';
import { parseTime } from '../../base/time.js';
import { type Envelope, envelope as envelopeCodec, sentEnvelope } from '../../codec/bus.js';
import { decodeBody, type Entry } from '../../codec/entry.js';
import { decodeJson } from '../../codec/decode-json.js';
import { busName } from '../../domain/stream.js';
import { blobLength, integrityFailure, readBlob, readHead, readRow, requireEntry } from '../../journal/reader.js';
import { LongStream } from '../../tables/long-stream.js';
import { reading, readSequences } from '../../tables/read.js';
import type { Home } from '../home/home.js';
import { homeVia } from '../home/via.js';

const bus_tail_max = 1_000;
/** Time between two looks of `bus tail` for new envelopes. */
const bus_tail_look_ms = 200;

/** An envelope that may be recorded, and the token that came with it. */
export interface ReceivedEnvelope {
  readonly envelope: Envelope;
  readonly text: string;
  readonly token: string | null;
}

/** Reads an envelope: strict JSON of the right shape that fits an entry. The refusal repeats no value of it. */
export function readEnvelope(message: Uint8Array): Result<ReceivedEnvelope> {
  const sent = decodeJson(sentEnvelope, message, { valuesMax: body_values_max });
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

/** Returns the refusal of an envelope that has a token of the call elsewhere than in the member `token`, or null. */
export function misplacedToken({ text }: Pick<ReceivedEnvelope, 'text'>, token: string | null): Refusal | null {
  // Visible ASCII, so that JSON escapes nothing of it but " and \.
  if (token === null || !text.includes(JSON.stringify(token).slice(1, -1))) return null;
  return invalid('', 'the token may be in the member token only');
}

/** Returns the bytes with which an envelope counts. */
export const countedBytes = ({ text }: Pick<ReceivedEnvelope, 'text'>): number => Buffer.byteLength(text) + bus_entry_bytes;

interface Source {
  /** The connection. */
  readonly peer: string;
  /** Whether the call has shown a token. */
  readonly hasToken: boolean;
}

/** Records an accepted envelope; resolves once it is on the disk. @throws RefusalError when nothing can be recorded now */
export const recordEnvelope = (home: Home, { peer, hasToken }: Source, { envelope, text }: ReceivedEnvelope): Promise<unknown> =>
  homeVia(home, 'bus').transact((tx) => {
    const bytes = Buffer.from(text);
    const stored = bytes.length > inline_value_bytes_max ? { envelope_blob: tx.putBlob(bytes) } : { envelope };
    return tx.append(busName, { type: 'bus.received', document: { peer, ...(hasToken ? { has_token: true } : {}), ...stored } });
  });

/** An envelope that a caller without a token has had recorded. */
interface OpenEnvelope {
  /** Milliseconds since it was recorded, at most. */
  age_ms: number;
  readonly bytes: number;
}

/** More envelopes than callers without a token can have recorded in 24 hours. */
const open_envelopes_max = bus_open_bytes_per_day_max / bus_entry_bytes;

/**
 * Returns what callers without a token have had recorded in the last 24 hours, the oldest first, as far as it counts. An entry is no older
 * than the times of those before it say, so that a clock that was set back makes nothing older.
 */
export const recentOpenEnvelopes = ({ db, world }: Pick<Home, 'db' | 'world'>): readonly OpenEnvelope[] =>
  reading(db, () => openEnvelopes(db, world.clock()));

function openEnvelopes(db: Home['db'], now: number): readonly OpenEnvelope[] {
  const found: OpenEnvelope[] = [];
  let left = bus_open_bytes_per_day_max;
  let read = 0;
  for (const sequence of readSequences(db, busName).reverse()) {
    const { time, bytes } = openBytes(db, sequence);
    const age_ms = Math.max(0, now - (time ?? now));
    if ((found.at(-1)?.age_ms ?? 0) > age_ms) for (const later of found) later.age_ms = Math.min(later.age_ms, age_ms);
    if (bytes > 0) found.push({ age_ms, bytes });
    left -= bytes;
    if (left <= 0 || (++read >= open_envelopes_max && age_ms > day_ms)) break;
  }
  return found.toReversed();
}

/** Returns when an entry was recorded, and the bytes with which it counts: 0 for that of a caller with a token. What cannot be read counts. */
function openBytes(db: Home['db'], sequence: number): { readonly time: number | null; readonly bytes: number } {
  const body = readRow(db, sequence)?.body ?? '';
  const read = decodeBody(body);
  if (isRefused(read) || !('time' in read.right)) return { time: null, bytes: body.length };
  const { document, time } = read.right;
  if (document['has_token'] === true) return { time: parseTime(time), bytes: 0 };
  const { envelope, envelope_blob: blob } = document;
  const bytes = typeof blob === 'string' ? (blobLength(db, blob) ?? 0) : Buffer.byteLength(JSON.stringify(envelope ?? null));
  return { time: parseTime(time), bytes: bytes + bus_entry_bytes };
}

export interface RecordedEnvelope {
  readonly sequence: number;
  readonly time: string;
  readonly peer: string;
  /** Whether the call showed a token. */
  readonly has_token: boolean;
  /** Null if its blob was erased. */
  readonly envelope: Envelope | null;
}

type Reading = Pick<Home, 'db'>;

/** Yields the newest envelopes, the oldest of them first. @throws RefusalError `invalid` for a limit out of bounds */
export function* newestEnvelopes(home: Reading, limit: number): Generator<RecordedEnvelope> {
  if (limit < 0 || limit > bus_tail_max) throw new RefusalError(invalid('limit', `must be from 0 to ${bus_tail_max}`));
  const sequences = readSequences(home.db, busName);
  for (const sequence of sequences.slice(Math.max(0, sequences.length - limit))) yield* envelopesAt(home, [sequence]);
}

export const newestSequence = ({ db }: Reading): number => readHead(db).size;

/** The stream of the bus. */
export const busStream = ({ db }: Reading): LongStream => new LongStream(db, busName);

/** Returns the envelopes of entries, each of which is proven alone. */
export const envelopesAt = ({ db }: Reading, sequences: readonly number[]): readonly RecordedEnvelope[] =>
  reading(db, () => sequences.flatMap((sequence) => recorded(db, requireEntry(db, sequence))));

/** Yields each envelope that is recorded after an entry, until the signal aborts. It reads one when the one before was taken. */
export async function* followEnvelopes(home: Reading, after: number, signal: AbortSignal): AsyncGenerator<RecordedEnvelope> {
  let last = after;
  while (!signal.aborted) {
    for (const sequence of readSequences(home.db, busName, last)) {
      if (signal.aborted) return;
      yield* envelopesAt(home, [sequence]);
      last = sequence;
    }
    await sleep(bus_tail_look_ms, undefined, { signal }).catch(() => undefined);
  }
}

function recorded(db: Home['db'], { event, sequence, time }: Entry): RecordedEnvelope[] {
  if (event?.type !== 'bus.received') return [];
  const { peer, has_token = false, envelope, envelope_blob } = event.document;
  return [{ sequence, time, peer, has_token, envelope: envelope ?? blobEnvelope(db, sequence, envelope_blob) }];
}

function blobEnvelope(db: Home['db'], sequence: number, blob: string | undefined): Envelope | null {
  const bytes = blob === undefined ? null : readBlob(db, blob);
  if (bytes === null) return null;
  const read = decodeJson(envelopeCodec, bytes);
  if (isRefused(read)) throw integrityFailure(`the envelope of entry ${sequence} is damaged`, sequence);
  return read.right;
}

// How many bytes of envelopes the message bus records. Callers that have shown no token may not fill the journal, whose entries stay.

const second_ms = 1_000;
const minute_ms = 60_000;
const day_ms = 86_400_000;

/** Limits the bytes within any window of time. It keeps one sum for each step, and counts a step until it has left the window as a whole. */
class ByteWindow {
  /** The oldest step first. Steps may be in the future. */
  private readonly sums: { readonly until: number; bytes: number }[] = [];

  constructor(
    private readonly max: number,
    private readonly window_ms: number,
    private readonly step_ms: number,
  ) {}

  room(now: number): number {
    while ((this.sums[0]?.until ?? now + 1) <= now) this.sums.shift();
    return this.sums.reduce((room, { bytes }) => room - bytes, this.max);
  }

  /** Returns in how many milliseconds there is room; 0 for now. */
  wait_ms(bytes: number, now: number): number {
    let room = this.room(now);
    let until = now;
    for (const sum of this.sums) {
      if (room >= bytes) break;
      room += sum.bytes;
      ({ until } = sum);
    }
    return until - now;
  }

  add(bytes: number, at: number): void {
    const until = (Math.floor(at / this.step_ms) + 1) * this.step_ms + this.window_ms;
    const last = this.sums.at(-1);
    if (last !== undefined && last.until >= until) last.bytes += bytes;
    else this.sums.push({ until, bytes });
  }

  /** Takes bytes back that were added last. */
  giveBack(bytes: number): void {
    let left = bytes;
    for (const sum of this.sums.toReversed()) {
      const part = Math.min(left, sum.bytes);
      sum.bytes -= part;
      left -= part;
    }
  }
}

/** An envelope that is not recorded now. */
export interface ReachedLimit {
  /** The limit that it would exceed. */
  readonly limit: 'open_minute' | 'open_day' | 'token_minute';
  readonly wait_ms: number;
}

/** Times are milliseconds of a clock that nobody sets: setting the time of day opens nothing. */
export class BusAllowance {
  private readonly openMinute = new ByteWindow(bus_open_bytes_per_minute_max, minute_ms, second_ms);
  private readonly openDay = new ByteWindow(bus_open_bytes_per_day_max, day_ms, minute_ms);
  private readonly tokenMinute = new ByteWindow(bus_token_bytes_per_minute_max, minute_ms, second_ms);

  /** Takes the bytes of an envelope, or returns why they cannot be recorded now. */
  take(hasToken: boolean, bytes: number, now: number): ReachedLimit | null {
    const closed = hasToken ? this.closedToToken(bytes, now) : this.closedToOthers(bytes, now);
    if (closed.wait_ms > 0) return closed;
    if (hasToken) this.tokenMinute.add(bytes, now);
    else this.count(bytes, now);
    return null;
  }

  /** Counts an envelope of a caller without a token. */
  count(bytes: number, at: number): void {
    this.openDay.add(bytes, at);
    const first = Math.min(bytes, Math.max(0, this.openMinute.room(at)));
    this.openMinute.add(first, at);
    for (let left = bytes - first, minute = 1; left > 0; left -= bus_open_bytes_per_minute_max, minute++)
      this.openMinute.add(Math.min(left, bus_open_bytes_per_minute_max), at + minute * minute_ms);
  }

  /** Takes back what an envelope has taken that could not be recorded. */
  giveBack(hasToken: boolean, bytes: number): void {
    for (const each of hasToken ? [this.tokenMinute] : [this.openMinute, this.openDay]) each.giveBack(bytes);
  }

  private closedToToken(bytes: number, now: number): ReachedLimit {
    return { limit: 'token_minute', wait_ms: this.tokenMinute.wait_ms(bytes, now) };
  }

  private closedToOthers(bytes: number, now: number): ReachedLimit {
    // An envelope larger than a minute's share needs only some of it now, and uses up that of the following minutes.
    const minute = this.openMinute.wait_ms(bytes > bus_open_bytes_per_minute_max ? 1 : bytes, now);
    const day = this.openDay.wait_ms(bytes, now);
    return day > minute ? { limit: 'open_day', wait_ms: day } : { limit: 'open_minute', wait_ms: minute };
  }
}

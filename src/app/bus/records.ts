/** Records the envelopes that the message bus receives, and reads the newest ones and those that follow. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  bus_entry_bytes,
  bus_open_bytes_per_day_max,
  body_values_max,
  entry_body_bytes_max,
  inline_value_bytes_max,
} from '../../base/limits.js';
import { canonicalJson, CanonicalJsonError } from '../../base/canonical-json.js';
import { parseJsonBytes } from '../../base/json.js';
import { invalid, type Refusal } from '../../base/refusal.js';
import { isRefused, ok, RefusalError, refuse, type Result } from '../../base/result.js';
import { parseTime } from '../../base/time.js';
import { type Envelope, envelope as envelopeCodec, sentEnvelope } from '../../codec/bus.js';
import { decodeBody, type Entry } from '../../codec/entry.js';
import { decode } from '../../codec/kit.js';
import { busName } from '../../domain/stream.js';
import { integrityFailure, requireEntry } from '../../journal/position.js';
import { blobLength, readBlob, readRow } from '../../journal/reader.js';
import { reading, readSequences } from '../../tables/read.js';
import type { Home } from '../home/home.js';
import { homeVia } from '../home/via.js';
import { day_ms } from './allowance.js';

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

/** Returns the refusal of an envelope that has a token of the call elsewhere than in the member `token`, or null. */
export function misplacedToken({ text }: Pick<Received, 'text'>, token: string | null): Refusal | null {
  // Visible ASCII, so that JSON escapes nothing of it but " and \.
  if (token === null || !text.includes(JSON.stringify(token).slice(1, -1))) return null;
  return invalid('', 'the token may be in the member token only');
}

/** Returns the bytes with which an envelope counts. */
export const countedBytes = ({ text }: Pick<Received, 'text'>): number => Buffer.byteLength(text) + bus_entry_bytes;

interface Source {
  /** The connection. */
  readonly peer: string;
  /** Whether the call has shown a token. */
  readonly hasToken: boolean;
}

/** Records an accepted envelope; resolves once it is on the disk. @throws RefusalError when nothing can be recorded now */
export const recordEnvelope = (home: Home, { peer, hasToken }: Source, { envelope, text }: Received): Promise<unknown> =>
  homeVia(home, 'bus').transact((tx) => {
    const bytes = Buffer.from(text);
    const stored = bytes.length > inline_value_bytes_max ? { envelope_blob: tx.putBlob(bytes) } : { envelope };
    return tx.append(busName, { type: 'bus.received', document: { peer, ...(hasToken ? { has_token: true } : {}), ...stored } });
  });

/** An envelope that a caller without a token has had recorded. */
export interface OpenEnvelope {
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

/** Returns the newest envelopes, the oldest of them first. @throws RefusalError `invalid` for a limit out of bounds */
export function newestEnvelopes(home: Reading, limit: number): readonly RecordedEnvelope[] {
  if (limit < 0 || limit > bus_tail_max) throw new RefusalError(invalid('limit', `must be from 0 to ${bus_tail_max}`));
  return envelopesOf(home, (sequences) => sequences.slice(Math.max(0, sequences.length - limit)));
}

/** Returns the envelopes of those sequences after a sequence that are selected. */
const envelopesOf = (
  { db }: Reading,
  select: (sequences: readonly number[]) => readonly number[],
  after = 0,
): readonly RecordedEnvelope[] =>
  reading(db, () => select(readSequences(db, busName, after)).flatMap((sequence) => recorded(db, requireEntry(db, sequence))));

/** Returns the oldest envelopes that are recorded after an entry. */
export const envelopesAfter = (home: Reading, after: number, limit: number): readonly RecordedEnvelope[] =>
  envelopesOf(home, (sequences) => sequences.slice(0, limit), after);

/** Yields each envelope that is recorded after an entry, until the signal aborts. */
export async function* followEnvelopes(home: Reading, after: number, signal: AbortSignal): AsyncGenerator<RecordedEnvelope> {
  let last = after;
  while (!signal.aborted) {
    const envelopes = envelopesOf(home, (sequences) => sequences, last);
    last = envelopes.at(-1)?.sequence ?? last;
    yield* envelopes;
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
  const json = parseJsonBytes(bytes);
  const read = isRefused(json) ? json : decode(envelopeCodec, json.right);
  if (isRefused(read)) throw integrityFailure(`the envelope of entry ${sequence} is damaged`, sequence);
  return read.right;
}

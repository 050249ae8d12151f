/** Reads the envelopes that the journal holds: the newest ones, and those that are recorded from then on. */
import { setTimeout as sleep } from 'node:timers/promises';
import { bus_tail_look_ms, bus_tail_max } from '../../base/bus-limits.js';
import { parseJsonBytes } from '../../base/json.js';
import { invalid } from '../../base/refusal.js';
import { isRefused, RefusalError } from '../../base/result.js';
import { envelope as envelopeCodec, type Envelope } from '../../codec/bus.js';
import type { Entry } from '../../codec/entry.js';
import { decode } from '../../codec/kit.js';
import { busName, busStream } from '../../domain/bus.js';
import { integrityFailure } from '../../journal/position.js';
import { newestOfStream, readBlob } from '../../journal/reader.js';
import { entryInPlace, requireSigned, storedEntries } from '../../journal/stream.js';
import type { Home } from '../home/home.js';

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

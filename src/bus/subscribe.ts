/** `/bus.Bus/Subscribe`: the recorded envelopes for a recipient, from now on or after an entry, as a stream. */
import { firstAbort } from '../base/first-abort.js';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Metadata, type ServerWritableStream, status } from '@grpc/grpc-js';
import type { BusCallers } from '../app/bus/callers.js';
import { busStream, envelopesAt, newestSequence, type RecordedEnvelope } from '../app/bus/records.js';
import type { Home } from '../app/home/home.js';
import { fromUtf8 } from '../base/text.js';
import { parseJson } from '../base/json.js';
import { isRefused, type Result } from '../base/refusal.js';
import { type Subscription, subscription, unwrapFrame, wrapFrame } from '../codec/bus.js';
import { decode } from '../codec/kit.js';
import type { PeerRefusal } from './peers.js';

/** Streams of all callers together. */
const bus_streams_max = 16;
/** Time between two looks for new envelopes. */
const bus_stream_look_ms = 200;
/** Time within which a reader takes what it was sent. */
const bus_stream_drain_ms_max = 30_000;

export interface SubscribingOptions {
  readonly home: Home;
  readonly callers: BusCallers;
  /** Returns the token of a call, or null. */
  readonly bearerOf: (metadata: Metadata) => string | null;
  readonly drain_ms_max?: number | undefined;
}

type Stream = ServerWritableStream<Buffer, Buffer>;

const refused = (code: status, details: string): PeerRefusal => ({ code, details });

export class Subscribing {
  private readonly open = new Set<Stream>();
  private readonly stopping = new AbortController();
  private readonly entries: ReturnType<typeof busStream>;

  constructor(private readonly options: SubscribingOptions) {
    this.entries = busStream(options.home);
  }

  /** Serves a stream to its end: the caller leaves, is too slow, has no token any more, or the server stops. */
  readonly serve = (stream: Stream): void => {
    const body = unwrapFrame(stream.request);
    const wanted = readSubscription(body ?? stream.request);
    if (isRefused(wanted)) return end(stream, refused(status.INVALID_ARGUMENT, `not a subscription: ${wanted.left.detail}`));
    if (this.open.size >= bus_streams_max) return end(stream, refused(status.RESOURCE_EXHAUSTED, 'too many streams are open'));
    this.open.add(stream);
    const gone = new AbortController();
    stream.once('cancelled', () => gone.abort()).once('error', () => gone.abort());
    void this.deliver(stream, wanted.right, body !== null, firstAbort(gone.signal, this.stopping.signal))
      .catch(() => refused(status.UNAVAILABLE, 'the envelopes cannot be read now'))
      .then((refusal) => {
        this.open.delete(stream);
        end(stream, refusal);
      });
  };

  /** Ends every stream. */
  stop(): void {
    this.stopping.abort();
  }

  private async deliver(
    stream: Stream,
    { recipient, after }: Subscription,
    isFramed: boolean,
    signal: AbortSignal,
  ): Promise<PeerRefusal> {
    const { home, callers, bearerOf } = this.options;
    const recorded = newestSequence(home);
    let last = after ?? recorded;
    // As after a restore: it would be sent nothing until the journal is as long again.
    if (last > recorded) return refused(status.OUT_OF_RANGE, `after: the newest entry of the journal is ${recorded}`);
    // Says to the reader that what is recorded from now on is delivered.
    stream.sendMetadata(new Metadata());
    const isKnown = (): boolean => callers.ofBearer(bearerOf(stream.metadata)) === 'known';
    const revoked = refused(status.UNAUTHENTICATED, 'the token is not valid any more');
    for (let seen = -1; !signal.aborted; await sleep(bus_stream_look_ms, undefined, { signal }).catch(() => undefined)) {
      const { size } = home.writer.head;
      if (size === seen) continue;
      if (!isKnown()) return revoked;
      // One at a time: it may have 1 MiB, and others are served between two.
      for (const sequence of await this.entries.sequencesAfter(last)) {
        if (signal.aborted) break;
        if (!isKnown()) return revoked;
        for (const envelope of envelopesAt(home, [sequence]).filter(({ envelope }) => envelope?.recipient === recipient))
          if (!(await this.write(stream, envelope, isFramed, signal)))
            return refused(status.RESOURCE_EXHAUSTED, 'the stream was read too slowly');
        last = sequence;
        await nextTurn();
      }
      seen = size;
    }
    return refused(status.UNAVAILABLE, 'the server stops');
  }

  /** Sends an envelope. Returns whether the reader has taken it in time: the library itself would keep 16 that are not taken. */
  private async write(stream: Stream, sent: RecordedEnvelope, isFramed: boolean, signal: AbortSignal): Promise<boolean> {
    const bytes = Buffer.from(JSON.stringify(sent));
    const taken = new AbortController();
    stream.write(isFramed ? Buffer.from(wrapFrame(bytes)) : bytes, () => taken.abort());
    const wait_ms = this.options.drain_ms_max ?? bus_stream_drain_ms_max;
    return sleep(wait_ms, false, { signal: firstAbort(taken.signal, signal) }).catch(() => true);
  }
}

function readSubscription(bytes: Uint8Array): Result<Subscription> {
  const json = parseJson(fromUtf8(bytes) ?? '');
  return isRefused(json) ? json : decode(subscription, json.right);
}

function end(stream: Stream, refusal: PeerRefusal): void {
  if (!stream.cancelled && !stream.destroyed) stream.emit('error', refusal);
}

/**
 * The live feed of entries. `EventSource` cannot send the token in a header, so the stream is read with fetch; a broken connection is
 * made again with `Last-Event-ID`, later and later, and nothing that happened in between is missed. A page that nobody sees holds no
 * connection: a browser allows six to one host (HTTP/1.1), and those of hidden tabs would leave none for the visible one.
 */
import { type FeedEntry, feedEntryCodec, type FeedProgress, feedProgressCodec } from '../../../codec/api-journal.js';
import { type Api, Problem } from '../../kit/api/client.js';
import { type Feed, type FeedState, Hub, keepConnected, limitSilence, readMessage } from '../../kit/api/feed.js';
import { EventReader, type ServerEvent } from '../../kit/api/sse.js';

export interface Listener {
  readonly entry?: (entry: FeedEntry) => void;
  readonly progress?: (progress: FeedProgress) => void;
  /** Called when the connection is back after it was lost or closed. */
  readonly again?: () => void;
}

const delay_ms_min = 500;
const delay_ms_max = 5_000;
/** Responses after which the stream is asked for no more. */
const refusals: readonly number[] = [401, 403, 404];

/** @param after the newest entry that the page has seen already */
export function openFeed(api: Api, after: number): Feed<Listener> {
  const hub = new Hub<Listener>();
  let lastId = String(after);
  let away = false;
  const become = (next: FeedState): void => {
    if (!hub.become(next)) return;
    if (away && next === 'live') hub.tell((listener) => listener.again?.());
    away = next !== 'live';
  };
  const take = (event: ServerEvent): void => {
    if (/^[0-9]+$/.test(event.id)) lastId = event.id;
    deliver(event, hub);
  };
  const following: Following = { api, signal: hub.signal, become, take, lastId: () => lastId };
  let delay = delay_ms_min;
  void keepConnected(hub.signal, async () => {
    let isRefused = false;
    try {
      await readOnce(following);
      delay = delay_ms_min;
    } catch (error) {
      isRefused = error instanceof Problem && refusals.includes(error.document.status);
    }
    become(document.hidden && !isRefused ? 'connecting' : 'broken');
    if (isRefused || document.hidden) return isRefused ? null : 0;
    const wait = delay;
    delay = Math.min(delay_ms_max, delay * 2);
    return wait;
  });
  return hub;
}

function deliver({ event, data }: ServerEvent, hub: Hub<Listener>): void {
  const entry = event === 'entry' ? readMessage(feedEntryCodec, data) : null;
  const progress = event === 'progress' ? readMessage(feedProgressCodec, data) : null;
  if (entry !== null) hub.tell((listener) => listener.entry?.(entry));
  if (progress !== null) hub.tell((listener) => listener.progress?.(progress));
}

interface Following {
  readonly api: Api;
  readonly signal: AbortSignal;
  readonly become: (state: FeedState) => void;
  readonly take: (event: ServerEvent) => void;
  readonly lastId: () => string;
}

async function readOnce({ api, signal, become, take, lastId }: Following): Promise<void> {
  const connection = new AbortController();
  const end = (): void => connection.abort();
  const endIfHidden = (): void => {
    if (document.hidden) end();
  };
  signal.addEventListener('abort', end);
  document.addEventListener('visibilitychange', endIfHidden);
  const silence = limitSilence(end);
  try {
    const headers = { Accept: 'text/event-stream', 'Last-Event-ID': lastId() };
    const response = await api.stream('/api/events', headers, connection.signal);
    if (response.body === null) return;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const events = new EventReader(lastId());
    become('live');
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      silence.heard();
      for (const event of events.push(value)) take(event);
    }
  } finally {
    silence.stop();
    signal.removeEventListener('abort', end);
    document.removeEventListener('visibilitychange', endIfHidden);
    connection.abort();
  }
}

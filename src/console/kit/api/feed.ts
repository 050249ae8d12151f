/** What the feeds of both pages have in common: who listens, whether the connection stands, and what they wait for between two connections. */
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { tolerant } from '../../../codec/tolerant.js';

/** Returns the message that a text is; null for one that this page does not know. */
export function readMessage<A>(codec: t.Type<A, unknown>, text: string): A | null {
  try {
    const message = tolerant(codec).decode(JSON.parse(text));
    return E.isRight(message) ? message.right : null;
  } catch {
    return null;
  }
}

export type FeedState = 'connecting' | 'live' | 'broken';

export interface Feed<L> {
  /** Tells the listener that `current` returns then. Returns a function that ends this. */
  readonly listen: (current: () => L) => () => void;
  readonly onState: (watcher: (state: FeedState) => void) => () => void;
  readonly close: () => void;
}

function joined<A>(all: Set<A>, member: A): () => void {
  all.add(member);
  return () => void all.delete(member);
}

export class Hub<L> implements Feed<L> {
  private readonly ended = new AbortController();
  private readonly listeners = new Set<() => L>();
  private readonly watchers = new Set<(state: FeedState) => void>();
  private state: FeedState = 'connecting';
  readonly signal = this.ended.signal;
  readonly close = (): void => this.ended.abort();
  readonly listen = (current: () => L): (() => void) => joined(this.listeners, current);
  readonly onState = (watcher: (state: FeedState) => void): (() => void) => {
    watcher(this.state);
    return joined(this.watchers, watcher);
  };

  tell(act: (listener: L) => void): void {
    for (const current of this.listeners) act(current());
  }

  /** Returns whether this is another state than before. */
  become(next: FeedState): boolean {
    if (next === this.state) return false;
    this.state = next;
    for (const watcher of this.watchers) watcher(next);
    return true;
  }
}

/** Without a word for so long, heartbeats included, a connection counts as dead. */
const silence_ms_max = 30_000;

/** Calls `end` once nothing has been heard for too long, from now on and from each call of `heard` on. */
export function limitSilence(end: () => void): Readonly<Record<'heard' | 'stop', () => void>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  const heard = (): void => {
    stop();
    timer = setTimeout(end, silence_ms_max);
  };
  heard();
  return { heard, stop };
}

/** Resolves as soon as the page is visible, or when the feed ends: a page that nobody sees makes no new connection. */
const whenVisible = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      signal.removeEventListener('abort', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look);
    look();
  });

/** Resolves after `ms`, or at once when the network is back or the feed ends. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener('online', end);
    signal.addEventListener('abort', end);
  });

/**
 * Connects again and again while somebody sees the page, until the feed ends.
 * @param connect holds one connection from its beginning to its end; returns the milliseconds until the next, null for none
 */
export async function keepConnected(signal: AbortSignal, connect: () => Promise<number | null>): Promise<void> {
  for (;;) {
    await whenVisible(signal);
    const wait_ms = signal.aborted ? null : await connect();
    if (signal.aborted || wait_ms === null) return;
    await pause(wait_ms, signal);
  }
}

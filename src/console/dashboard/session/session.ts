/** What every page of a signed-in reader has: the API, the progress of runs as it comes, and the address. */
import type * as t from 'io-ts';
import { useEffect, useState } from 'preact/hooks';
import type { Api } from '../../kit/api/client.js';
import { pause } from '../../kit/api/feed.js';
import { sessionHooks } from '../../kit/controls/session.js';
import { useHash, useNewest, useSoon } from '../../kit/load.js';
import type { FeedListener, OpenSocket, ProgressFeed } from '../api/feed.js';
import type { RunProgress } from '../api/progress.js';
import { hrefOf, parseRoute, type Route } from './routes.js';

/** What a token opens. */
export interface Access {
  readonly api: Api;
  readonly socket: OpenSocket;
}

export interface Session {
  readonly api: Api;
  readonly feed: ProgressFeed;
}

export const { SessionProvider, useSession, useGet, useTask, useFeed } = sessionHooks<FeedListener, Session>();

/** A record comes when it has ended or after this time; one request at a time. */
const wait_s = 20;
/** After a request that failed. */
const wait_failed_ms = 5_000;

/** Loads a record again and again as long as `asks`. */
export function useAskedRecord<A>(path: string, codec: t.Type<A, unknown>, asks: boolean, take: (record: A) => void): void {
  const { api } = useSession();
  const newest = useNewest(take);
  useEffect(() => {
    const stop = new AbortController();
    const ask = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        try {
          const record = await api.get(`${path}?wait=${wait_s}`, codec, stop.signal);
          if (!stop.signal.aborted) newest.current?.(record);
        } catch {
          await pause(wait_failed_ms, stop.signal);
        }
      }
    };
    if (asks) void ask();
    return () => stop.abort();
  }, [api, path, asks]);
}

/** The progress of a run as the page has heard of it; a component that asks for it is drawn again with each change of a run. */
export function useProgress(): (id: string) => RunProgress | undefined {
  const { feed } = useSession();
  const [, redraw] = useState(0);
  useFeed({ progress: () => redraw((n) => n + 1) });
  return feed.progressOf;
}

const delay_ms = 300;
const spacing_ms_min = 3_000;
/** However many pages ask, requests are left for what people do: each asks the less often, the fewer there are. */
const share = 4_000;

/** Asks the server again when something happened: soon, and never too often, because it counts requests. */
export function useSpaced(act: () => void): () => void {
  const { api } = useSession();
  return useSoon(act, delay_ms, Math.max(spacing_ms_min, share * api.share_s()));
}

export const useRoute = (): Route => parseRoute(useHash());

export function goTo(route: Route): void {
  location.hash = hrefOf(route);
}

/** What every page of a signed-in reader has: the API, and the progress of runs as it comes. */
import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Api } from '../../kit/api/client.js';
import type { FeedListener, FeedState, ProgressFeed, OpenSocket } from '../api/feed.js';
import { useHash } from '../../kit/address/use-hash.js';
import { hrefOf, parseRoute, type Route } from './routes.js';

/** What a token opens. */
export interface Access {
  readonly api: Api;
  readonly socket: OpenSocket;
}

export interface Session {
  readonly api: Api;
  readonly feed: ProgressFeed;
  readonly leave: () => void;
}

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('no session');
  return session;
}

/** Listens as long as the component is mounted. */
export function useFeed(listener: FeedListener): void {
  const { feed } = useSession();
  const newest = useRef(listener);
  newest.current = listener;
  useEffect(
    () =>
      feed.listen({
        progress: (progress) => newest.current.progress?.(progress),
        ended: (id, state) => newest.current.ended?.(id, state),
        again: () => newest.current.again?.(),
      }),
    [feed],
  );
}

export function useFeedState(): FeedState {
  const { feed } = useSession();
  const [state, setState] = useState<FeedState>('connecting');
  useEffect(() => feed.onState(setState), [feed]);
  return state;
}

/** The route of the page's address, kept up to date; and going to another one. */
export const useRoute = (): Route => parseRoute(useHash());

export function goTo(route: Route): void {
  location.hash = hrefOf(route);
}

/** What every page of a signed-in operator has: the API, who acts, the state of the agent, and the live feed. */
import { createContext, type RefObject } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import type { Api } from '../../kit/api/client.js';
import type { Feed, Listener } from '../api/feed.js';
import type { Problem } from '../../kit/api/problem.js';
import type { FeedProgress } from '../../../codec/api-journal.js';
import type { Status } from '../../../codec/api-status.js';
import { useHash } from '../../kit/address/use-hash.js';
import { hrefOf, parseRoute, type Route } from './route.js';

export interface Session {
  readonly api: Api;
  readonly feed: Feed;
  readonly status: Status;
  readonly reloadStatus: () => Promise<void>;
  /** The newest progress of each running mission that the feed told of. */
  readonly progress: ReadonlyMap<string, FeedProgress>;
  /** Why executing a newly queued mission was refused, by mission id; the mission's page shows it. */
  readonly refused: Map<string, Problem>;
  /** What the next page does once it is there. */
  readonly wishes: { search: boolean };
  readonly leave: () => void;
}

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('no session');
  return session;
}

/** What the actor's role allows. */
export function useRights(): { readonly review: boolean; readonly administer: boolean } {
  const { role } = useSession().status.actor;
  return { review: role !== 'viewer', administer: role === 'admin' };
}

/** Focuses a field when its page was opened to search. */
export function useSearchWish(field: RefObject<HTMLElement | null>): void {
  const { wishes } = useSession();
  useEffect(() => {
    if (wishes.search) field.current?.focus();
    wishes.search = false;
  }, []);
}

export function useFeed(listener: Listener): void {
  const { feed } = useSession();
  const newest = useRef(listener);
  newest.current = listener;
  useEffect(
    () =>
      feed.listen({
        entry: (entry) => newest.current.entry?.(entry),
        progress: (progress) => newest.current.progress?.(progress),
        again: () => newest.current.again?.(),
      }),
    [feed],
  );
}

/** The route of the page's address, kept up to date; and going to another one. */
export const useRoute = (): Route => parseRoute(useHash());

export function goTo(route: Route): void {
  location.hash = hrefOf(route);
}

/** Like `goTo`, but replaces the current address: for filters that change while one types. */
export function replaceRoute(route: Route): void {
  history.replaceState(null, '', hrefOf(route));
  dispatchEvent(new HashChangeEvent('hashchange'));
}

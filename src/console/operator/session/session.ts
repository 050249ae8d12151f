/** What every page of a signed-in operator has: the API, who acts, the state of the agent, and the live feed. */
import type * as t from 'io-ts';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import type { FeedProgress } from '../../../codec/api-journal.js';
import type { Status } from '../../../codec/api-status.js';
import type { Api } from '../../kit/api/client.js';
import type { Feed } from '../../kit/api/feed.js';
import type { Problem } from '../../kit/api/problem.js';
import { useAnnounce } from '../../kit/controls/announce.js';
import { type Loaded, sessionContext, useAction, useHash, useListener, useLoad } from '../../kit/load.js';
import type { Listener } from '../api/feed.js';
import { hrefOf, parseRoute, type Route } from './route.js';

export interface Session {
  readonly api: Api;
  readonly feed: Feed<Listener>;
  readonly status: Status;
  readonly reloadStatus: () => Promise<void>;
  /** The newest progress of each running mission that the feed told of. */
  readonly progress: ReadonlyMap<string, FeedProgress>;
  /** Why executing a newly queued mission was refused, by mission id; the mission's page shows it. */
  readonly refused: Map<string, Problem>;
  /** What the next page does once it is there. */
  readonly wishes: { search: boolean; files: readonly File[] };
}

export const [SessionProvider, useSession] = sessionContext<Session>();

/**
 * Loads what is at a path of the interface.
 * @param version loads it again when it is another one
 */
export function useGet<A>(path: string, codec: t.Type<A, unknown>, version: string | number = ''): Loaded<A> {
  const { api } = useSession();
  return useLoad(`${path} ${version}`, (signal) => api.get(path, codec, signal));
}

/** What the actor's role allows. */
export function useRights(): { readonly review: boolean; readonly administer: boolean } {
  const { role } = useSession().status.actor;
  return { review: role === 'reviewer' || role === 'admin', administer: role === 'admin' };
}

/** Focuses a field when its page was opened to search. */
export function useSearchWish(field: RefObject<HTMLElement | null>): void {
  const { wishes } = useSession();
  useEffect(() => {
    if (wishes.search) field.current?.focus();
    wishes.search = false;
  }, []);
}

/** What a button needs that asks the server for something: at most one at a time, with its news and its failure. */
export const useTask = () => ({ ...useSession(), announce: useAnnounce(), ...useAction() });

export const useFeed = (listener: Listener): void => useListener(useSession().feed, listener);

export const useRoute = (): Route => parseRoute(useHash());

export function goTo(route: Route): void {
  location.hash = hrefOf(route);
}

/** Like `goTo`, but replaces the current address: for filters that change while one types. */
export function replaceRoute(route: Route): void {
  history.replaceState(null, '', hrefOf(route));
  dispatchEvent(new HashChangeEvent('hashchange'));
}

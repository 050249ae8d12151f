/** What every page of a signed-in operator has: the API, who acts, the state of the agent, and the live feed. */
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { FeedProgress } from '../../../codec/api-journal.js';
import type { Status } from '../../../codec/api-status.js';
import { replaceHash } from '../../kit/address.js';
import type { Api, Problem } from '../../kit/api/client.js';
import type { Feed } from '../../kit/api/feed.js';
import { sessionHooks } from '../../kit/controls/session.js';
import { useHash } from '../../kit/load.js';
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
  /** What pages leave for when they are shown again, by name. */
  readonly left: Map<string, unknown>;
  /** What the next page does once it is there. */
  readonly wishes: { search: boolean; files: readonly File[] };
}

export const { SessionProvider, useSession, useGet, useTask, useFeed } = sessionHooks<Listener, Session>();

/** What the actor's role allows. */
export function useRights(): { readonly review: boolean; readonly administer: boolean } {
  const { role } = useSession().status.actor;
  return { review: role === 'reviewer' || role === 'admin', administer: role === 'admin' };
}

/** A state that outlasts its page, up to the end of the session. @param name of one such state on a page */
export function useLasting<A>(name: string, first: A): readonly [A, (value: A) => void] {
  const { left } = useSession();
  const [value, setValue] = useState(() => (left.has(name) ? (left.get(name) as A) : first));
  return [value, (next) => (left.set(name, next), setValue(() => next))];
}

/** Focuses a field when its page was opened to search. */
export function useSearchWish(field: RefObject<HTMLElement | null>): void {
  const { wishes } = useSession();
  useEffect(() => {
    if (wishes.search) field.current?.focus();
    wishes.search = false;
  }, []);
}

export const useRoute = (): Route => parseRoute(useHash());

export function goTo(route: Route): void {
  location.hash = hrefOf(route);
}

export const replaceRoute = (route: Route): void => replaceHash(hrefOf(route));

/** The session of a signed-in reader: what provides it, and the hooks that give it to every page. */
import type * as t from 'io-ts';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Api } from '../api/client.js';
import type { Feed } from '../api/feed.js';
import { type Loadable, useAction, useListener, useLoad } from '../load.js';
import { useAnnounce } from './announce.js';

export function sessionHooks<L, S extends { readonly api: Api; readonly feed: Feed<L> }>() {
  const context = createContext<S | null>(null);
  const useSession = (): S => {
    const session = useContext(context);
    if (session === null) throw new Error('no session');
    return session;
  };
  return {
    SessionProvider: context.Provider,
    useSession,
    /**
     * Loads what is at a path of the interface.
     * @param version loads it again when it is another one
     */
    useGet: <A>(path: string, codec: t.Type<A, unknown>, version: string | number = ''): Loadable<A> => {
      const { api } = useSession();
      return useLoad(`${path} ${version}`, (signal) => api.get(path, codec, signal));
    },
    /** What a button needs that asks the server for something: at most one at a time, with its news and its failure. */
    useTask: () => {
      const announce = useAnnounce();
      return { ...useSession(), announce, ...useAction(announce) };
    },
    useFeed: (listener: L): void => useListener(useSession().feed, listener),
  };
}

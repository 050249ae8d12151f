/** Loads data for a page, again when what it depends on changes; a response that comes too late is dropped. */
import type * as t from 'io-ts';
import { createContext, type RefObject } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { type Api, asProblem, isUnreachable, type Problem, type Reach } from './api/client.js';
import type { Feed, FeedState } from './api/feed.js';
import { uuid } from './api/uuid.js';
import { serverNow } from './api/clock.js';

export interface Loadable<A> {
  /** What was loaded last; stays while something newer is on its way. */
  readonly data: A | null;
  /** Null for a server that could not be reached, where the page itself says so. */
  readonly problem: Problem | null;
  readonly loading: boolean;
  readonly reload: () => void;
  readonly set: (data: A) => void;
}

/** Statuses of a server that is busy or limits requests, and names when to try again. */
const passing: readonly number[] = [429, 503];

/** The time until a server that could not be reached is looked for again. */
const away_ms = 5_000;

/** Returns after how many milliseconds to load again by itself; null if that would change nothing. */
function waitOf(problem: Problem | null, reach: Reach | null): number | null {
  if (problem === null) return null;
  const { status, retryAfter } = problem.document;
  if (retryAfter === null && reach === null && isUnreachable(problem)) return away_ms;
  return retryAfter !== null && passing.includes(status) ? Math.max(1, retryAfter) * 1000 : null;
}

/**
 * @param key names what is loaded: another key forgets what was there
 * @example const { data, problem } = useLoad(path, (signal) => api.get(path, statusCodec, signal));
 */
export function useLoad<A>(key: string, load: (signal: AbortSignal) => Promise<A>): Loadable<A> {
  const [state, setState] = useState({ key, data: null as A | null, problem: null as Problem | null });
  const [loading, setLoading] = useState(true);
  const [round, setRound] = useState(0);
  const newest = useNewest(load);
  useEffect(() => {
    const stop = new AbortController();
    setLoading(true);
    newest.current(stop.signal).then(
      (data) => {
        if (stop.signal.aborted) return;
        setState({ key, data, problem: null });
        setLoading(false);
      },
      (error: unknown) => {
        if (stop.signal.aborted) return;
        const problem = asProblem(error);
        // What the server no longer has, for example because it serves another home now, is not shown any more.
        const isKept = problem.document.status !== 404;
        setState((old) => ({ key, data: old.key === key && isKept ? old.data : null, problem }));
        setLoading(false);
      },
    );
    return () => stop.abort();
  }, [key, round]);
  const reload = useCallback(() => setRound((n) => n + 1), []);
  const reach = useContext(ReachContext);
  const unreachable = state.problem !== null && isUnreachable(state.problem);
  useEffect(() => {
    if (!unreachable) return undefined;
    // Back already: something else on the page reached the server between the failure and now.
    if (reach?.isAway() === false) reload();
    const end = reach?.onChange((away) => !away && reload());
    addEventListener('online', reload);
    return () => {
      end?.();
      removeEventListener('online', reload);
    };
  }, [state.problem, reach]);
  const wait = waitOf(state.problem, reach);
  useEffect(() => {
    if (wait === null) return undefined;
    const timer = setTimeout(reload, wait);
    return () => clearTimeout(timer);
  }, [state.problem]);
  const set = useCallback((data: A) => setState({ key, data, problem: null }), [key]);
  const mine = state.key === key;
  // Nor is a limit of requests that ends by itself, where what was loaded before is there.
  const isLimited = state.problem?.document.status === 429 && wait !== null && state.data !== null;
  const isShown = mine && !isLimited && !(unreachable && reach !== null);
  return { data: mine ? state.data : null, problem: isShown ? state.problem : null, loading: loading || !mine, reload, set };
}

/** Keeps a list in its place, with the focus in it, until the one of another order, part or filter has come. */
export function useKept<A>(list: Loadable<A>): Loadable<A> {
  const last = useRef(list.data);
  if (list.data !== null || !list.loading) last.current = list.data;
  return { ...list, data: last.current };
}

/** Calls `act` once after a burst of calls, `ms` after the first of them, and not again within `spacing_ms`. */
export function useSoon(act: () => void, ms: number, spacing_ms = 0): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const last = useRef(-Infinity);
  const newest = useNewest(act);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );
  return useCallback(() => {
    const wait_ms = Math.max(ms, last.current + spacing_ms - performance.now());
    timer.current ??= setTimeout(() => {
      timer.current = null;
      last.current = performance.now();
      newest.current();
    }, wait_ms);
  }, [ms, spacing_ms]);
}

/** The status of a session that has ended, which the page says by itself. */
const unauthorized = 401;

/**
 * Runs something that a button starts: at most one at a time, and its failure is kept to be shown.
 * @param announce is told a failure that comes when what would have shown it is closed
 */
export function useAction(announce?: (text: string) => void) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const running = useRef(false);
  const isThere = useIsThere();
  const run = useCallback((act: () => Promise<void>) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setProblem(null);
    void act()
      .catch((error: unknown) => {
        const failure = asProblem(error);
        const { status, title, detail } = failure.document;
        if (isThere()) setProblem(failure);
        else if (status !== unauthorized) announce?.([title, detail].filter(Boolean).join(': '));
      })
      .finally(() => {
        running.current = false;
        setBusy(false);
      });
  }, []);
  return { busy, problem, run, forget: useCallback(() => setProblem(null), []) };
}

/** Returns whether the component is still there: whoever went elsewhere while a request was on its way stays there. */
export function useIsThere(): () => boolean {
  const isThere = useRef(true);
  useEffect(() => () => void (isThere.current = false), []);
  return useCallback(() => isThere.current, []);
}

/** Given by a page that says itself that the server is away: then nothing else on the page says it. */
export const ReachContext = createContext<Reach | null>(null);

export function useAway(reach: Reach): boolean {
  const [away, setAway] = useState(reach.isAway());
  useEffect(() => {
    setAway(reach.isAway());
    return reach.onChange(setAway);
  }, [reach]);
  return away;
}

/** Listens to an event of the window while `isOn`. */
export function useWindow<E extends keyof WindowEventMap>(type: E, act: (event: WindowEventMap[E]) => void, isOn = true): void {
  const newest = useNewest(act);
  useEffect(() => {
    if (!isOn) return undefined;
    const call = (event: WindowEventMap[E]): void => newest.current(event);
    addEventListener(type, call);
    return () => removeEventListener(type, call);
  }, [type, isOn]);
}

/** A reference to what a component had at its last turn, for what happens between two turns. */
export function useNewest<A>(value: A): RefObject<A> {
  const newest = useRef(value);
  newest.current = value;
  return newest;
}

/** Listens as long as the component is mounted. */
export function useListener<L>(feed: Feed<L>, listener: L): void {
  const newest = useNewest(listener);
  useEffect(() => feed.listen(() => newest.current), [feed]);
}

export function useFeedState({ onState }: Pick<Feed<unknown>, 'onState'>): FeedState {
  const [state, setState] = useState<FeedState>('connecting');
  useEffect(() => onState(setState), [onState]);
  return state;
}

const clock_ms = 30_000;

/** The time of the server, every half minute. */
export function useNow(): number {
  const [now, setNow] = useState(serverNow());
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), clock_ms);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Returns a function that posts a text; the same one is sent under the same key until it has succeeded, however often a button is pressed. */
export function usePostOnce(api: Api): <A>(path: string, codec: t.Type<A, unknown>, text: string) => Promise<A> {
  const last = useRef<{ readonly text: string; readonly key: string } | null>(null);
  return async (path, codec, text) => {
    if (last.current?.text !== text) last.current = { text, key: uuid() };
    const created = await api.post(path, codec, { text, headers: { 'Idempotency-Key': last.current.key } });
    last.current = null;
    return created;
  };
}

/** The part of the page's address after `#`, kept up to date. */
export function useHash(): string {
  const [hash, setHash] = useState(location.hash);
  const read = (): void => setHash(location.hash);
  useWindow('hashchange', read);
  useEffect(read, []);
  return hash;
}

/** Whether the server can be reached: calls report it, the page says it once, and what could not be loaded is loaded again afterwards. */
import type { Problem } from './problem.js';

export interface Reach {
  readonly isAway: () => boolean;
  /** Reports that a call reached the server, or did not. */
  readonly note: (reached: boolean) => void;
  /** Calls the listener after each change. Returns a function that ends this. */
  readonly onChange: (listener: (away: boolean) => void) => () => void;
}

export function makeReach(): Reach {
  const listeners = new Set<(away: boolean) => void>();
  let away = false;
  return {
    isAway: () => away,
    note: (reached) => {
      if (away === !reached) return;
      away = !reached;
      for (const listener of listeners) listener(away);
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** What a proxy responds with while the server behind it is gone; the server's own refusals carry codes of their own. */
const ofProxies: readonly string[] = ['http_502', 'http_503', 'http_504'];

/** Returns whether a call failed because the server could not be reached. */
export const isUnreachable = ({ document: { code } }: Problem): boolean => code === 'network' || ofProxies.includes(code);

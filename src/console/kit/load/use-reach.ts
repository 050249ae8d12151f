/** What the page shows depends on whether the server can be reached. */
import { createContext } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Reach } from '../api/reach.js';

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

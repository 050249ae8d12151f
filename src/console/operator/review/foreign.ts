/** Whether a mission was made by the reference agent, whose hashes are over its own text: its entries say so. */
import { useEffect, useState } from 'preact/hooks';
import { missionEntries } from '../api/shapes.js';
import { useSession } from '../session/session.js';

/** Asks only when it matters. Without an answer the mission counts as one of ours, whose hash must fit. */
export function useForeign(id: string, matters: boolean): boolean {
  const { api } = useSession();
  const [foreign, setForeign] = useState(false);
  useEffect(() => {
    if (!matters) return undefined;
    const stop = new AbortController();
    api.get(`/api/missions/${id}/events`, missionEntries, stop.signal).then(
      ({ items }) => setForeign(items.some(({ type }) => type === 'reference.mission')),
      () => setForeign(false),
    );
    return () => stop.abort();
  }, [id, matters]);
  return foreign;
}

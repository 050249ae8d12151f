/** Tells whether a mission was made by the reference agent, which hashes its own text. The mission's entries say so. */
import { useEffect, useState } from 'preact/hooks';
import { missionEntriesCodec } from '../../../codec/api-missions.js';
import { useSession } from '../session/session.js';

/** Loads the entries only when it matters. If they cannot be loaded, the mission counts as one of this agent, whose hash must match. */
export function useForeign(id: string, matters: boolean): boolean {
  const { api } = useSession();
  const [foreign, setForeign] = useState(false);
  useEffect(() => {
    if (!matters) return undefined;
    const stop = new AbortController();
    api.get(`/api/missions/${id}/events`, missionEntriesCodec, stop.signal).then(
      ({ items }) => setForeign(items.some(({ type }) => type === 'reference.mission')),
      () => setForeign(false),
    );
    return () => stop.abort();
  }, [id, matters]);
  return foreign;
}

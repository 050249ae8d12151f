/** The missions of the list that are selected for one action. */
import { useState } from 'preact/hooks';
import type { MissionItem } from '../../../codec/api-missions.js';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly set: (id: string, selected: boolean) => void;
  readonly setAll: (ids: readonly string[]) => void;
}

export const isCancelable = ({ state }: MissionItem): boolean => state === 'queued' || state === 'running';

export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return {
    ids,
    set: (id, selected) =>
      setIds((all) => {
        const next = new Set(all);
        if (selected) next.add(id);
        else next.delete(id);
        return next;
      }),
    setAll: (all) => setIds(new Set(all)),
  };
}

/** Finds the mission that a person names by its id or by the beginning of it. */
import type { Db } from '../../store/database.js';
import { missionsWithPrefix } from '../../tables/missions.js';
import { idNamed, type IdKind } from '../../base/id-prefix.js';

export const uuids: Omit<IdKind, 'noun' | 'hint'> = {
  full: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  part: /^[0-9a-f-]+$/,
  form: 'a UUID',
};

/** Returns the id of the only mission that begins with `given`. @throws RefusalError `invalid`, `not_found` */
export const missionNamed = (db: Db, given: string): string =>
  idNamed({ ...uuids, noun: 'mission', hint: 'agent-cli list' }, given, (prefix, limit) =>
    missionsWithPrefix(db, prefix, limit).map(({ id, goal, erased }) => ({ id, text: erased ? 'erased' : goal })),
  );

/** Finds the approved mission that matches a job. */
import { ascension_missions_shown_max } from '../../base/limits.js';
import { RefusalError } from '../../base/result.js';
import { approvedMissionsWithGoal } from '../../rows/missions.js';
import type { Db } from '../../store/database.js';

/**
 * Returns the id of the only completed mission with exactly this goal.
 * @throws RefusalError `not_found` for none, `conflict` for several
 */
export function findMission(db: Db, jobIndex: number, goal: string): string {
  const ids = approvedMissionsWithGoal(db, goal).map(({ id }) => id);
  const [id] = ids;
  if (id === undefined)
    throw new RefusalError({
      code: 'not_found',
      detail: `no approved mission has the goal of job ${jobIndex}`,
      facts: { jobIndex },
      hint: 'agent-cli list --state completed',
    });
  if (ids.length === 1) return id;
  const missions = ids.slice(0, ascension_missions_shown_max);
  const more = ids.length > missions.length ? ` and ${ids.length - missions.length} more` : '';
  throw new RefusalError({
    code: 'conflict',
    detail: `${ids.length} approved missions have the goal of job ${jobIndex}: ${missions.join(', ')}${more}; deliver job ${jobIndex} separately with --index ${jobIndex} --mission ID`,
    facts: { jobIndex, missions },
  });
}

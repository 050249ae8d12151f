/** Finding the approved mission that did what a job asks. */
import * as E from 'fp-ts/lib/Either.js';
import { ascension_missions_shown_max } from '../../base/limits.js';
import { ok, type Result } from '../../base/result.js';
import type { Db } from '../../store/database.js';

/** The one completed mission with this goal, letter by letter. */
export function findMission(db: Db, jobIndex: number, goal: string): Result<string> {
  const ids = db
    .prepare<[string], { id: string }>("SELECT id FROM mission WHERE state = 'completed' AND goal = ? ORDER BY revision DESC")
    .all(goal)
    .map(({ id }) => id);
  const [id] = ids;
  if (id === undefined)
    return E.left({
      code: 'not_found',
      detail: `no approved mission has the goal of job ${jobIndex}`,
      facts: { jobIndex },
      hint: 'agent-cli list --state completed',
    });
  if (ids.length === 1) return ok(id);
  const missions = ids.slice(0, ascension_missions_shown_max);
  const more = ids.length > missions.length ? ` and ${ids.length - missions.length} more` : '';
  return E.left({
    code: 'conflict',
    detail: `${ids.length} approved missions have the goal of job ${jobIndex}: ${missions.join(', ')}${more}; deliver job ${jobIndex} alone with --index ${jobIndex} --mission ID`,
    facts: { jobIndex, missions },
  });
}

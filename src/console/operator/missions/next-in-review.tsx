/** After a decision: the mission that has needed review for the longest time, or that none is left. */
import { useEffect } from 'preact/hooks';
import { missionPageCodec } from '../../../codec/api-missions.js';
import { useLoad } from '../../kit/load/use-load.js';
import { hrefOf, noFilters } from '../session/route.js';
import { useSession } from '../session/session.js';
import { useWords } from '../text/words.js';

const path = '/api/missions?state=review&order=asc&limit=1';

export function NextInReview() {
  const { t, f } = useWords();
  const { api, status } = useSession();
  const left = status.counts.review;
  const { data, reload } = useLoad(path, (signal) => api.get(path, missionPageCodec, signal));
  useEffect(reload, [left]);
  if (data === null) return null;
  const [next] = data.items;
  const list = hrefOf({
    page: 'missions',
    filters: { ...noFilters, state: next === undefined ? null : 'review', order: next === undefined ? null : 'asc' },
  });
  return (
    <nav class="next" aria-label={t.review.nextMission}>
      {next === undefined ? (
        <p>
          {t.review.noneLeft} <a href={list}>{t.shell.toMissions}</a>
        </p>
      ) : (
        <>
          <a class="button primary" href={hrefOf({ page: 'mission', id: next.id })}>
            {t.review.nextMission} →
          </a>
          <p class="next-goal">{next.goal}</p>
          <p class="help">
            <a href={list}>{t.review.left(f.number(Math.max(1, left)))}</a>
          </p>
        </>
      )}
    </nav>
  );
}

/** What all runs, or some, say together. */
import { Empty, Loading, PageTitle } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useLoad } from '../../kit/load/use-load.js';
import { insightCodec } from '../../../codec/api-simulation.js';
import { Band, RunCounts, Shared } from '../charts/band.js';
import { Caveat } from '../parts/caveat.js';
import { useSpaced } from '../parts/use-spaced.js';
import { hrefOf } from '../session/routes.js';
import { useFeed, useSession } from '../session/session.js';
import { useWords } from '../text/words.js';

export function InsightPage({ ids }: { readonly ids: readonly string[] }) {
  const { t } = useWords();
  const { api } = useSession();
  const text = JSON.stringify({ curves: true, ...(ids.length === 0 ? {} : { ids }) });
  const { data, problem, loading, reload } = useLoad(text, () => api.post('/insight', insightCodec, { text }));
  const soon = useSpaced(reload);
  useFeed({ ended: (id, state) => state === 'succeeded' && (ids.length === 0 || ids.includes(id)) && soon(), again: soon });
  return (
    <>
      <PageTitle title={t.insight.title} />
      <p class="lead">{t.insight.lead}</p>
      <Scope ids={ids} />
      {problem !== null &&
        (problem.document.status === 404 ? (
          <Nothing ids={ids} />
        ) : (
          <ProblemBox title={t.failed.summary} problem={problem} retry={reload} />
        ))}
      {data === null && problem === null && loading && <Loading />}
      {data !== null && problem === null && (
        <>
          <Caveat />
          <h2 class="sr-only">{t.run.result}</h2>
          <Shared entries={data.forecast} curves={data.curves ?? []} />
          <Band entries={data.forecast} curves={data.curves ?? []} />
          <RunCounts entries={data.forecast} />
        </>
      )}
    </>
  );
}

function Scope({ ids }: { readonly ids: readonly string[] }) {
  const { t } = useWords();
  return (
    <nav aria-label={t.insight.scope}>
      <ul class="counts">
        <li>
          <a href={hrefOf({ page: 'insight', ids: [] })} aria-current={ids.length === 0 ? 'true' : undefined}>
            {t.insight.all}
          </a>
        </li>
        {ids.length > 0 && (
          <li>
            <a href={hrefOf({ page: 'insight', ids })} aria-current="true">
              {t.insight.chosen(ids.length)}
            </a>
          </li>
        )}
        <li>
          <a href={hrefOf({ page: 'runs', state: 'succeeded', cursor: null })}>{t.insight.choose}</a>
        </li>
      </ul>
      {ids.length > 0 && (
        <ul class="ids">
          {ids.map((id) => (
            <li key={id}>
              <a class="mono" href={hrefOf({ page: 'run', id })}>
                {id}
              </a>
            </li>
          ))}
        </ul>
      )}
    </nav>
  );
}

function Nothing({ ids }: { readonly ids: readonly string[] }) {
  const { t } = useWords();
  const all = ids.length === 0;
  return (
    <Empty title={all ? t.insight.empty : t.insight.nothingLeft}>
      <p>{all ? t.insight.emptyText : t.insight.nothingLeftText}</p>
      <a class="button primary" href={hrefOf({ page: 'new' })}>
        {t.runs.newRun}
      </a>
    </Empty>
  );
}

/** The latest runs, those in flight with their progress as the socket tells it. */
import { useState } from 'preact/hooks';
import { Empty } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useLoad } from '../../kit/load/use-load.js';
import { runPageCodec, type Run } from '../../../codec/api-simulation.js';
import { RunBadge } from '../parts/badge.js';
import { useCurveName } from '../parts/curve-name.js';
import { useSpaced } from '../parts/use-spaced.js';
import type { RunProgress } from '../api/progress.js';
import { allRuns, hrefOf } from '../session/routes.js';
import { useFeed, useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import { RunBar } from './progress.js';

const shown_runs = 5;
const path = `/runs?limit=${shown_runs}`;

export function LatestRuns() {
  const { k, t } = useWords();
  const { api, feed } = useSession();
  const { data, problem, reload } = useLoad(path, (signal) => api.get(path, runPageCodec, signal));
  const [, redraw] = useState(0);
  const soon = useSpaced(reload);
  // The socket keeps listed runs up to date; only a run that is not listed makes the list load again.
  const known = (id: string): boolean => data?.items.some((run) => run.id === id) ?? true;
  useFeed({
    progress: ({ id }) => (known(id) ? redraw((n) => n + 1) : soon()),
    again: soon,
  });
  if (problem !== null) return <ProblemBox title={t.failed.runs} problem={problem} retry={reload} />;
  if (data === null) return <p class="loading">{k.loading}</p>;
  return (
    <section aria-labelledby="latest">
      <div class="title-row section-row">
        <h2 id="latest">{t.form.latest}</h2>
        {data.items.length > 0 && <a href={hrefOf(allRuns)}>{t.form.allRuns}</a>}
      </div>
      {data.items.length === 0 ? (
        <Empty title={t.form.noRuns}>
          <p>{t.form.noRunsText}</p>
        </Empty>
      ) : (
        <ul class="latest">
          {data.items.map((run) => (
            <Item key={run.id} run={run} progress={feed.progressOf(run.id)} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Item({ run, progress }: { readonly run: Run; readonly progress: RunProgress | undefined }) {
  const { t, f } = useWords();
  const nameOf = useCurveName();
  const { id, name, state, request, created_at } = run;
  const begun = progress !== undefined && progress.ended === null && state === 'queued';
  const shown = progress?.ended ?? (begun ? 'running' : state);
  return (
    <li>
      <a href={hrefOf({ page: 'run', id })}>
        <code>{id}</code>
      </a>
      {name !== undefined && <strong class="run-name">{name}</strong>}
      <RunBadge state={shown} />
      <span class="muted">{t.run.brief(f.number(request.horizon), nameOf(request.curve))}</span>
      {shown === 'running' ? (
        <RunBar run={run} progress={progress} />
      ) : (
        <time dateTime={created_at}>{f.ago(created_at, Date.now())}</time>
      )}
    </li>
  );
}

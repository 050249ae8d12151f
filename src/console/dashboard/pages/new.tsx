/** A new run, and the latest ones with the progress of those in flight. */
import { useState } from 'preact/hooks';
import { Loading, PageTitle, Empty } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useLoad } from '../../kit/load.js';
import { runRecordCodec, runPageCodec, type Run } from '../../../codec/api-simulation.js';
import { RunForm } from '../form/form.js';
import { AgentsPanel, RunBadge, useCurveName, useSpaced, RunBar } from '../parts/parts.js';
import { draftOf } from '../pure/draft.js';
import { useSession, useFeed } from '../session/session.js';
import { useWords } from '../text/words.js';
import type { RunProgress } from '../api/progress.js';
import { allRuns, hrefOf } from '../session/routes.js';

/** @param from a run whose request the form begins with */
export function NewPage({ from }: { readonly from: string | null }) {
  const { t } = useWords();
  return (
    <>
      <PageTitle title={t.form.title} />
      <p class="lead">{t.form.lead}</p>
      <LatestRuns />
      {from === null ? <RunForm /> : <FormFrom id={from} />}
      <AgentsPanel />
    </>
  );
}

function FormFrom({ id }: { readonly id: string }) {
  const { t } = useWords();
  const { api } = useSession();
  const path = `/runs/${id}`;
  const { data, problem, reload } = useLoad(path, (signal) => api.get(path, runRecordCodec, signal));
  if (problem !== null) return <ProblemBox title={t.failed.run} problem={problem} retry={reload} />;
  if (data === null) return <Loading />;
  return <RunForm begin={draftOf(data.request)} from={id} />;
}

/** The latest runs, those in flight with their progress as the socket tells it. */
const shown_runs = 5;
const path = `/runs?limit=${shown_runs}`;

function LatestRuns() {
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

/** A new run, and the latest ones with the progress of those in flight. */
import { type Run, runPageCodec, runRecordCodec } from '../../../codec/api-simulation.js';
import { Ago, Empty, Load, PageTitle } from '../../kit/controls/pieces.js';
import type { RunProgress } from '../api/progress.js';
import { RunForm } from '../form/form.js';
import { AgentsPanel, Latest, RunBadge, RunBar, useCurveName } from '../parts/parts.js';
import { draftOf } from '../pure/draft.js';
import { allRuns, hrefOf } from '../session/routes.js';
import { useFeed, useGet, useProgress, useSpaced } from '../session/session.js';
import { useWords } from '../text/words.js';

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
  return (
    <Load from={useGet(`/runs/${id}`, runRecordCodec)} failed={t.failed.run}>
      {({ request }) => <RunForm begin={draftOf(request)} from={id} />}
    </Load>
  );
}

const shown_runs = 5;

/** The latest runs, those in flight with their progress as the socket tells it. */
function LatestRuns() {
  const { t } = useWords();
  const list = useGet(`/runs?limit=${shown_runs}&sweep=none`, runPageCodec);
  const progressOf = useProgress();
  const soon = useSpaced(list.reload);
  // The socket keeps listed runs up to date; only a run that is not listed makes the list load again.
  const known = (id: string): boolean => list.data?.items.some((run) => run.id === id) ?? true;
  useFeed({ progress: ({ id }) => known(id) || soon(), again: soon });
  return (
    <Load from={list} failed={t.failed.runs}>
      {({ items }) => (
        <section aria-labelledby="latest">
          <div class="title-row">
            <h2 id="latest">{t.form.latest}</h2>
            {items.length > 0 && <a href={hrefOf(allRuns)}>{t.form.allRuns}</a>}
          </div>
          {items.length === 0 ? (
            <Empty title={t.form.noRuns} text={t.form.noRunsText} />
          ) : (
            <ul class="latest">
              {items.map((run) => (
                <Item key={run.id} run={run} progress={progressOf(run.id)} />
              ))}
            </ul>
          )}
        </section>
      )}
    </Load>
  );
}

function Item({ run, progress }: { readonly run: Run; readonly progress: RunProgress | undefined }) {
  const { t, f } = useWords();
  const nameOf = useCurveName();
  const { id, name, state, request, created_at } = run;
  const begun = progress !== undefined && progress.ended === null && state === 'queued';
  const shown = progress?.ended ?? (begun ? 'running' : state);
  return (
    <Latest
      route={{ page: 'run', id }}
      name={name}
      badge={<RunBadge state={shown} />}
      about={t.run.brief(f.number(request.horizon), nameOf(request.curve))}
    >
      {shown === 'running' ? <RunBar run={run} progress={progress} /> : <Ago at={created_at} />}
    </Latest>
  );
}

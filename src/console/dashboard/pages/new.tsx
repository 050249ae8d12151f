/** A new run, and the latest ones with the progress of those in flight. */
import { Loading, PageTitle } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useLoad } from '../../kit/load/use-load.js';
import { runRecordCodec } from '../../../codec/api-simulation.js';
import { RunForm } from '../form/form.js';
import { AgentsPanel } from '../parts/agents.js';
import { draftOf } from '../pure/draft.js';
import { LatestRuns } from '../run/latest.js';
import { useSession } from '../session/session.js';
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
  const { api } = useSession();
  const path = `/runs/${id}`;
  const { data, problem, reload } = useLoad(path, (signal) => api.get(path, runRecordCodec, signal));
  if (problem !== null) return <ProblemBox title={t.failed.run} problem={problem} retry={reload} />;
  if (data === null) return <Loading />;
  return <RunForm begin={draftOf(data.request)} from={id} />;
}

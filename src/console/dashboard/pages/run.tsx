/** One run: its progress while it is running, then its results. */
import { useState } from 'preact/hooks';
import { resultsCodec, type Run, runRecordCodec } from '../../../codec/api-simulation.js';
import { useAnnounce } from '../../kit/controls/announce.js';
import { Button, ButtonLink, Form } from '../../kit/controls/inputs.js';
import { LazyDetails, Load, PageTitle, ProblemBox } from '../../kit/controls/pieces.js';
import { Field } from '../../kit/forms/fields.js';
import { useFeedState, useSoon } from '../../kit/load.js';
import { Eyebrow, RunBadge, RunProgressBox } from '../parts/parts.js';
import { ResultView } from '../run/result.js';
import { hrefOf } from '../session/routes.js';
import { useAskedRecord, useFeed, useGet, useProgress, useSession, useTask } from '../session/session.js';
import { useWords } from '../text/words.js';

/** The server is asked again how long a run takes once there is something to tell, and then seldom: it counts requests. */
const told_after_ms = 2_000;
const told_every_ms = 10_000;

const isUnfinished = ({ state }: Run): boolean => state === 'queued' || state === 'running';

export function RunPage({ id }: { readonly id: string }) {
  const { t } = useWords();
  const announce = useAnnounce();
  const loaded = useGet(`/runs/${id}`, runRecordCodec);
  const { data, reload, set } = loaded;
  const waits = data === null || isUnfinished(data);
  // The progress socket is closed, as behind a proxy that passes no WebSocket on.
  const isAsking = useFeedState(useSession().feed) === 'broken' && waits;
  useAskedRecord(`/runs/${id}`, runRecordCodec, isAsking, (run) => {
    if (run.state !== 'queued' && run.state !== 'running') announce(t.run.ended[run.state]);
    set(run);
  });
  useFeed({
    ended: (ended, state) => {
      if (ended !== id || !waits) return;
      if (state !== 'queued' && state !== 'running') announce(t.run.ended[state]);
      reload();
    },
    again: () => waits && reload(),
  });
  return (
    <>
      {data !== null && <Head run={data} />}
      <PageTitle title={t.run.title(id)}>
        {t.run.title('')}
        <code class="run-id">{id}</code>
      </PageTitle>
      <Load from={loaded} failed={t.failed.run}>
        {(run) => <Body run={run} reload={reload} />}
      </Load>
      {data !== null && <Rename run={data} set={set} />}
    </>
  );
}

function Head({ run }: { readonly run: Run }) {
  const { t, f } = useWords();
  const { sweep, state, started_at, finished_at } = run;
  const took = started_at === null || finished_at === null ? null : (Date.parse(finished_at) - Date.parse(started_at)) / 1000;
  return (
    <Eyebrow badge={<RunBadge state={state} />} of={run}>
      {took !== null && (
        <span>
          {t.run.took} {t.run.seconds(f.number(Number(took.toPrecision(3))))}
        </span>
      )}
      {sweep !== undefined && <a href={hrefOf({ page: 'sweep', id: sweep })}>{t.run.inSweep}</a>}
    </Eyebrow>
  );
}

/** Gives the run another name; a blank one takes it away. */
function Rename({ run: { id, name = '' }, set }: { readonly run: Run; readonly set: (run: Run) => void }) {
  const { t } = useWords();
  const { api, announce, busy, problem, run } = useTask();
  const [text, setText] = useState(name);
  const rename = (): void =>
    run(async () => {
      set(await api.patch(`/runs/${id}`, runRecordCodec, JSON.stringify({ name: text.trim() === '' ? null : text })));
      announce(t.run.renamed);
    });
  return (
    <LazyDetails title={t.run.rename}>
      {() => (
        <Form class="rename" submit={rename}>
          <Field path="name" {...t.form.name} value={text} set={setText} />
          <Button type="submit" disabled={busy} text={t.run.renameButton} />
          {problem !== null && <ProblemBox title={t.failed.rename} problem={problem} />}
        </Form>
      )}
    </LazyDetails>
  );
}

function Body({ run, reload }: { readonly run: Run; readonly reload: () => void }) {
  const { t } = useWords();
  switch (run.state) {
    case 'queued':
    case 'running':
      return <UnderWay run={run} reload={reload} />;
    case 'succeeded':
      return <Succeeded run={run} />;
    case 'failed':
      return <Failed run={run} />;
    case 'cancelled':
      return (
        <>
          <p class="notice">{t.run.cancelled}</p>
          <Again id={run.id} />
        </>
      );
  }
}

function UnderWay({ run, reload }: { readonly run: Run; readonly reload: () => void }) {
  const { t } = useWords();
  const { api, announce, busy, problem, run: act } = useTask();
  const progress = useProgress()(run.id);
  // The place in the queue and the remaining time are the server's to say: they change with every run's progress.
  const soon = useSoon(reload, told_after_ms, told_every_ms);
  useFeed({ progress: soon });
  const cancel = (): void =>
    act(async () => {
      await api.remove(`/runs/${run.id}`, runRecordCodec);
      announce(t.run.cancelAsked);
      reload();
    });
  return (
    <>
      <RunProgressBox run={run} progress={progress} />
      <div class="actions">
        <Button class="danger" disabled={busy} onClick={cancel} text={t.run.cancel} />
      </div>
      {problem !== null && <ProblemBox title={t.failed.cancel} problem={problem} />}
    </>
  );
}

function Succeeded({ run }: { readonly run: Run }) {
  const { t } = useWords();
  return (
    <Load from={useGet(`/results/${run.id}`, resultsCodec)} failed={t.failed.results}>
      {(results) => <ResultView results={results} />}
    </Load>
  );
}

function Failed({ run: { id, error } }: { readonly run: Run }) {
  const { t } = useWords();
  return (
    <>
      <div class="problem">
        <p class="problem-title">{t.run.failedTitle}</p>
        {error?.code === 'interrupted' && <p>{t.run.interrupted}</p>}
        {error !== null && (
          <p>
            <code>{error.code}</code> <span lang="en">{error.message}</span>
          </p>
        )}
      </div>
      <Again id={id} />
    </>
  );
}

const Again = ({ id }: { readonly id: string }) => {
  const { t } = useWords();
  return (
    <div class="actions">
      <ButtonLink href={hrefOf({ page: 'new', from: id })} text={t.run.again} />
    </div>
  );
};

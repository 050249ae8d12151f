/** The rows of the list of runs. */
import { useEffect, useState } from 'preact/hooks';
import { useAnnounce } from '../../kit/controls/announce.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useAction } from '../../kit/load/use-load.js';
import { runRecordCodec, type Run, type RunOutcome } from '../../../codec/api-simulation.js';
import { compare_max } from '../pure/picked.js';
import { shareDone } from '../api/progress.js';
import { hrefOf } from '../session/routes.js';
import { useFeed, useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import { RunBadge } from './badge.js';
import { useCurveName } from './curve-name.js';

const clock_ms = 30_000;

interface RunTableProps {
  readonly items: readonly Run[];
  readonly busy: boolean;
  readonly picked: readonly string[];
  readonly toggle: (id: string) => void;
  readonly reload: () => void;
}

export function RunTable({ items, busy, ...rest }: RunTableProps) {
  const { t } = useWords();
  const now = useNow();
  const { pick, run, state, outcome, created, actions } = t.runs.columns;
  return (
    <table role="table" class="list list-runs" aria-busy={busy}>
      <caption class="sr-only">{t.runs.caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {[pick, run, state, outcome, created, actions].map((name) => (
            <th scope="col" role="columnheader" key={name}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {items.map((item) => (
          <Row key={item.id} run={item} now={now} {...rest} />
        ))}
      </tbody>
    </table>
  );
}

/** The time, every half minute. */
function useNow(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), clock_ms);
    return () => clearInterval(timer);
  }, []);
  return now;
}

interface RowProps extends Omit<RunTableProps, 'items' | 'busy'> {
  readonly run: Run;
  readonly now: number;
}

function Row({ run, now, picked, toggle, reload }: RowProps) {
  const { t, f } = useWords();
  const { id, created_at } = run;
  const { state, done } = useLive(run);
  const isPicked = picked.includes(id);
  const { pick, state: stateName, outcome, created, actions } = t.runs.columns;
  return (
    <tr role="row">
      <td role="cell" data-label={pick} class="pick-cell">
        <input
          type="checkbox"
          aria-label={t.runs.pick(id)}
          checked={isPicked}
          disabled={state !== 'succeeded' || (!isPicked && picked.length >= compare_max)}
          onChange={() => toggle(id)}
        />
      </td>
      <th scope="row" role="rowheader">
        <Named run={run} />
      </th>
      <td role="cell" data-label={stateName}>
        <RunBadge state={state} />
        {state === 'running' && (
          <progress max={1} value={done} aria-label={t.runs.progress(id)}>
            {f.percent(done)}
          </progress>
        )}
      </td>
      {run.outcome === null ? (
        <td role="cell" />
      ) : (
        <td role="cell" data-label={outcome}>
          <Outcome {...run.outcome} />
        </td>
      )}
      <td role="cell" data-label={created}>
        <time dateTime={created_at} title={f.dateTime(created_at)}>
          {f.ago(created_at, now)}
        </time>
      </td>
      {state === 'queued' || state === 'running' ? (
        <td role="cell" data-label={actions}>
          <Cancel id={id} reload={reload} />
        </td>
      ) : (
        <td role="cell" />
      )}
    </tr>
  );
}

/** The end of a run's forecast. */
function Outcome({ capability, disrupted, sectors }: RunOutcome) {
  const { t, f } = useWords();
  return (
    <>
      <span class="run-summary">{t.runs.capability(f.percent(capability))}</span>
      <span class="run-summary muted">{t.runs.disrupted(f.number(disrupted), f.number(sectors))}</span>
    </>
  );
}

function Named({ run: { id, name, request, attempt } }: { readonly run: Run }) {
  const { t, f } = useWords();
  const nameOf = useCurveName();
  const { curve, horizon, sectors, num_sectors, pop_size, generations } = request;
  return (
    <>
      {name !== undefined && <strong class="run-name">{name}</strong>}
      <a href={hrefOf({ page: 'run', id })} class="goal mono">
        {id}
      </a>
      <span class="run-summary">
        {t.runs.summary(f.number(horizon), f.number(sectors?.length ?? num_sectors), nameOf(curve))}
      </span>
      <span class="run-summary muted">
        {t.runs.search(f.number(pop_size), f.number(generations))}
        {attempt > 1 && ` · ${t.runs.attempt(f.number(attempt))}`}
      </span>
    </>
  );
}

/** The run's state in the list, brought up to date by the progress since. */
function useLive({ id, state, progress, request }: Run): { readonly state: Run['state']; readonly done: number } {
  const { feed } = useSession();
  const [heard, setHeard] = useState(feed.progressOf(id));
  useFeed({ progress: (one) => one.id === id && setHeard(one) });
  const isOver = state !== 'queued' && state !== 'running';
  const now = isOver ? state : (heard?.ended ?? (heard === undefined ? state : 'running'));
  return { state: now, done: Math.max(progress ?? 0, shareDone(heard, request.generations)) };
}

function Cancel({ id, reload }: { readonly id: string; readonly reload: () => void }) {
  const { t } = useWords();
  const { api } = useSession();
  const announce = useAnnounce();
  const { busy, problem, run } = useAction();
  const cancel = (): void =>
    run(async () => {
      await api.remove(`/runs/${id}`, runRecordCodec);
      announce(t.runs.cancelled(id));
      reload();
    });
  return (
    <>
      <button type="button" class="small" aria-label={t.runs.cancelRun(id)} disabled={busy} onClick={cancel}>
        {t.runs.cancel}
      </button>
      {problem !== null && <ProblemBox title={t.failed.cancel} problem={problem} />}
    </>
  );
}

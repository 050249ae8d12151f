/** The list of runs: live, filtered by what the address says; some are cancelled, some chosen to be looked at together. */
import { useState, useEffect } from 'preact/hooks';
import { runStates, type RunState } from '../../../codec/simulation.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { Empty, Loading, PageTitle } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useLoad, useAction } from '../../kit/load.js';
import { agentCli, flags } from '../../kit/controls/agent-cli.js';
import { runPageCodec, type RunPage, runRecordCodec, type Run, type RunOutcome } from '../../../codec/api-simulation.js';
import { compare_max, compare_min, toggled } from '../pure/differences.js';
import { allRuns, hrefOf } from '../session/routes.js';
import { useSpaced, RunBadge, useCurveName } from '../parts/parts.js';
import { useFeed, useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import { withQuery } from '../../kit/address.js';
import { useAnnounce } from '../../kit/controls/announce.js';
import { shareDone } from '../api/progress.js';

const page_items = 25;

interface Place {
  readonly state: RunState | null;
  readonly cursor: string | null;
}

export function RunsPage({ state, cursor }: Place) {
  const { t } = useWords();
  const { api } = useSession();
  const path = withQuery('/runs', { state, cursor, limit: page_items });
  const { data, problem, loading, reload } = useLoad(path, (signal) => api.get(path, runPageCodec, signal));
  const [picked, setPicked] = useState<readonly string[]>([]);
  const soon = useSpaced(reload);
  useFeed({
    progress: ({ id }) => {
      // Runs that began meanwhile, by whomever: the list shows them as waiting, or not at all.
      const known = data?.items.find((run) => run.id === id);
      if (known === undefined ? state === null || state === 'running' : known.state === 'queued') soon();
    },
    ended: soon,
    again: soon,
  });
  return (
    <>
      <div class="title-row">
        <PageTitle title={t.runs.title} />
        <a class="button primary" href={hrefOf({ page: 'new' })}>
          {t.runs.newRun}
        </a>
      </div>
      <StateFilter state={state} />
      {problem !== null && <ProblemBox title={t.failed.runs} problem={problem} retry={reload} />}
      {data === null ? (
        loading && <Loading />
      ) : (
        <Items place={{ state, cursor }} list={data} busy={loading} picked={picked} pick={setPicked} reload={reload} />
      )}
      <CommandLine lines={[agentCli('runs', ...flags({ state, cursor, limit: page_items }))]} />
    </>
  );
}

function StateFilter({ state }: { readonly state: RunState | null }) {
  const { t } = useWords();
  return (
    <nav aria-label={t.runs.filter}>
      <ul class="counts">
        {[null, ...runStates].map((each) => (
          <li key={each}>
            <a href={hrefOf({ page: 'runs', state: each, cursor: null })} aria-current={each === state ? 'true' : undefined}>
              {each === null ? t.runs.all : t.states[each]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface ItemsProps {
  readonly place: Place;
  readonly list: RunPage;
  readonly busy: boolean;
  readonly picked: readonly string[];
  readonly pick: (ids: readonly string[]) => void;
  readonly reload: () => void;
}

function Items({ place, list: { items, next_cursor }, busy, picked, pick, reload }: ItemsProps) {
  if (items.length === 0) return <NoRuns place={place} />;
  return (
    <>
      <Picked picked={picked} pick={pick} />
      <RunTable items={items} busy={busy} picked={picked} toggle={(id) => pick(toggled(picked, id))} reload={reload} />
      <Pager place={place} next={next_cursor} />
    </>
  );
}

function NoRuns({ place: { state, cursor } }: { readonly place: Place }) {
  const { t } = useWords();
  const whole = state === null && cursor === null;
  return (
    <Empty title={whole ? t.runs.empty : t.runs.emptyFiltered}>
      {whole && <p>{t.runs.emptyText}</p>}
      <a class={whole ? 'button primary' : 'button'} href={hrefOf(whole ? { page: 'new' } : allRuns)}>
        {whole ? t.runs.newRun : t.runs.showAll}
      </a>
    </Empty>
  );
}

/** Stays while pages of the list are turned, so that runs far apart can be chosen. */
function Picked({ picked, pick }: Pick<ItemsProps, 'picked' | 'pick'>) {
  const { t } = useWords();
  return (
    <div class="picked">
      <p role="status">
        {picked.length === 0 ? t.runs.pickHint : t.runs.picked(picked.length)} {picked.length >= compare_max && t.runs.full}
      </p>
      {picked.length >= compare_min && (
        <a class="button" href={hrefOf({ page: 'compare', ids: picked })}>
          {t.runs.compare}
        </a>
      )}
      {picked.length > 0 && (
        <>
          <a class="button" href={hrefOf({ page: 'insight', ids: picked })}>
            {t.runs.insight}
          </a>
          <button type="button" class="quiet" onClick={() => pick([])}>
            {t.runs.unpick}
          </button>
        </>
      )}
    </div>
  );
}

function Pager({ place: { state, cursor }, next }: { readonly place: Place; readonly next: string | null }) {
  const { t } = useWords();
  if (next === null && cursor === null) return null;
  return (
    <nav class="pager" aria-label={t.runs.pager}>
      {cursor !== null && (
        <a class="button" href={hrefOf({ page: 'runs', state, cursor: null })}>
          ← {t.runs.newest}
        </a>
      )}
      {next !== null && (
        <a class="button" href={hrefOf({ page: 'runs', state, cursor: next })}>
          {t.runs.older} →
        </a>
      )}
    </nav>
  );
}

/** The rows of the list of runs. */
const clock_ms = 30_000;

interface RunTableProps {
  readonly items: readonly Run[];
  readonly busy: boolean;
  readonly picked: readonly string[];
  readonly toggle: (id: string) => void;
  readonly reload: () => void;
}

function RunTable({ items, busy, ...rest }: RunTableProps) {
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

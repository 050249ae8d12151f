/** The list of runs: live, filtered by what the address says; some are cancelled, some chosen to be looked at together. */
import { useState } from 'preact/hooks';
import { type Run, type RunOutcome, type RunPage, runPageCodec, runRecordCodec } from '../../../codec/api-simulation.js';
import { type RunState, runStates } from '../../../codec/simulation.js';
import { withQuery } from '../../kit/address.js';
import { agentCli, flags } from '../../kit/controls/agent-cli.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { Button, ButtonLink } from '../../kit/controls/inputs.js';
import { Empty, PageTitle } from '../../kit/controls/pieces.js';
import { Load, ProblemBox } from '../../kit/controls/problem.js';
import { Counts, ListTable, Pager } from '../../kit/controls/tables.js';
import { useNow } from '../../kit/load.js';
import { type RunProgress, shareDone } from '../api/progress.js';
import { RunBadge, useCurveName } from '../parts/parts.js';
import { compare_max, compare_min, toggled } from '../pure/differences.js';
import { allRuns, hrefOf } from '../session/routes.js';
import { useFeed, useGet, useProgress, useSpaced, useTask } from '../session/session.js';
import { useWords } from '../text/words.js';

const page_items = 25;

interface Place {
  readonly state: RunState | null;
  readonly cursor: string | null;
}

export function RunsPage({ state, cursor }: Place) {
  const { t } = useWords();
  const list = useGet(withQuery('/runs', { state, cursor, limit: page_items }), runPageCodec);
  const [picked, setPicked] = useState<readonly string[]>([]);
  const soon = useSpaced(list.reload);
  useFeed({
    progress: ({ id }) => {
      // Runs that began meanwhile, by whomever: the list shows them as waiting, or not at all.
      const known = list.data?.items.find((run) => run.id === id);
      if (known === undefined ? state === null || state === 'running' : known.state === 'queued') soon();
    },
    ended: soon,
    again: soon,
  });
  return (
    <>
      <div class="title-row">
        <PageTitle title={t.runs.title} />
        <ButtonLink class="primary" href={hrefOf({ page: 'new' })} text={t.runs.newRun} />
      </div>
      <StateFilter state={state} />
      <Load from={list} failed={t.failed.runs}>
        {(data) => (
          <Items
            place={{ state, cursor }}
            list={data}
            busy={list.loading}
            picked={picked}
            pick={setPicked}
            reload={list.reload}
          />
        )}
      </Load>
      <CommandLine lines={[agentCli('runs', ...flags({ state, cursor, limit: page_items }))]} />
    </>
  );
}

function StateFilter({ state }: { readonly state: RunState | null }) {
  const { t } = useWords();
  return (
    <Counts
      label={t.runs.filter}
      items={[null, ...runStates].map((each) => ({
        href: hrefOf({ page: 'runs', state: each, cursor: null }),
        isCurrent: each === state,
        text: each === null ? t.runs.all : t.states[each],
      }))}
    />
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
  const { t } = useWords();
  const { state, cursor } = place;
  if (items.length === 0) return <NoRuns place={place} />;
  return (
    <>
      <Picked picked={picked} pick={pick} />
      <RunTable items={items} busy={busy} picked={picked} toggle={(id) => pick(toggled(picked, id))} reload={reload} />
      {(next_cursor !== null || cursor !== null) && (
        <Pager
          label={t.runs.pager}
          first={cursor === null ? null : [hrefOf({ page: 'runs', state, cursor: null }), t.runs.newest]}
          next={next_cursor === null ? null : [hrefOf({ page: 'runs', state, cursor: next_cursor }), t.runs.older]}
        />
      )}
    </>
  );
}

function NoRuns({ place: { state, cursor } }: { readonly place: Place }) {
  const { t } = useWords();
  const whole = state === null && cursor === null;
  return (
    <Empty title={whole ? t.runs.empty : t.runs.emptyFiltered}>
      {whole && <p>{t.runs.emptyText}</p>}
      <ButtonLink
        class={whole ? 'primary' : ''}
        href={hrefOf(whole ? { page: 'new' } : allRuns)}
        text={whole ? t.runs.newRun : t.runs.showAll}
      />
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
      {picked.length >= compare_min && <ButtonLink href={hrefOf({ page: 'compare', ids: picked })} text={t.runs.compare} />}
      {picked.length > 0 && (
        <>
          <ButtonLink href={hrefOf({ page: 'insight', ids: picked })} text={t.runs.insight} />
          <Button class="quiet" onClick={() => pick([])} text={t.runs.unpick} />
        </>
      )}
    </div>
  );
}

interface RunTableProps {
  readonly items: readonly Run[];
  readonly busy: boolean;
  readonly picked: readonly string[];
  readonly toggle: (id: string) => void;
  readonly reload: () => void;
}

function RunTable({ items, busy, picked, toggle, reload }: RunTableProps) {
  const { t, f } = useWords();
  const now = useNow();
  const progressOf = useProgress();
  const { pick, run: name, state: stateName, outcome, created, actions } = t.runs.columns;
  const cellsOf = (run: Run) => {
    const { id, created_at } = run;
    const { state, done } = upToDate(run, progressOf(id));
    const isPicked = picked.includes(id);
    return [
      <input
        type="checkbox"
        aria-label={t.runs.pick(id)}
        checked={isPicked}
        disabled={state !== 'succeeded' || (!isPicked && picked.length >= compare_max)}
        onChange={() => toggle(id)}
      />,
      <Named run={run} />,
      <>
        <RunBadge state={state} />
        {state === 'running' && (
          <progress max={1} value={done} aria-label={t.runs.progress(id)}>
            {f.percent(done)}
          </progress>
        )}
      </>,
      run.outcome && <Outcome {...run.outcome} />,
      <time dateTime={created_at} title={f.dateTime(created_at)}>
        {f.ago(created_at, now)}
      </time>,
      isOver(state) ? null : <Cancel id={id} reload={reload} />,
    ];
  };
  return (
    <ListTable
      name="runs"
      caption={t.runs.caption}
      busy={busy}
      named={1}
      columns={[{ label: pick, class: 'pick-cell' }, name, stateName, outcome, created, actions]}
      rows={items.map((run) => ({ key: run.id, cells: cellsOf(run) }))}
    />
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

const isOver = (state: RunState): boolean => state !== 'queued' && state !== 'running';

/** The run's state in the list, brought up to date by the progress since. */
function upToDate(
  { state, progress, request }: Run,
  heard: RunProgress | undefined,
): { readonly state: RunState; readonly done: number } {
  const now = isOver(state) ? state : (heard?.ended ?? (heard === undefined ? state : 'running'));
  return { state: now, done: Math.max(progress ?? 0, shareDone(heard, request.generations)) };
}

function Cancel({ id, reload }: { readonly id: string; readonly reload: () => void }) {
  const { t } = useWords();
  const { api, announce, busy, problem, run } = useTask();
  const cancel = (): void =>
    run(async () => {
      await api.remove(`/runs/${id}`, runRecordCodec);
      announce(t.runs.cancelled(id));
      reload();
    });
  return (
    <>
      <Button class="small" aria-label={t.runs.cancelRun(id)} disabled={busy} onClick={cancel} text={t.runs.cancel} />
      {problem !== null && <ProblemBox title={t.failed.cancel} problem={problem} />}
    </>
  );
}

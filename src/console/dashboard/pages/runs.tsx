/** The list of runs: live, filtered by what the address says; some are cancelled, some chosen to be looked at together. */
import { useState } from 'preact/hooks';
import { page_items_max } from '../../../base/limits.js';
import { type Run, type RunOutcome, type RunPage, runPageCodec, runRecordCodec } from '../../../codec/api-simulation.js';
import { type RunState, runStates } from '../../../codec/simulation.js';
import { sweepPage } from '../../../codec/sweep.js';
import { replaceHash, withQuery } from '../../kit/address.js';
import { agentCli, flags } from '../../kit/controls/agent-cli.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { Button, ButtonLink, FilterForm, TextFilter } from '../../kit/controls/inputs.js';
import { Ago, Empty, Load, PageTitle, ProblemBox } from '../../kit/controls/pieces.js';
import { Counts, ListTable, Pager } from '../../kit/controls/tables.js';
import { keptForm, useKeptForm } from '../../kit/forms/kept.js';
import { useKept } from '../../kit/load.js';
import { type RunProgress, shareDone } from '../api/progress.js';
import { Latest, Name, RunBadge, useCurveName } from '../parts/parts.js';
import { compare_max, compare_min, toggled } from '../pure/differences.js';
import { allRuns, hrefOf, type RunsRoute } from '../session/routes.js';
import { goTo, useFeed, useGet, useProgress, useSpaced, useTask } from '../session/session.js';
import { useWords } from '../text/words.js';
import { SweepBadge } from './sweep.js';

const page_items = 25;

/** What the list shows: the runs of a sweep, those that a search finds, or all that belong to no sweep. */
type PlaceProps = { readonly place: RunsRoute };

export function RunsPage({ place }: PlaceProps) {
  const { state, cursor, sweep, search } = place;
  const { t } = useWords();
  const only = { state, sweep: sweep ?? (search === null ? 'none' : null), search, cursor, limit: page_items };
  const list = useKept(useGet(withQuery('/runs', only), runPageCodec));
  const [picked, setPicked] = useState(() => keptForm<{ readonly picked: readonly string[] }>('runs')?.picked ?? []);
  useKeptForm('runs', { picked });
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
        <ButtonLink class="primary" href={hrefOf({ page: 'new' })} text={t.form.title} />
      </div>
      {sweep === null && search === null && state === null && cursor === null && <Sweeps />}
      {sweep !== null && (
        <p>
          {t.runs.ofSweep} <a href={hrefOf({ page: 'sweep', id: sweep })}>{sweep}</a>
        </p>
      )}
      <FilterForm
        label={t.runs.find}
        isFiltered={search !== null}
        clearText={t.runs.clear}
        clear={() => goTo({ ...place, search: null, cursor: null })}
      >
        <TextFilter
          isSearch
          label={t.runs.find}
          hint={t.runs.findHint}
          value={search ?? ''}
          chars_max={search_chars_max}
          change={(text) => replaceHash(hrefOf({ ...place, search: text.trim() || null, cursor: null }))}
        />
      </FilterForm>
      <StateFilter place={place} />
      <Load from={list} failed={t.failed.runs}>
        {(data) => <Items place={place} list={data} busy={list.loading} picked={picked} pick={setPicked} reload={list.reload} />}
      </Load>
      <CommandLine lines={[agentCli('runs', ...flags(only))]} />
    </>
  );
}

const sweeps_shown = 5;
const search_chars_max = 80;

/** The latest sweeps, each one thing however many its runs; on demand ten times as many. */
function Sweeps() {
  const { t, f } = useWords();
  const [limit, setLimit] = useState(sweeps_shown);
  const list = useKept(useGet(`/sweeps?limit=${limit}`, sweepPage));
  const soon = useSpaced(list.reload);
  useFeed({ ended: soon, again: soon });
  const { items = [], next_cursor = null } = list.data ?? {};
  if (items.length === 0) return null;
  return (
    <section aria-labelledby="sweeps">
      <h2 id="sweeps">{t.sweep.sweeps}</h2>
      <ul class="latest">
        {items.map(({ id, name, state, field, values, seeds, created_at }) => (
          <Latest
            key={id}
            route={{ page: 'sweep', id }}
            name={name}
            badge={<SweepBadge state={state} />}
            about={t.sweep.brief(f.number(values.length), t.form.fields[field].label, f.number(values.length * seeds.length))}
          >
            <Ago at={created_at} />
          </Latest>
        ))}
      </ul>
      {next_cursor !== null && limit < page_items_max && (
        <Button onClick={() => setLimit(Math.min(10 * limit, page_items_max))} text={t.sweep.older} />
      )}
      <h2>{t.sweep.singles}</h2>
    </section>
  );
}

function StateFilter({ place }: PlaceProps) {
  const { t } = useWords();
  return (
    <Counts
      label={t.runs.filter}
      items={[null, ...runStates].map((each) => ({
        href: hrefOf({ ...place, state: each, cursor: null }),
        isCurrent: each === place.state,
        text: each === null ? t.runs.all : t.states[each],
      }))}
    />
  );
}

interface ItemsProps extends PlaceProps {
  readonly list: RunPage;
  readonly busy: boolean;
  readonly picked: readonly string[];
  readonly pick: (ids: readonly string[]) => void;
  readonly reload: () => void;
}

function Items({ place, list: { items, next_cursor }, busy, picked, pick, reload }: ItemsProps) {
  const { t } = useWords();
  const { cursor } = place;
  if (items.length === 0) return <NoRuns place={place} />;
  return (
    <>
      <Picked picked={picked} pick={pick} />
      <RunTable items={items} busy={busy} picked={picked} toggle={(id) => pick(toggled(picked, id))} reload={reload} />
      <Pager
        label={t.runs.pager}
        first={cursor === null ? null : [hrefOf({ ...place, cursor: null }), t.runs.newest]}
        next={next_cursor === null ? null : [hrefOf({ ...place, cursor: next_cursor }), t.runs.older]}
      />
    </>
  );
}

function NoRuns({ place: { state, cursor, sweep, search } }: PlaceProps) {
  const { t } = useWords();
  const whole = state === null && cursor === null && sweep === null && search === null;
  return (
    <Empty title={whole ? t.runs.empty : t.runs.emptyFiltered}>
      {whole && <p>{t.runs.emptyText}</p>}
      <ButtonLink
        class={whole ? 'primary' : ''}
        href={hrefOf(whole ? { page: 'new' } : allRuns)}
        text={whole ? t.form.title : t.runs.showAll}
      />
    </Empty>
  );
}

/** Stays while pages of the list are turned, so that runs far apart can be chosen. */
function Picked({ picked, pick }: Pick<ItemsProps, 'picked' | 'pick'>) {
  const { t } = useWords();
  return (
    <div class="picked flow">
      <p role="status">
        {picked.length === 0 ? t.runs.pickHint : t.runs.picked(picked.length)} {picked.length >= compare_max && t.runs.full}
      </p>
      {picked.length >= compare_min && <ButtonLink href={hrefOf({ page: 'compare', ids: picked })} text={t.runs.compare} />}
      {picked.length > 0 && (
        <>
          <ButtonLink href={hrefOf({ page: 'insight', ids: picked })} text={t.runs.insight} />
          <Button class="quiet" onClick={() => pick([])} text={t.population.clear} />
        </>
      )}
    </div>
  );
}

interface RunTableProps extends Pick<ItemsProps, 'busy' | 'picked' | 'reload'> {
  readonly items: readonly Run[];
  readonly toggle: (id: string) => void;
}

function RunTable({ items, busy, picked, toggle, reload }: RunTableProps) {
  const { t, f } = useWords();
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
      <Ago at={created_at} />,
      isOver(state) ? null : <Cancel id={id} reload={reload} />,
    ];
  };
  return (
    <ListTable
      name="runs"
      caption={t.runs.caption}
      busy={busy}
      named={1}
      columns={[{ label: pick, class: 'no-print' }, name, stateName, outcome, created, { label: actions, class: 'no-print' }]}
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
      <Name name={name} />
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
function upToDate({ state, progress, request }: Run, heard: RunProgress | undefined) {
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

/** The list of runs: live, filtered by what the address says; some are cancelled, some chosen to be looked at together. */
import { useState } from 'preact/hooks';
import { runStates, type RunState } from '../../../codec/simulation.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { Empty, Loading, PageTitle } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useLoad } from '../../kit/load/use-load.js';
import { agentCli, flags } from '../../kit/controls/agent-cli.js';
import { runPageCodec, type RunPage } from '../../../codec/api-simulation.js';
import { compare_max, compare_min, toggled } from '../pure/picked.js';
import { allRuns, hrefOf } from '../session/routes.js';
import { RunTable } from '../parts/run-table.js';
import { useSpaced } from '../parts/use-spaced.js';
import { useFeed, useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import { withQuery } from '../../kit/address/with-query.js';

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

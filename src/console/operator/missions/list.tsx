/** The list of missions: live, filtered by what the address says. */
import { missionPageCodec, type MissionPage } from '../../../codec/api-missions.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { Empty, Loading, PageTitle } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useLoad, useSoon } from '../../kit/load/use-load.js';
import { hrefOf, noFilters, type Filters } from '../session/route.js';
import { agentCli, flags } from '../../kit/controls/agent-cli.js';
import { useFeed, useRights, useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import { Counts, FilterBar } from './filters.js';
import { withQuery } from '../../kit/address/with-query.js';
import { SelectionBar } from './bulk-cancel.js';
import { isFiltered, queryOf } from './query.js';
import { MissionTable } from './rows.js';
import { useSelection, type Selection } from './selection.js';

const page_items = 25;
const reload_delay_ms = 300;

export function ListPage({ filters }: { readonly filters: Filters }) {
  const { t } = useWords();
  const { api } = useSession();
  const { review } = useRights();
  const query = { ...queryOf(filters), limit: page_items };
  const path = withQuery('/api/missions', query);
  const { data, problem, loading, reload } = useLoad(path, (signal) => api.get(path, missionPageCodec, signal));
  const selection = useSelection();
  const soon = useSoon(reload, reload_delay_ms);
  useFeed({ entry: ({ mission }) => mission !== null && soon(), again: soon });
  return (
    <>
      <div class="title-row">
        <PageTitle title={t.list.title} />
        {review && (
          <a class="button primary" href="#/new">
            {t.shell.pages.create}
          </a>
        )}
      </div>
      <Counts filters={filters} />
      <FilterBar filters={filters} />
      {problem !== null && <ProblemBox title={t.failed.missions} problem={problem} retry={reload} />}
      {review && <SelectionBar items={data?.items ?? []} selection={selection} reload={reload} />}
      {data === null ? loading && <Loading /> : <Items list={data} filters={filters} busy={loading} selection={selection} />}
      <CommandLine lines={[agentCli('list', ...flags(query))]} />
    </>
  );
}

interface ItemsProps {
  readonly list: MissionPage;
  readonly filters: Filters;
  readonly busy: boolean;
  readonly selection: Selection;
}

function Items({ list: { items, next_cursor }, filters, busy, selection }: ItemsProps) {
  const { t } = useWords();
  const { review } = useRights();
  if (items.length === 0 && next_cursor !== null)
    return (
      <>
        <Empty title={filters.cursor === null ? t.list.emptyPart : t.list.emptyNextPart}>
          <p>{t.list.emptyPartText}</p>
        </Empty>
        <Pager filters={filters} next={next_cursor} />
      </>
    );
  if (items.length === 0)
    return isFiltered(filters) ? (
      <Empty title={t.list.emptyFiltered}>
        <p>
          <a href={hrefOf({ page: 'missions', filters: noFilters })}>{t.list.clear}</a>
        </p>
      </Empty>
    ) : (
      <Empty title={t.list.emptyAll}>
        <p>{t.list.emptyAllText}</p>
        {review && (
          <a class="button primary" href="#/new">
            {t.shell.pages.create}
          </a>
        )}
      </Empty>
    );
  return (
    <>
      <MissionTable items={items} filters={filters} busy={busy} selection={review ? selection : null} />
      <Pager filters={filters} next={next_cursor} />
    </>
  );
}

function Pager({ filters, next }: { readonly filters: Filters; readonly next: string | null }) {
  const { t } = useWords();
  if (next === null && filters.cursor === null) return null;
  return (
    <nav class="pager" aria-label={t.list.pager}>
      {filters.cursor !== null && (
        <a class="button" href={hrefOf({ page: 'missions', filters: { ...filters, cursor: null } })}>
          ← {t.list.first}
        </a>
      )}
      {next !== null && (
        <a class="button" href={hrefOf({ page: 'missions', filters: { ...filters, cursor: next } })}>
          {t.list.next} →
        </a>
      )}
    </nav>
  );
}

/** The list of missions: live, filtered by what the address says. */
import { useEffect, useState } from 'preact/hooks';
import { missionPageCodec, type MissionItem, type MissionPage } from '../../../codec/api-missions.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { Empty, Loading, PageTitle } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useLoad, useSoon } from '../../kit/load/use-load.js';
import { hrefOf, noFilters, type Filters } from '../session/route.js';
import { agentCli, flags } from '../../kit/controls/agent-cli.js';
import { useFeed, useRights, useSession } from '../session/session.js';
import { useKindWords } from '../kinds/use-kind-words.js';
import { useWords } from '../text/words.js';
import { Counts, FilterBar } from './filters.js';
import { withQuery } from '../../kit/address/with-query.js';
import { StateBadge } from './state-badge.js';

const page_items = 25;
const reload_delay_ms = 300;
const clock_ms = 30_000;

export function ListPage({ filters }: { readonly filters: Filters }) {
  const { t } = useWords();
  const { api } = useSession();
  const { review } = useRights();
  const path = withQuery('/api/missions', { ...filters, limit: page_items });
  const { data, problem, loading, reload } = useLoad(path, (signal) => api.get(path, missionPageCodec, signal));
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
      {data === null ? loading && <Loading /> : <Items list={data} filters={filters} busy={loading} />}
      <CommandLine lines={[agentCli('list', ...flags({ ...filters, limit: page_items }))]} />
    </>
  );
}

interface ItemsProps {
  readonly list: MissionPage;
  readonly filters: Filters;
  readonly busy: boolean;
}

function Items({ list: { items, next_cursor }, filters, busy }: ItemsProps) {
  const { t } = useWords();
  const { review } = useRights();
  const filtered = filters.state !== null || filters.kind !== null || filters.q !== '' || filters.cursor !== null;
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
    return filtered ? (
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
      <table role="table" class="list" aria-busy={busy}>
        <caption class="sr-only">{t.list.caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">
              {t.list.columns.goal}
            </th>
            <th scope="col" role="columnheader">
              {t.list.columns.kind}
            </th>
            <th scope="col" role="columnheader">
              {t.list.columns.state}
            </th>
            <th scope="col" role="columnheader">
              {t.list.columns.updated}
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {items.map((item) => (
            <Row key={item.id} item={item} />
          ))}
        </tbody>
      </table>
      <Pager filters={filters} next={next_cursor} />
    </>
  );
}

function Row({ item }: { readonly item: MissionItem }) {
  const { t, f } = useWords();
  const kindWords = useKindWords();
  const { progress } = useSession();
  const now = useNow();
  const running = item.state === 'running' ? progress.get(item.id) : undefined;
  return (
    <tr role="row">
      <th scope="row" role="rowheader">
        <a href={hrefOf({ page: 'mission', id: item.id })} class="goal">
          {item.goal}
        </a>
        <span class="id">{item.id.slice(0, 8)}</span>
      </th>
      <td role="cell" data-label={t.list.columns.kind}>
        {kindWords(item.kind).name}
      </td>
      <td role="cell" data-label={t.list.columns.state}>
        <StateBadge state={item.state} />
        {item.interrupted === true && <span class="help"> {t.mission.interrupted}</span>}
        {item.late === true && <span class="help"> {t.mission.late}</span>}
        {running !== undefined && (
          <progress max={1} value={running.done} aria-label={t.mission.progressLabel}>
            {f.percent(running.done)}
          </progress>
        )}
      </td>
      <td role="cell" data-label={t.list.columns.updated}>
        <time dateTime={item.updated_at} title={f.dateTime(item.updated_at)}>
          {f.ago(item.updated_at, now)}
        </time>
      </td>
    </tr>
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

function Pager({ filters, next }: { readonly filters: Filters; readonly next: string | null }) {
  const { t } = useWords();
  if (next === null && filters.cursor === null) return null;
  return (
    <nav class="pager" aria-label={t.list.pager}>
      {filters.cursor !== null && (
        <a class="button" href={hrefOf({ page: 'missions', filters: { ...filters, cursor: null } })}>
          ← {t.list.newest}
        </a>
      )}
      {next !== null && (
        <a class="button" href={hrefOf({ page: 'missions', filters: { ...filters, cursor: next } })}>
          {t.list.older} →
        </a>
      )}
    </nav>
  );
}

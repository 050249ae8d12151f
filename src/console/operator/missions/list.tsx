/** The list of missions: live, filtered by what the address says. */
import { useEffect, useState } from 'preact/hooks';
import { missionPageCodec, type MissionPage, type MissionItem, missionRecordCodec } from '../../../codec/api-missions.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { Empty, Loading, PageTitle } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useLoad, useSoon, useAction } from '../../kit/load.js';
import { hrefOf, noFilters, type Filters } from '../session/route.js';
import { agentCli, flags } from '../../kit/controls/agent-cli.js';
import { useFeed, useRights, useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import { Counts, FilterBar, isFiltered, queryOf, SortHead } from './filters.js';
import { withQuery } from '../../kit/address.js';
import { useKindWords } from '../kinds/table.js';
import { StateBadge } from './state-badge.js';
import { asProblem, type Problem } from '../../kit/api/problem.js';
import { useAnnounce } from '../../kit/controls/announce.js';
import { Dialog } from '../../kit/controls/dialog.js';

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

/** The table of the list: one line per mission. */
const clock_ms = 30_000;

interface TableProps {
  readonly items: readonly MissionItem[];
  readonly filters: Filters;
  readonly busy: boolean;
  /** Null for who may not cancel. */
  readonly selection: Selection | null;
}

function MissionTable({ items, filters, busy, selection }: TableProps) {
  const { t } = useWords();
  const { goal, kind, state, updated, id } = t.list.columns;
  return (
    <table role="table" class="list list-missions" aria-busy={busy}>
      <caption class="sr-only">{t.list.caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          <SortHead filters={filters} sort="goal" label={goal} />
          <SortHead filters={filters} sort="kind" label={kind} />
          <SortHead filters={filters} sort="state" label={state} />
          <SortHead filters={filters} sort="changed" label={updated} />
          <th scope="col" role="columnheader">
            {id}
          </th>
          {selection !== null && (
            <th scope="col" role="columnheader">
              {t.list.select}
            </th>
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {items.map((item) => (
          <Row key={item.id} item={item} selection={selection} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ item, selection }: { readonly item: MissionItem; readonly selection: Selection | null }) {
  const { t, f } = useWords();
  const kindWords = useKindWords();
  const now = useNow();
  const { goal, id, kind, updated_at } = item;
  return (
    <tr role="row">
      <th scope="row" role="rowheader">
        <a href={hrefOf({ page: 'mission', id })} class="goal" title={goal}>
          {goal}
        </a>
      </th>
      <td role="cell" data-label={t.list.columns.kind}>
        {kindWords(kind).name}
      </td>
      <StateCell item={item} />
      <td role="cell" data-label={t.list.columns.updated}>
        <time dateTime={updated_at} title={f.dateTime(updated_at)}>
          {f.ago(updated_at, now)}
        </time>
      </td>
      <td role="cell" data-label={t.list.columns.id}>
        <span class="id">{id.slice(0, 8)}</span>
      </td>
      {selection !== null && (
        <td role="cell" class="select">
          {isCancelable(item) && (
            <input
              type="checkbox"
              aria-label={t.list.selectOne(goal)}
              checked={selection.ids.has(id)}
              onChange={(event) => selection.set(id, event.currentTarget.checked)}
            />
          )}
        </td>
      )}
    </tr>
  );
}

function StateCell({ item: { id, state, interrupted, late } }: { readonly item: MissionItem }) {
  const { t, f } = useWords();
  const { progress } = useSession();
  const running = state === 'running' ? progress.get(id) : undefined;
  return (
    <td role="cell" data-label={t.list.columns.state}>
      <StateBadge state={state} />
      {interrupted === true && <span class="help"> {t.mission.interrupted}</span>}
      {late === true && <span class="help"> {t.mission.late}</span>}
      {running !== undefined && (
        <progress max={1} value={running.done} aria-label={t.mission.progressLabel}>
          {f.percent(running.done)}
        </progress>
      )}
    </td>
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

/** The missions of the list that are selected for one action. */
interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly set: (id: string, selected: boolean) => void;
  readonly setAll: (ids: readonly string[]) => void;
}

const isCancelable = ({ state }: MissionItem): boolean => state === 'queued' || state === 'running';

function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return {
    ids,
    set: (id, selected) =>
      setIds((all) => {
        const next = new Set(all);
        if (selected) next.add(id);
        else next.delete(id);
        return next;
      }),
    setAll: (all) => setIds(new Set(all)),
  };
}

/** Cancelling several missions: the selected ones are named and confirmed, then each reports its own result. */
interface BarProps {
  readonly items: readonly MissionItem[];
  readonly selection: Selection;
  readonly reload: () => void;
}

/** How many missions are selected, and what may be done with them; nothing while nothing on the page can be cancelled. */
function SelectionBar({ items, selection, reload }: BarProps) {
  const { t, f } = useWords();
  const [chosen, setChosen] = useState<readonly MissionItem[] | null>(null);
  const cancelable = items.filter(isCancelable);
  const selected = cancelable.filter(({ id }) => selection.ids.has(id));
  const close = (): void => {
    setChosen(null);
    selection.setAll([]);
    reload();
  };
  if (cancelable.length === 0 && chosen === null) return null;
  return (
    <div class="selection" role="group" aria-label={t.list.selection}>
      <button
        type="button"
        class="small quiet"
        onClick={() => selection.setAll(selected.length === cancelable.length ? [] : cancelable.map(({ id }) => id))}
      >
        {selected.length === cancelable.length && selected.length > 0
          ? t.list.selectNone
          : t.list.selectAll(f.number(cancelable.length))}
      </button>
      {selected.length > 0 && (
        <>
          <span role="status">{t.list.selected(f.number(selected.length))}</span>
          <button type="button" class="small danger" onClick={() => setChosen(selected)}>
            {t.list.cancel(selected.length)}
          </button>
        </>
      )}
      {chosen !== null && <CancelDialog missions={chosen} onClose={close} />}
    </div>
  );
}

type Outcome = 'cancelled' | Problem;

/** Cancels one mission after the other. Once the agent cannot be reached, the rest is not tried. */
function useCancel(missions: readonly MissionItem[]) {
  const { t } = useWords();
  const { api } = useSession();
  const announce = useAnnounce();
  const { busy, run } = useAction();
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const cancelOne = async (id: string): Promise<Outcome> => {
    try {
      await api.post(`/api/missions/${id}/cancel`, missionRecordCodec);
      return 'cancelled';
    } catch (error) {
      return asProblem(error);
    }
  };
  const cancel = (): void =>
    run(async () => {
      const all = new Map<string, Outcome>();
      for (const { id } of missions) {
        const outcome = await cancelOne(id);
        all.set(id, outcome);
        setOutcomes(new Map(all));
        if (outcome !== 'cancelled' && outcome.document.code === 'network') break;
      }
      const done = [...all.values()].filter((outcome) => outcome === 'cancelled').length;
      announce(t.list.cancelled(done, missions.length));
    });
  return { busy, outcomes, cancel, isDone: outcomes.size > 0 && !busy };
}

function CancelDialog({ missions, onClose }: { readonly missions: readonly MissionItem[]; readonly onClose: () => void }) {
  const { k, t } = useWords();
  const { busy, outcomes, cancel, isDone } = useCancel(missions);
  return (
    <Dialog title={t.list.cancelTitle(missions.length)} onClose={() => !busy && onClose()} wide>
      <p>{t.list.cancelText}</p>
      <ul class="outcomes">
        {missions.map(({ id, goal }) => (
          <li key={id}>
            <span class="id">{id.slice(0, 8)}</span> {goal}
            <OutcomeLine outcome={outcomes.get(id)} isDone={isDone} />
          </li>
        ))}
      </ul>
      <div class="actions">
        {!isDone && (
          <button type="button" class="danger" disabled={busy} onClick={cancel}>
            {busy ? t.list.cancelling : t.list.cancel(missions.length)}
          </button>
        )}
        <button type="button" disabled={busy} onClick={onClose}>
          {isDone ? t.list.toList : k.back}
        </button>
      </div>
    </Dialog>
  );
}

function OutcomeLine({ outcome, isDone }: { readonly outcome: Outcome | undefined; readonly isDone: boolean }) {
  const { t } = useWords();
  if (outcome === 'cancelled') return <p class="verdict-good">✓ {t.list.cancelledOne}</p>;
  if (outcome === undefined) return isDone ? <p class="muted">{t.list.notTried}</p> : null;
  const { code, detail } = outcome.document;
  return (
    <p class="verdict-bad">
      ✕ {t.failed.cancel}: <span lang="en">{detail}</span> (<code>{code}</code>)
    </p>
  );
}

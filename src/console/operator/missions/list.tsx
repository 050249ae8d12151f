/** The list of missions: live, filtered by what the address says. */
import { useEffect, useState } from 'preact/hooks';
import { type MissionItem, type MissionPage, missionPageCodec, missionRecordCodec } from '../../../codec/api-missions.js';
import type { MissionSort } from '../../../codec/record.js';
import { withQuery } from '../../kit/address.js';
import { asProblem, type Problem } from '../../kit/api/client.js';
import { agentCli, flags } from '../../kit/controls/agent-cli.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { Dialog } from '../../kit/controls/dialog.js';
import { Button, ButtonLink } from '../../kit/controls/inputs.js';
import { Ago, Empty, Load, PageTitle } from '../../kit/controls/pieces.js';
import { type Column, ListTable, Pager } from '../../kit/controls/tables.js';
import { useKept, useLoad, useSoon } from '../../kit/load.js';
import { useKindWords } from '../kinds/table.js';
import { NoticesButton } from '../session/notices.js';
import { type Filters, hrefOf, noFilters } from '../session/route.js';
import { useFeed, useGet, useRights, useSession, useTask } from '../session/session.js';
import { useWords } from '../text/words.js';
import { FilterBar, isFiltered, queryOf, SortHead, StateCounts } from './filters.js';
import { AssistantBadge, StateBadge } from './state-badge.js';

const page_items = 25;
const reload_delay_ms = 300;

export function ListPage({ filters }: { readonly filters: Filters }) {
  const { t } = useWords();
  const { review } = useRights();
  const query = { ...queryOf(filters), limit: page_items };
  const list = useKept(useGet(withQuery('/api/missions', query), missionPageCodec));
  const selection = useSelection();
  const soon = useSoon(list.reload, reload_delay_ms);
  useFeed({ entry: ({ mission }) => mission !== null && soon(), again: soon });
  return (
    <>
      <div class="title-row">
        <PageTitle title={t.list.title} />
        <NeedsYou />
        <NoticesButton />
        {review && <ButtonLink class="primary" href="#/new" text={t.shell.pages.create} />}
      </div>
      <StateCounts filters={filters} />
      <FilterBar filters={filters} />
      {review && <SelectionBar items={list.data?.items ?? []} selection={selection} reload={list.reload} />}
      <Load from={list} failed={t.failed.missions}>
        {(data) => <Items list={data} filters={filters} busy={list.loading} selection={selection} />}
      </Load>
      <CommandLine
        lines={[agentCli('list', ...flags(filters.needs === null ? query : { ...query, needs: null, state: 'review' }))]}
      />
    </>
  );
}

/** What waits for a decision that the signed-in person may make leads to its list, the oldest first. */
function NeedsYou() {
  const { t, f } = useWords();
  const { review } = useRights();
  const { counts, actor } = useSession().status;
  const own = useOwnDecisions(actor.approver !== undefined && review);
  const waiting = actor.approver === undefined ? f.number(counts.review) : own;
  if (!review || waiting === '0') return null;
  return (
    <ButtonLink
      href={hrefOf({ page: 'missions', filters: { ...noFilters, needs: 'me', order: 'asc' } })}
      text={t.list.needsYou(waiting)}
    />
  );
}

const own_items_max = 100;
/** While entries keep coming, they are counted again at this interval. */
const own_spacing_ms = 5_000;

/** How many missions the approver for whom the token acts can decide; 0 until that is known, and for nobody. */
function useOwnDecisions(isKnown: boolean): string {
  const { f } = useWords();
  const { api, status } = useSession();
  const path = `/api/missions?needs=me&limit=${own_items_max}`;
  const { events } = status.journal;
  const [version, setVersion] = useState(events);
  const soon = useSoon(() => setVersion(events), 0, own_spacing_ms);
  useEffect(soon, [events]);
  const none: MissionPage = { items: [], next_cursor: null };
  const { data } = useLoad(`${path} ${version}`, async (signal) => (isKnown ? api.get(path, missionPageCodec, signal) : none));
  const { items, next_cursor } = data ?? none;
  return f.number(items.length) + (next_cursor === null ? '' : '+');
}

interface ItemsProps {
  readonly list: MissionPage;
  readonly filters: Filters;
  readonly busy: boolean;
  readonly selection: Selection;
}

function Items({ list: { items, next_cursor: next }, filters, busy, selection }: ItemsProps) {
  const { t } = useWords();
  const { review } = useRights();
  const partOf = (cursor: string | null): string => hrefOf({ page: 'missions', filters: { ...filters, cursor } });
  return (
    <>
      {items.length === 0 ? (
        <NoItems filters={filters} hasMore={next !== null} />
      ) : (
        <MissionTable
          items={items}
          filters={filters}
          busy={busy}
          selection={review && items.some(isCancelable) ? selection : null}
        />
      )}
      <Pager
        label={t.list.pager}
        first={filters.cursor === null || (items.length === 0 && next === null) ? null : [partOf(null), t.list.first]}
        next={next === null ? null : [partOf(next), t.list.next]}
      />
    </>
  );
}

function NoItems({ filters, hasMore }: { readonly filters: Filters; readonly hasMore: boolean }) {
  const { t } = useWords();
  const { review } = useRights();
  if (hasMore)
    return <Empty title={filters.cursor === null ? t.list.emptyPart : t.list.emptyNextPart} text={t.list.emptyPartText} />;
  if (isFiltered(filters))
    return (
      <Empty title={t.list.emptyFiltered}>
        <p>
          <a href={hrefOf({ page: 'missions', filters: noFilters })}>{t.list.clear}</a>
        </p>
      </Empty>
    );
  return (
    <Empty title={t.list.emptyAll} text={t.list.emptyAllText}>
      {review && <ButtonLink class="primary" href="#/new" text={t.shell.pages.create} />}
    </Empty>
  );
}

interface TableProps {
  readonly items: readonly MissionItem[];
  readonly filters: Filters;
  readonly busy: boolean;
  /** Null for who may not cancel, or where nothing can be. */
  readonly selection: Selection | null;
}

/** One line per mission. */
function MissionTable({ items, filters, busy, selection }: TableProps) {
  const { t } = useWords();
  const kindWords = useKindWords();
  const { goal, state, id: idName } = t.list.columns;
  const sorted = (sort: MissionSort, label: string): Column => ({
    label,
    head: <SortHead key={sort} filters={filters} sort={sort} label={label} />,
  });
  const select: Column = { label: t.list.select, class: 'no-print', isBare: true };
  return (
    <ListTable
      name="missions"
      caption={t.list.title}
      busy={busy}
      columns={[
        sorted('goal', goal),
        sorted('kind', t.list.kind),
        sorted('state', state),
        sorted('changed', t.mission.updated),
        idName,
        ...(selection === null ? [] : [select]),
      ]}
      rows={items.map((item) => ({
        key: item.id,
        cells: [
          <>
            <a href={hrefOf({ page: 'mission', id: item.id })} class="goal" title={item.goal}>
              {item.goal}
            </a>
            <AssistantBadge of={item} />
          </>,
          kindWords(item.kind).name,
          <State item={item} />,
          <Ago at={item.updated_at} />,
          <span class="id">{item.id.slice(0, 8)}</span>,
          ...(selection === null ? [] : [isCancelable(item) && <SelectBox item={item} selection={selection} />]),
        ],
      }))}
    />
  );
}

function SelectBox({ item: { id, goal }, selection }: { readonly item: MissionItem; readonly selection: Selection }) {
  const { t } = useWords();
  return (
    <input
      type="checkbox"
      aria-label={t.list.selectOne(goal)}
      checked={selection.ids.has(id)}
      onChange={(event) => selection.set(id, event.currentTarget.checked)}
    />
  );
}

function State({ item: { id, state, interrupted, late } }: { readonly item: MissionItem }) {
  const { t } = useWords();
  const { progress } = useSession();
  const running = state === 'running' ? progress.get(id) : undefined;
  return (
    <>
      <StateBadge state={state} />
      {interrupted === true && <span class="help"> {t.mission.interrupted}</span>}
      {late === true && <span class="help"> {t.mission.late}</span>}
      {running !== undefined && (
        <progress max={1} {...(running.done === 1 ? {} : { value: running.done })} aria-label={t.mission.progressLabel} />
      )}
    </>
  );
}

/** The missions of the list that are selected for one action. */
type Selection = Readonly<ReturnType<typeof useSelection>>;

const isCancelable = ({ state }: MissionItem): boolean => state === 'queued' || state === 'running';

function useSelection() {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return {
    ids,
    set: (id: string, selected: boolean) =>
      setIds((all) => new Set(selected ? [...all, id] : [...all].filter((each) => each !== id))),
    setAll: (all: readonly string[]) => setIds(new Set(all)),
  };
}

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
    <div class="selection flow" role="group" aria-label={t.list.selection}>
      <Button
        class="small quiet"
        onClick={() => selection.setAll(selected.length === cancelable.length ? [] : cancelable.map(({ id }) => id))}
        text={
          selected.length === cancelable.length && selected.length > 0
            ? t.list.selectNone
            : t.list.selectAll(f.number(cancelable.length))
        }
      />
      {selected.length > 0 && (
        <>
          <span role="status">{t.list.selected(f.number(selected.length))}</span>
          <Button class="small danger" onClick={() => setChosen(selected)} text={t.list.cancel(selected.length)} />
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
  const { api, announce, busy, run } = useTask();
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

/** The selected missions are named and confirmed, then each reports its own result. */
function CancelDialog({ missions, onClose }: { readonly missions: readonly MissionItem[]; readonly onClose: () => void }) {
  const { k, t } = useWords();
  const { busy, outcomes, cancel, isDone } = useCancel(missions);
  return (
    <Dialog title={t.list.cancelTitle(missions.length)} onClose={() => !busy && onClose()} wide>
      <p>{t.list.cancelText}</p>
      <ul class="marked outcomes" aria-live="polite">
        {missions.map((item) => (
          <li key={item.id}>
            <span class="id">{item.id.slice(0, 8)}</span> {item.goal} <AssistantBadge of={item} />
            <OutcomeLine outcome={outcomes.get(item.id)} isDone={isDone} />
          </li>
        ))}
      </ul>
      <div class="actions">
        {!isDone && (
          <Button
            class="danger"
            disabled={busy}
            onClick={cancel}
            text={busy ? t.list.cancelling : t.list.cancel(missions.length)}
          />
        )}
        <Button disabled={busy} onClick={onClose} text={isDone ? t.list.toList : k.back} />
      </div>
    </Dialog>
  );
}

function OutcomeLine({ outcome, isDone }: { readonly outcome: Outcome | undefined; readonly isDone: boolean }) {
  const { t, k } = useWords();
  if (outcome === 'cancelled') return <p class="verdict-good">✓ {t.list.cancelledOne}</p>;
  if (outcome === undefined) return isDone ? <p class="muted">{t.list.notTried}</p> : null;
  const { code, detail } = outcome.document;
  return (
    <p class="verdict-bad">
      ✕ {t.failed.cancel + k.colon}
      <span lang="en">{detail}</span> (<code>{code}</code>)
    </p>
  );
}

/** The table of the list: one line per mission. */
import { useEffect, useState } from 'preact/hooks';
import type { MissionItem } from '../../../codec/api-missions.js';
import { useKindWords } from '../kinds/use-kind-words.js';
import { hrefOf, type Filters } from '../session/route.js';
import { useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import { isCancelable, type Selection } from './selection.js';
import { SortHead } from './sorting.js';
import { StateBadge } from './state-badge.js';

const clock_ms = 30_000;

interface TableProps {
  readonly items: readonly MissionItem[];
  readonly filters: Filters;
  readonly busy: boolean;
  /** Null for who may not cancel. */
  readonly selection: Selection | null;
}

export function MissionTable({ items, filters, busy, selection }: TableProps) {
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

/** Every sector of a run, to be found, ordered and chosen for the picture; a part at a time, so that a page can show a thousand. */
import { useId, useMemo, useState } from 'preact/hooks';
import type { SectorPath } from '../../../codec/simulation-results.js';
import { lines_max } from '../charts/energies.js';
import { arranged, orders, shownName, type Order } from '../pure/results.js';
import { useWords } from '../text/words.js';

const part_sectors = 12;

interface SectorListProps {
  readonly sectors: readonly SectorPath[];
  /** Places of those that are drawn. */
  readonly chosen: readonly number[];
  readonly choose: (chosen: readonly number[]) => void;
}

export function SectorList({ sectors, chosen, choose }: SectorListProps) {
  const { t, f } = useWords();
  const [find, setFind] = useState('');
  const [order, setOrder] = useState<Order>('given');
  const [part, setPart] = useState(0);
  const places = useMemo(() => arranged(sectors, find, order), [sectors, find, order]);
  const from = part * part_sectors;
  const shown = places.slice(from, from + part_sectors);
  const many = sectors.length > part_sectors;
  return (
    <section class="sector-list" aria-label={t.sectors.list}>
      {many && (
        <Finder
          find={find}
          order={order}
          setFind={(text) => (setPart(0), setFind(text))}
          setOrder={(one) => (setPart(0), setOrder(one))}
        />
      )}
      <p class="help" role="status">
        {places.length === 0 ? t.sectors.noneFound : t.sectors.found(f.number(places.length), f.number(sectors.length))}
        {sectors.length > lines_max && ` · ${t.sectors.most(f.number(lines_max))}`}
      </p>
      {shown.length > 0 && <Table sectors={sectors} shown={shown} chosen={chosen} choose={choose} />}
      {places.length > part_sectors && <Turner part={part} count={places.length} turn={setPart} />}
    </section>
  );
}

interface FinderProps {
  readonly find: string;
  readonly order: Order;
  readonly setFind: (find: string) => void;
  readonly setOrder: (order: Order) => void;
}

function Finder({ find, order, setFind, setOrder }: FinderProps) {
  const { t } = useWords();
  const id = useId();
  return (
    <div class="filters" role="search">
      <div class="grow">
        <label for={`${id}-find`}>{t.sectors.find}</label>
        <input id={`${id}-find`} type="search" value={find} onInput={(event) => setFind(event.currentTarget.value)} />
      </div>
      <div>
        <label for={`${id}-order`}>{t.sectors.order}</label>
        <select
          id={`${id}-order`}
          value={order}
          onChange={(event) => setOrder(orders.find((each) => each === event.currentTarget.value) ?? 'given')}
        >
          {orders.map((each) => (
            <option key={each} value={each}>
              {t.sectors.orders[each]}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}

function Table({ sectors, shown, chosen, choose }: SectorListProps & { readonly shown: readonly number[] }) {
  const { t } = useWords();
  const c = t.sectors;
  return (
    <table role="table" class="list list-sectors">
      <caption class="sr-only">{c.list}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {[c.name, c.year, c.first, c.last, c.drawn].map((name) => (
            <th scope="col" role="columnheader" key={name}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {shown.map((place) => {
          const sector = sectors[place];
          return sector === undefined ? null : <Row key={place} sector={sector} place={place} chosen={chosen} choose={choose} />;
        })}
      </tbody>
    </table>
  );
}

interface RowProps extends Pick<SectorListProps, 'chosen' | 'choose'> {
  readonly sector: SectorPath;
  readonly place: number;
}

function Row({ sector: { name, disrupted_year, energy }, place, chosen, choose }: RowProps) {
  const { t, f } = useWords();
  const c = t.sectors;
  const isChosen = chosen.includes(place);
  const change = (): void => choose(isChosen ? chosen.filter((each) => each !== place) : [...chosen, place]);
  return (
    <tr role="row">
      <th scope="row" role="rowheader">
        {shownName(name)}
      </th>
      <td role="cell" data-label={c.year}>
        {disrupted_year === null ? <span class="muted">{c.never}</span> : disrupted_year}
      </td>
      <td role="cell" data-label={c.first}>
        {f.number(energy[0] ?? 0)}
      </td>
      <td role="cell" data-label={c.last}>
        {f.number(energy.at(-1) ?? 0)}
      </td>
      <td role="cell" data-label={c.drawn}>
        <input
          type="checkbox"
          aria-label={c.draw(shownName(name))}
          checked={isChosen}
          disabled={!isChosen && chosen.length >= lines_max}
          onChange={change}
        />
      </td>
    </tr>
  );
}

function Turner({ part, count, turn }: { readonly part: number; readonly count: number; readonly turn: (part: number) => void }) {
  const { t, f } = useWords();
  const last = Math.ceil(count / part_sectors) - 1;
  const to = Math.min(count, (part + 1) * part_sectors);
  return (
    <nav class="pager" aria-label={t.sectors.pager}>
      <button type="button" class="small" disabled={part === 0} onClick={() => turn(part - 1)}>
        ← {t.sectors.earlier}
      </button>
      <span class="pager-place">{t.sectors.part(f.number(part * part_sectors + 1), f.number(to), f.number(count))}</span>
      <button type="button" class="small" disabled={part === last} onClick={() => turn(part + 1)}>
        {t.sectors.later} →
      </button>
    </nav>
  );
}

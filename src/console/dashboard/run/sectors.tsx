/** The sectors of a run: the energy of some as lines, and a list of all of them to choose from. */
import { useEffect, useId, useMemo, useState } from 'preact/hooks';
import type { Results } from '../../../codec/api-simulation.js';
import type { SectorPath } from '../../../codec/simulation-results.js';
import { Figure } from '../../kit/charts/figure.js';
import { Button, Check, Select } from '../../kit/controls/inputs.js';
import { DataTable, ListTable } from '../../kit/controls/tables.js';
import { Energies, energiesHeight, EnergiesLegend, lines_max } from '../charts/energies.js';
import { arranged, type Envelope, envelopeOf, examples, type Order, orders, shownName } from '../pure/results.js';
import { useWords } from '../text/words.js';

interface SectorsProps {
  readonly results: Results;
  readonly at: number;
  readonly point: (at: number) => void;
}

/** A logarithmic axis is worth offering from this ratio of the highest energy to the lowest. */
const ratio_min = 20;

export function Sectors({ results, at, point }: SectorsProps) {
  const { t, f } = useWords();
  const { sectors, forecast } = results;
  const years = useMemo(() => forecast.map(({ year }) => year), [forecast]);
  const [chosen, setChosen] = useState(() => examples(sectors, lines_max));
  const drawn = useMemo(
    () => chosen.flatMap((i): SectorPath[] => (sectors[i] === undefined ? [] : [sectors[i]])),
    [chosen, sectors],
  );
  const envelope = useEnvelope(sectors);
  const wide = useMemo(() => spreadOf(sectors) >= ratio_min, [sectors]);
  const [logarithmic, setLogarithmic] = useState(false);
  return (
    <Figure
      title={t.sectors.title}
      alt={t.sectors.alt(f.number(drawn.length), f.number(sectors.length), f.number(years.length))}
      height={energiesHeight}
      controls={wide && <Check text={t.sectors.logarithmic} checked={logarithmic} set={setLogarithmic} />}
      legend={
        <EnergiesLegend
          drawn={drawn}
          envelope={envelope}
          at={at}
          remove={sectors.length > lines_max ? (line) => setChosen(chosen.toSpliced(line, 1)) : null}
        />
      }
      table={() => <ByYear years={years} drawn={drawn} />}
      below={<SectorList sectors={sectors} chosen={chosen} choose={setChosen} />}
    >
      {(room) => (
        <Energies {...room} years={years} drawn={drawn} envelope={envelope} logarithmic={logarithmic} at={at} point={point} />
      )}
    </Figure>
  );
}

/** The range of all sectors where not all are drawn; it is computed once the page has been painted. */
function useEnvelope(sectors: readonly SectorPath[]): Envelope | null {
  const [envelope, setEnvelope] = useState<Envelope | null>(null);
  useEffect(() => {
    setEnvelope(null);
    if (sectors.length <= lines_max) return undefined;
    const timer = setTimeout(() => setEnvelope(envelopeOf(sectors)));
    return () => clearTimeout(timer);
  }, [sectors]);
  return envelope;
}

/** The highest energy over the lowest; 0 where one is not above zero. */
function spreadOf(sectors: readonly SectorPath[]): number {
  let [least, most] = [Infinity, 0];
  for (const { energy } of sectors)
    for (const value of energy) {
      if (value < least) least = value;
      if (value > most) most = value;
    }
  return least > 0 ? most / least : 0;
}

function ByYear({ years, drawn }: { readonly years: readonly number[]; readonly drawn: readonly SectorPath[] }) {
  const { t, f } = useWords();
  return (
    <DataTable
      label={t.sectors.byYear}
      head={[t.forecast.year, ...drawn.map(({ name }) => shownName(name))]}
      rows={years.map((year, i) => [String(year), ...drawn.map(({ energy }) => f.number(energy[i] ?? 0))])}
    />
  );
}

/** Every sector of a run, to be found, ordered and chosen for the picture; a part at a time, so that a page can show a thousand. */
const part_sectors = 12;

interface SectorListProps {
  readonly sectors: readonly SectorPath[];
  /** Places of those that are drawn. */
  readonly chosen: readonly number[];
  readonly choose: (chosen: readonly number[]) => void;
}

function SectorList({ sectors, chosen, choose }: SectorListProps) {
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
        <label for={id}>{t.sectors.find}</label>
        <input id={id} type="search" value={find} onInput={(event) => setFind(event.currentTarget.value)} />
      </div>
      <div>
        <Select
          label={t.sectors.order}
          options={orders.map((each) => [each, t.sectors.orders[each]] as const)}
          value={order}
          choose={setOrder}
        />
      </div>
    </div>
  );
}

function Table({ sectors, shown, chosen, choose }: SectorListProps & { readonly shown: readonly number[] }) {
  const { t, f } = useWords();
  const c = t.sectors;
  const cellsOf = ({ name, disrupted_year, energy, probability }: SectorPath, place: number) => {
    const isChosen = chosen.includes(place);
    return [
      shownName(name),
      disrupted_year ?? <span class="muted">{c.never}</span>,
      f.percent(probability.at(-1) ?? 0),
      f.number(energy[0] ?? 0),
      f.number(energy.at(-1) ?? 0),
      <input
        type="checkbox"
        aria-label={c.draw(shownName(name))}
        checked={isChosen}
        disabled={!isChosen && chosen.length >= lines_max}
        onChange={() => choose(isChosen ? chosen.filter((each) => each !== place) : [...chosen, place])}
      />,
    ];
  };
  return (
    <ListTable
      name="sectors"
      caption={c.list}
      columns={[c.name, c.year, c.probability, c.first, c.last, c.drawn]}
      rows={shown.flatMap((place) =>
        sectors[place] === undefined ? [] : [{ key: place, cells: cellsOf(sectors[place], place) }],
      )}
    />
  );
}

function Turner({ part, count, turn }: { readonly part: number; readonly count: number; readonly turn: (part: number) => void }) {
  const { t, f } = useWords();
  const last = Math.ceil(count / part_sectors) - 1;
  const to = Math.min(count, (part + 1) * part_sectors);
  return (
    <nav class="pager" aria-label={t.sectors.pager}>
      <Button class="small" disabled={part === 0} onClick={() => turn(part - 1)} text={`← ${t.sectors.earlier}`} />
      <span class="pager-place">{t.sectors.part(f.number(part * part_sectors + 1), f.number(to), f.number(count))}</span>
      <Button class="small" disabled={part === last} onClick={() => turn(part + 1)} text={`${t.sectors.later} →`} />
    </nav>
  );
}

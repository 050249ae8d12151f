/** The sectors of a run: the energy of some as lines, and a list of all of them to choose from. */
import { useEffect, useId, useMemo, useState } from 'preact/hooks';
import type { Results } from '../../../codec/api-simulation.js';
import type { SectorPath } from '../../../codec/simulation-results.js';
import { spanOf } from '../../kit/charts/scale.js';
import { Check, Select } from '../../kit/controls/inputs.js';
import { DataTable, ListTable } from '../../kit/controls/tables.js';
import type { Pointing } from '../charts/by-year.js';
import { Energies, lines_max } from '../charts/energies.js';
import { arranged, type Envelope, envelopeOf, examples, type Order, orders, pageOf, shownName } from '../pure/results.js';
import { Turn } from '../parts/parts.js';
import { useWords } from '../text/words.js';

/** A logarithmic axis is worth offering from this ratio of the highest energy to the lowest. */
const ratio_min = 20;

export function Sectors({ results, ...pointing }: Pointing & { readonly results: Results }) {
  const { t, f } = useWords();
  const { sectors, forecast } = results;
  const years = useMemo(() => forecast.map(({ year }) => year), [forecast]);
  const [chosen, setChosen] = useState(() => examples(sectors, lines_max));
  const drawn = useMemo(() => chosen.flatMap((i) => sectors[i] ?? []), [chosen, sectors]);
  const wide = useMemo(() => spreadOf(sectors) >= ratio_min, [sectors]);
  const [logarithmic, setLogarithmic] = useState(false);
  return (
    <Energies
      {...pointing}
      title={t.sectors.title}
      alt={t.sectors.alt(f.number(drawn.length), f.number(sectors.length), f.number(years.length))}
      controls={wide && <Check text={t.sectors.logarithmic} checked={logarithmic} set={setLogarithmic} />}
      table={() => <YearTable years={years} drawn={drawn} />}
      below={<SectorList sectors={sectors} chosen={chosen} choose={setChosen} />}
      years={years}
      drawn={drawn}
      envelope={useEnvelope(sectors)}
      logarithmic={logarithmic}
      remove={sectors.length > lines_max ? (line) => setChosen(chosen.toSpliced(line, 1)) : null}
    />
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
  const [least, most] = spanOf(sectors.flatMap(({ energy }) => energy));
  return least > 0 ? most / least : 0;
}

function YearTable({ years, drawn }: { readonly years: readonly number[]; readonly drawn: readonly SectorPath[] }) {
  const { t } = useWords();
  return (
    <DataTable
      label={t.sectors.byYear}
      head={[t.forecast.year, ...drawn.map(({ name }) => shownName(name))]}
      rows={years.map((year, i) => [year, ...drawn.map(({ energy }) => energy[i] ?? 0)])}
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
  const [wanted, setWanted] = useState(0);
  const places = useMemo(() => arranged(sectors, find, order), [sectors, find, order]);
  const part = pageOf(places, wanted, part_sectors);
  const many = sectors.length > part_sectors;
  return (
    <section aria-label={t.form.sectors}>
      {many && (
        <Finder
          find={find}
          order={order}
          setFind={(text) => (setWanted(0), setFind(text))}
          setOrder={(order) => (setWanted(0), setOrder(order))}
        />
      )}
      <p class="help" role="status">
        {places.length === 0 ? t.sectors.noneFound : t.sectors.found(f.number(places.length), f.number(sectors.length))}
        {sectors.length > lines_max && ` · ${t.sectors.most(f.number(lines_max))}`}
      </p>
      {places.length > 0 && <Table sectors={sectors} shown={part.items} chosen={chosen} choose={choose} />}
      <Turn of={part} turn={setWanted} label={t.runs.pager} />
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
      caption={t.form.sectors}
      columns={[c.name, c.year, c.probability, c.first, c.last, c.drawn]}
      rows={shown.flatMap((place) =>
        sectors[place] === undefined ? [] : [{ key: place, cells: cellsOf(sectors[place], place) }],
      )}
    />
  );
}

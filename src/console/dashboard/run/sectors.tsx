/** The sectors of a run: the energy of some as lines, and a list of all of them to choose from. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { DataTable } from '../../kit/charts/table.js';
import { LazyDetails } from '../../kit/controls/lazy-details.js';
import type { Results, SectorPath } from '../api/shapes.js';
import { Energies } from '../charts/energies.js';
import { lines_max } from '../charts/plot.js';
import { envelopeOf, examples, shownName, type Envelope } from '../pure/results.js';
import { useWords } from '../text/words.js';
import { SectorList } from './sector-list.js';

interface SectorsProps {
  readonly results: Results;
  readonly at: number;
  readonly point: (at: number) => void;
}

/** A logarithmic axis is worth offering from this ratio of the highest energy to the lowest. */
const ratio_min = 20;

export function Sectors({ results, at, point }: SectorsProps) {
  const { k, t } = useWords();
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
    <figure class="chart" aria-labelledby="sectors">
      <figcaption>
        <h3 id="sectors">{t.sectors.title}</h3>
        {wide && (
          <label class="check">
            <input type="checkbox" checked={logarithmic} onChange={(event) => setLogarithmic(event.currentTarget.checked)} />{' '}
            {t.sectors.logarithmic}
          </label>
        )}
      </figcaption>
      <Energies
        years={years}
        drawn={drawn}
        count={sectors.length}
        envelope={envelope}
        logarithmic={logarithmic}
        at={at}
        point={point}
        remove={sectors.length > lines_max ? (line) => setChosen(chosen.toSpliced(line, 1)) : null}
      />
      <LazyDetails title={k.showTable}>{() => <ByYear years={years} drawn={drawn} />}</LazyDetails>
      <SectorList sectors={sectors} chosen={chosen} choose={setChosen} />
    </figure>
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

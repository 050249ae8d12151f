/** The sectors of a run: the energy of some as lines, and a list of all of them to choose from. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { DataTable } from '../../kit/charts/table.js';
import { Figure } from '../../kit/charts/figure.js';
import type { Results } from '../../../codec/api-simulation.js';
import type { SectorPath } from '../../../codec/simulation-results.js';
import { Energies, energiesHeight, EnergiesLegend, lines_max } from '../charts/energies.js';
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
      controls={
        wide && (
          <label class="check">
            <input type="checkbox" checked={logarithmic} onChange={(event) => setLogarithmic(event.currentTarget.checked)} />{' '}
            {t.sectors.logarithmic}
          </label>
        )
      }
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
      {(width) => (
        <Energies
          years={years}
          drawn={drawn}
          envelope={envelope}
          logarithmic={logarithmic}
          at={at}
          point={point}
          width={width}
          height={energiesHeight(width)}
        />
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

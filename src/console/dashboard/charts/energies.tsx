/** The energy of chosen sectors by year, before the range of all of them; each line ends its calm at a point. */
import { useMemo } from 'preact/hooks';
import type uPlot from 'uplot';
import type { SectorPath } from '../api/shapes.js';
import { energyMost, shownName, type Envelope } from '../pure/results.js';
import { drawnAsPowers, drawnIn, type Drawn } from '../pure/unit.js';
import { useWords } from '../text/words.js';
import { rangeOfYears } from './forecast.js';
import { axisOf, Plot, yearAxis, type Ink, type Settings } from './plot.js';

const heightOf = (width: number): number => Math.round(Math.max(260, Math.min(400, width * 0.45)));

/** Told apart without colour, too. */
const dashes: readonly number[][] = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 2], [14, 4], [3, 6], [8, 2, 2, 2, 2, 2]];

interface EnergiesProps {
  readonly years: readonly number[];
  readonly drawn: readonly SectorPath[];
  readonly count: number;
  /** Null where every sector is drawn, and until it is computed. */
  readonly envelope: Envelope | null;
  readonly logarithmic: boolean;
  readonly at: number;
  readonly point: (at: number) => void;
  /** Takes the nth line away; absent where the list of sectors is in sight anyway. */
  readonly remove: ((line: number) => void) | null;
}

export function Energies({ years, drawn, count, envelope, logarithmic, at, point, remove }: EnergiesProps) {
  const { t, f, language } = useWords();
  const way = useMemo(() => (logarithmic ? drawnAsPowers : drawnIn(energyMost(drawn, envelope))), [logarithmic, drawn, envelope]);
  const data = useMemo<uPlot.AlignedData>(() => dataOf(years, envelope, drawn, way), [years, envelope, drawn, way]);
  const names = drawn.map(({ name }) => name).join('\n');
  return (
    <>
      <Plot
        alt={t.sectors.alt(f.number(drawn.length), f.number(count), f.number(years.length))}
        height={heightOf}
        settings={(ink) => settingsOf(ink, { envelope, drawn, way }, f.number, t.forecast.year)}
        settingsKey={`${language} ${String(logarithmic)} ${way.unit} ${envelope === null ? '' : 'range'} ${names}`}
        data={data}
        at={at}
        point={point}
      />
      <Legend drawn={drawn} envelope={envelope} at={at} remove={remove} />
    </>
  );
}

const dataOf = (
  years: readonly number[],
  envelope: Envelope | null,
  drawn: readonly SectorPath[],
  { place }: Drawn,
): uPlot.AlignedData => [
  [...years],
  ...(envelope === null ? [] : [envelope.p90, envelope.p10, envelope.p50].map((values) => values.map(place))),
  ...drawn.map(({ energy }) => energy.map(place)),
];

interface Shown extends Pick<EnergiesProps, 'envelope' | 'drawn'> {
  readonly way: Drawn;
}

/** From one whole power of ten to another. */
const rangeOfPowers = (_: uPlot, least: number, most: number): uPlot.Range.MinMax => [
  Math.floor(least),
  Math.max(Math.ceil(most), Math.floor(least) + 1),
];

function settingsOf(ink: Ink, { envelope, drawn, way }: Shown, number: (value: number) => string, year: string): Settings {
  const none = { show: false };
  const range: uPlot.Series[] =
    envelope === null
      ? []
      : [
          { width: 0, points: none },
          { width: 0, points: none },
          { stroke: ink.text, width: 1.25, dash: [2, 4], points: none },
        ];
  return {
    padding: [12, 12, 0, 0],
    scales: { x: { time: false, range: rangeOfYears }, y: way === drawnAsPowers ? { range: rangeOfPowers } : {} },
    series: [{}, ...range, ...drawn.map((path, i) => lineOf(path, i, ink))],
    bands: envelope === null ? [] : [{ series: [1, 2], fill: `${ink.band}22` }],
    axes: [yearAxis(ink, number, year), axisOf(ink, (place) => way.label(place, number), wayOf(way))],
    cursor: { points: { size: 7 } },
  };
}

const wayOf = (way: Drawn): Partial<uPlot.Axis> => ({
  size: way.unit === 1 ? 62 : 84,
  ...(way === drawnAsPowers ? { incrs: [1, 2, 5, 10, 20, 50, 100] } : {}),
});

const lineOf = ({ disrupted_year, energy }: SectorPath, i: number, ink: Ink): uPlot.Series => ({
  stroke: ink.lines[i] ?? ink.text,
  width: 2,
  dash: [...(dashes[i] ?? [])],
  points: {
    show: disrupted_year !== null || energy.length < 2,
    filter: () => (disrupted_year === null ? (energy.length < 2 ? [0] : []) : [disrupted_year - 1]),
    size: 9,
    width: 2,
    fill: ink.surface,
  },
});

/** The energy of each line in the year that is pointed at. */
function Legend({ drawn, envelope, at, remove }: Pick<EnergiesProps, 'drawn' | 'envelope' | 'at' | 'remove'>) {
  const { t, f } = useWords();
  return (
    <ul class="line-legend">
      {drawn.map(({ name, energy, disrupted_year }, i) => (
        <li key={name}>
          <LineSample index={i} />
          <span class="line-name">{shownName(name)}</span> <strong>{f.number(energy[at] ?? 0)}</strong>
          {disrupted_year !== null && disrupted_year <= at + 1 && <span class="muted"> ○ {disrupted_year}</span>}
          {remove !== null && (
            <button
              type="button"
              class="quiet line-remove"
              aria-label={t.sectors.undraw(shownName(name))}
              onClick={() => remove(i)}
            >
              ×
            </button>
          )}
        </li>
      ))}
      {envelope !== null && (
        <li>
          <span class="key key-band key-band-1" /> {t.sectors.band}{' '}
          <strong>
            {f.number(envelope.p10[at] ?? 0)} – {f.number(envelope.p90[at] ?? 0)}
          </strong>
        </li>
      )}
      <li class="muted">○ {t.sectors.disruption}</li>
    </ul>
  );
}

const LineSample = ({ index }: { readonly index: number }) => (
  <svg class={`line-sample l${index}`} width="28" height="8" viewBox="0 0 28 8" aria-hidden="true">
    <line x1="0" x2="28" y1="4" y2="4" stroke-dasharray={(dashes[index] ?? []).join(' ')} />
  </svg>
);

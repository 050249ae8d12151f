/** The energy of chosen sectors by year, in front of the range of all of them; a circle on a line marks the year of its disruption. */
import type { ComponentProps } from 'preact';
import { useMemo } from 'preact/hooks';
import type { SectorPath } from '../../../codec/simulation-results.js';
import { area, path, type Span, spanOf, widened } from '../../kit/charts/scale.js';
import { Button } from '../../kit/controls/inputs.js';
import { type Envelope, shownName } from '../pure/results.js';
import { useWords } from '../text/words.js';
import { ByYear } from './by-year.js';
import { lineTone } from './lines.js';

/** How many lines can be told apart: each has its colour and its dashes. */
export const lines_max = 8;
const dashes = ['', '8 4', '2 3', '10 3 2 3', '5 2', '14 4', '3 6', '8 2 2 2 2 2'];

interface EnergiesProps extends Omit<ComponentProps<typeof ByYear>, 'children' | 'frame' | 'height' | 'legend' | 'mark' | 'y'> {
  readonly drawn: readonly SectorPath[];
  /** Null where every sector is drawn, and until it is computed. */
  readonly envelope: Envelope | null;
  readonly logarithmic: boolean;
  /** Takes the nth line away; absent where the list of sectors is in sight anyway. */
  readonly remove: ((line: number) => void) | null;
}

const heightOf = (width: number): number => Math.round(Math.max(260, Math.min(400, width * 0.45)));

/** The vertical span: whole powers of ten, or what is drawn with some room. */
function spanFor(drawn: readonly SectorPath[], envelope: Envelope | null, logarithmic: boolean): Span {
  const all = [...drawn.flatMap(({ energy }) => energy), ...(envelope?.p10 ?? []), ...(envelope?.p90 ?? [])];
  const [least, most] = spanOf(logarithmic ? all.map(Math.log10) : all);
  if (logarithmic) return [Math.floor(least), Math.max(Math.ceil(most), Math.floor(least) + 1)];
  const [from, to] = widened([least, most], 0.06);
  return [least >= 0 ? Math.max(0, from) : from, to];
}

export function Energies({ drawn, envelope, logarithmic, remove, ...figure }: EnergiesProps) {
  const { t, f } = useWords();
  const place = logarithmic ? Math.log10 : Number;
  const span = useMemo(() => spanFor(drawn, envelope, logarithmic), [drawn, envelope, logarithmic]);
  const { years, at } = figure;
  return (
    <ByYear
      {...figure}
      height={heightOf}
      frame={{ top: 28, right: 14, bottom: 46, left: 62 }}
      y={{ span, whole: logarithmic, print: (at) => f.short(logarithmic ? 10 ** at : at), label: t.sectors.energyAxis }}
      legend={<Legend drawn={drawn} envelope={envelope} at={at} remove={remove} />}
      mark={({ x, y }) =>
        drawn.map(
          ({ name, energy }, i) =>
            energy[at] !== undefined && (
              <circle class="hollow" key={name} style={lineTone(i)} cx={x(years[at] ?? 1)} cy={y(place(energy[at]))} r="2" />
            ),
        )
      }
    >
      {({ x, y }) => {
        const pointsOf = (values: readonly number[]) => values.map((value, i) => [x(years[i] ?? 1), y(place(value))] as const);
        return (
          <>
            {envelope !== null && (
              <>
                <path class="band" d={area(pointsOf(envelope.p90), pointsOf(envelope.p10))} />
                <path class="series" stroke-dasharray="2 4" d={path(pointsOf(envelope.p50))} />
              </>
            )}
            {drawn.map((sector, i) => (
              <Line key={sector.name} sector={sector} index={i} points={pointsOf(sector.energy)} />
            ))}
          </>
        );
      }}
    </ByYear>
  );
}

interface LineProps {
  readonly sector: SectorPath;
  readonly index: number;
  readonly points: readonly (readonly [number, number])[];
}

function Line({ sector: { disrupted_year }, index, points }: LineProps) {
  const mark = points[disrupted_year === null ? (points.length < 2 ? 0 : -1) : disrupted_year - 1];
  return (
    <g class="line" style={lineTone(index)}>
      <path class="series" stroke-dasharray={dashes[index]} d={path(points)} />
      {mark !== undefined && <circle class="hollow" cx={mark[0]} cy={mark[1]} r="4.5" />}
    </g>
  );
}

/** The energy of each line in the year that is pointed at, which neither paper nor a saved picture shows, and the year of its disruption. */
function Legend({ drawn, envelope, at, remove }: Pick<EnergiesProps, 'drawn' | 'envelope' | 'at' | 'remove'>) {
  const { t, f } = useWords();
  return (
    <ul class="bare line-legend">
      {drawn.map(({ name, energy, disrupted_year }, i) => (
        <li key={name}>
          <svg class="line" style={lineTone(i)} width="28" height="8" viewBox="0 0 28 8" aria-hidden="true">
            <line class="series" x1="0" x2="28" y1="4" y2="4" stroke-dasharray={dashes[i]} />
          </svg>
          <span class="line-name">{shownName(name)}</span> <strong data-screen-only>{f.number(energy[at] ?? 0)}</strong>
          {disrupted_year !== null && <span class="muted"> ○ {disrupted_year}</span>}
          {remove !== null && (
            <Button class="small quiet" aria-label={t.sectors.undraw(shownName(name))} onClick={() => remove(i)} text={'×'} />
          )}
        </li>
      ))}
      {envelope !== null && (
        <li>
          <span class="key key-band key-band-1" /> {t.sectors.band}{' '}
          <strong data-screen-only>
            {f.number(envelope.p10[at] ?? 0)} – {f.number(envelope.p90[at] ?? 0)}
          </strong>
        </li>
      )}
      <li class="muted">○ {t.sectors.disruption}</li>
    </ul>
  );
}

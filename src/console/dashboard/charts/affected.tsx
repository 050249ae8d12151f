/** The number of disrupted sectors by year, with its interval over the draws of the curve. */
import { useMemo } from 'preact/hooks';
import type { Results } from '../../../codec/api-simulation.js';
import type { ForecastEntry } from '../../../codec/simulation-results.js';
import { Pointer } from '../../kit/charts/cursor.js';
import { Figure } from '../../kit/charts/figure.js';
import { type Frame, Plane, type Room } from '../../kit/charts/plane.js';
import { area, path, type Span } from '../../kit/charts/scale.js';
import { DataTable } from '../../kit/controls/tables.js';
import { useWords } from '../text/words.js';
import { spanOfYears } from './forecast.js';

const frame: Frame = { top: 20, right: 14, bottom: 46, left: 58 };
const heightOf = (width: number): number => Math.round(Math.max(200, Math.min(300, width * 0.34)));

interface ChartProps {
  readonly results: Results;
  /** The year that is pointed at, as its place in the forecast. */
  readonly at: number;
  readonly point: (at: number) => void;
}

export function AffectedChart({ results: { forecast, sectors }, at, point }: ChartProps) {
  const { t, f } = useWords();
  const years = useMemo(() => forecast.map(({ year }) => year), [forecast]);
  const [last, chosen] = [forecast.at(-1), forecast[at]];
  const interval = (entry: typeof last): readonly [string, string] => [
    f.number(entry?.affected_p05 ?? 0),
    f.number(entry?.affected_p95 ?? 0),
  ];
  const reading =
    chosen === undefined ? '' : t.affected.reading(String(chosen.year), f.number(chosen.affected), ...interval(chosen));
  return (
    <Figure
      title={t.affected.title}
      alt={t.affected.alt(f.number(years.length), ...interval(last), f.number(sectors.length))}
      height={heightOf}
      reader={() => ({ label: t.forecast.year, count: years.length, at, choose: point, reading })}
      legend={
        <p class="legend">
          <span class="key key-ahead">{t.affected.central}</span>
          <span class="key key-band key-band-1">{t.forecast.band50}</span>
          <span class="key key-band">{t.forecast.band90}</span>
        </p>
      }
      table={() => <AffectedTable forecast={forecast} />}
    >
      {(room) => <Picture {...room} {...{ forecast, years, at, point }} most={sectors.length} />}
    </Figure>
  );
}

interface PictureProps extends Room {
  readonly forecast: readonly ForecastEntry[];
  readonly years: readonly number[];
  /** The number of sectors. */
  readonly most: number;
  readonly at: number;
  readonly point: (at: number) => void;
}

function Picture({ forecast, years, most, at, point, width, height }: PictureProps) {
  const { t, f } = useWords();
  const room = { frame, width, height };
  const labelled: Span = [years[0] ?? 1, years.at(-1) ?? 1];
  return (
    <Plane
      {...room}
      x={{ span: spanOfYears(years), labelled, whole: true, label: t.forecast.year }}
      y={{ span: [0, most], whole: true, print: f.number, label: t.affected.axis }}
    >
      {({ x, y }) => {
        const line = (name: 'affected' | (typeof quantiles)[number][1]) =>
          forecast.map((entry) => [x(entry.year), y(entry[name])] as const);
        const central = line('affected');
        const chosen = central[at];
        return (
          <>
            <path class="band" d={area(line('affected_p95'), line('affected_p05'))} />
            <path class="band band-1" d={area(line('affected_p75'), line('affected_p25'))} />
            <path class="series series-ahead" d={path(central)} />
            <Pointer {...room} places={central.map(([px]) => px)} at={at} point={point}>
              {chosen !== undefined && <circle class="series-dot" cx={chosen[0]} cy={chosen[1]} r="4" />}
            </Pointer>
          </>
        );
      }}
    </Plane>
  );
}

const quantiles = [
  [5, 'affected_p05'],
  [25, 'affected_p25'],
  [50, 'affected_p50'],
  [75, 'affected_p75'],
  [95, 'affected_p95'],
] as const;

function AffectedTable({ forecast }: { readonly forecast: readonly ForecastEntry[] }) {
  const { t, f } = useWords();
  return (
    <DataTable
      label={t.affected.title}
      head={[t.forecast.year, t.forecast.affected, ...quantiles.map(([share]) => t.forecast.quantile(f.number(share)))]}
      rows={forecast.map((entry) => [
        String(entry.year),
        f.number(entry.affected),
        ...quantiles.map(([, name]) => f.number(entry[name])),
      ])}
    />
  );
}

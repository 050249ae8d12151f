/** The capability by year with its quantiles, and the years in which sectors are disrupted. */
import { useMemo } from 'preact/hooks';
import type { Results } from '../../../codec/api-simulation.js';
import type { ForecastEntry } from '../../../codec/simulation-results.js';
import type { Place } from '../../kit/charts/plane.js';
import { area, path } from '../../kit/charts/scale.js';
import { Share } from '../../kit/controls/table-tools.js';
import { DataTable } from '../../kit/controls/tables.js';
import { type Disruption, disruptionsOf } from '../pure/results.js';
import { useWords } from '../text/words.js';
import { ByYear, Dot, type Pointing } from './by-year.js';

const frame = { top: 38, right: 14, bottom: 46, left: 58 };
const heightOf = (width: number): number => Math.round(Math.max(250, Math.min(380, width * 0.42)));
const mark_pixels = 26;
/** The share of the picture's height that a bar takes at most. */
const bars_share = 0.3;

const banded = (forecast: readonly ForecastEntry[]): boolean => forecast[0]?.p50 !== undefined;

export function ForecastChart({ results: { forecast, sectors }, ...pointing }: Pointing & { readonly results: Results }) {
  const { t, f } = useWords();
  const bands = banded(forecast);
  const marks = useMemo(() => disruptionsOf(forecast), [forecast]);
  const percent = (value: number | undefined): string => f.percent(value ?? 0);
  const [last, chosen] = [forecast.at(-1), forecast[pointing.at]];
  return (
    <ByYear
      {...pointing}
      title={t.forecast.title}
      alt={t.forecast.alt(
        f.number(forecast.length),
        percent(forecast[0]?.capability),
        percent(last?.capability),
        f.number(last?.affected ?? 0),
        f.number(sectors.length),
      )}
      height={heightOf}
      frame={frame}
      years={forecast.map(({ year }) => year)}
      y={{ span: [0, 1], print: f.percent, label: t.forecast.capability }}
      reading={useReading(chosen, sectors.length)}
      mark={({ x, y }) => chosen && <Dot x={x(chosen.year)} y={y(chosen.capability)} />}
      legend={<Legend bands={bands} marks={marks.length > 0} />}
      table={() => <ForecastTable forecast={forecast} />}
    >
      {({ x, y }, { width }) => {
        const line = (name: 'capability' | (typeof quantiles)[number]) =>
          forecast.map((entry) => [x(entry.year), y(entry[name] ?? 0)] as const);
        const capability = line('capability');
        return (
          <>
            <Marks marks={marks} count={forecast.length} place={{ x, y }} width={width} />
            {bands && (
              <>
                <path class="band" d={area(line('p95'), line('p05'))} />
                <path class="band" d={area(line('p75'), line('p25'))} />
              </>
            )}
            <path class="series series-ahead" d={path(capability)} />
            {capability.length < 3 && capability.map(([cx, cy]) => <circle class="dot" key={cx} cx={cx} cy={cy} r="3" />)}
          </>
        );
      }}
    </ByYear>
  );
}

function useReading(entry: ForecastEntry | undefined, count: number): string {
  const { t, f } = useWords();
  if (entry === undefined) return '';
  const { year, capability, affected, p05, p95 } = entry;
  const text = t.forecast.reading(String(year), f.percent(capability), f.number(affected), f.number(count));
  return p05 === undefined || p95 === undefined ? text : text + t.forecast.readingBand(f.percent(p05), f.percent(p95));
}

interface MarksProps {
  readonly marks: readonly Disruption[];
  readonly count: number;
  readonly place: Place;
  readonly width: number;
}

/** The years that disrupt sectors: dashed lines with numbers where there is room for them, else bars as high as the numbers. */
function Marks({ marks, count, place: { x, y }, width }: MarksProps) {
  const across = width - frame.left - frame.right;
  if (marks.length * mark_pixels > across) {
    const most = Math.max(...marks.map((mark) => mark.count));
    const bar = Math.max(1, (across / count) * 0.6);
    return (
      <>
        {marks.map((mark) => {
          const top = y((mark.count / most) * bars_share);
          return (
            <rect class="bars tone-bad" key={mark.year} x={x(mark.year) - bar / 2} width={bar} y={top} height={y(0) - top} />
          );
        })}
      </>
    );
  }
  return (
    <>
      {numbered(marks, x).map(({ mark, px, isNamed }) => (
        <g class="tone-bad" key={mark.year}>
          <line class="dash" x1={px} x2={px} y1={y(1)} y2={y(0)} />
          {isNamed && (
            <text x={px} y={y(1) - 7} text-anchor="middle">
              +{mark.count}
            </text>
          )}
        </g>
      ))}
    </>
  );
}

/** Returns the place of each mark, and whether the number of the previous one leaves room for its own. */
function numbered(marks: readonly Disruption[], x: (year: number) => number) {
  let free = -Infinity;
  return marks.map((mark) => {
    const px = x(mark.year);
    const isNamed = px >= free;
    if (isNamed) free = px + mark_pixels;
    return { mark, px, isNamed };
  });
}

function Legend({ bands, marks }: { readonly bands: boolean; readonly marks: boolean }) {
  const { t } = useWords();
  return (
    <p class="legend">
      <span class="key key-line tone-accent">{t.forecast.capability}</span>
      {bands && <span class="key key-band key-band-1">{t.forecast.band50}</span>}
      {bands && <span class="key key-band">{t.forecast.band90}</span>}
      {marks && <span class="key key-line key-dash tone-bad">{t.forecast.mark}</span>}
    </p>
  );
}

const quantiles = ['p05', 'p25', 'p50', 'p75', 'p95'] as const;

function ForecastTable({ forecast }: { readonly forecast: readonly ForecastEntry[] }) {
  const { t, f } = useWords();
  const c = t.forecast;
  const shown = banded(forecast) ? quantiles : [];
  return (
    <DataTable
      label={c.title}
      head={[c.year, c.capability, ...shown.map((name) => c.quantile(f.number(Number(name.slice(1))))), c.affected, c.newly]}
      rows={forecast.map((entry, i) => [
        entry.year,
        ...(['capability', ...shown] as const).map((name) => <Share value={entry[name] ?? 0} />),
        entry.affected,
        entry.affected - (forecast[i - 1]?.affected ?? 0),
      ])}
    />
  );
}

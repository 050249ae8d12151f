/** The number of disrupted sectors by year, with its interval over the draws of the curve. */
import type { Results } from '../../../codec/api-simulation.js';
import type { ForecastEntry } from '../../../codec/simulation-results.js';
import { area, path } from '../../kit/charts/scale.js';
import { DataTable } from '../../kit/controls/tables.js';
import { useWords } from '../text/words.js';
import { ByYear, Dot, type Pointing } from './by-year.js';

const frame = { top: 28, right: 14, bottom: 46, left: 58 };
const heightOf = (width: number): number => Math.round(Math.max(200, Math.min(300, width * 0.34)));

export function AffectedChart({ results: { forecast, sectors }, ...pointing }: Pointing & { readonly results: Results }) {
  const { t, f } = useWords();
  const [last, chosen] = [forecast.at(-1), forecast[pointing.at]];
  const interval = (entry: ForecastEntry | undefined): readonly [string, string] => [
    f.number(entry?.affected_p05 ?? 0),
    f.number(entry?.affected_p95 ?? 0),
  ];
  return (
    <ByYear
      {...pointing}
      title={t.affected.title}
      alt={t.affected.alt(f.number(forecast.length), ...interval(last), f.number(sectors.length))}
      height={heightOf}
      frame={frame}
      years={forecast.map(({ year }) => year)}
      y={{ span: [0, sectors.length], whole: true, print: f.number, label: t.compare.affected }}
      reading={
        chosen === undefined ? '' : t.affected.reading(String(chosen.year), f.number(chosen.affected), ...interval(chosen))
      }
      mark={({ x, y }) => chosen && <Dot x={x(chosen.year)} y={y(chosen.affected)} />}
      legend={
        <p class="legend">
          <span class="key key-line tone-accent">{t.affected.central}</span>
          <span class="key key-band key-band-1">{t.forecast.band50}</span>
          <span class="key key-band">{t.forecast.band90}</span>
        </p>
      }
      table={() => <AffectedTable forecast={forecast} />}
    >
      {({ x, y }) => {
        const line = (name: 'affected' | (typeof quantiles)[number][1]) =>
          forecast.map((entry) => [x(entry.year), y(entry[name])] as const);
        return (
          <>
            <path class="band" d={area(line('affected_p95'), line('affected_p05'))} />
            <path class="band" d={area(line('affected_p75'), line('affected_p25'))} />
            <path class="series series-ahead" d={path(line('affected'))} />
          </>
        );
      }}
    </ByYear>
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
      rows={forecast.map((entry) => [entry.year, entry.affected, ...quantiles.map(([, name]) => entry[name])])}
    />
  );
}

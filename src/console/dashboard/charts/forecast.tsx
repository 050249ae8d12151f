/** The capability by year with its quantiles, and the years in which sectors are disrupted. */
import { useId, useMemo } from 'preact/hooks';
import uPlot from 'uplot';
import { DataTable } from '../../kit/charts/table.js';
import { LazyDetails } from '../../kit/controls/lazy-details.js';
import type { ForecastEntry, Results } from '../api/shapes.js';
import { disruptionsOf, type Disruption } from '../pure/results.js';
import { useWords } from '../text/words.js';
import { axisOf, font, Plot, yearAxis, type Ink, type Settings } from './plot.js';
import { YearSlider } from './year-slider.js';

const heightOf = (width: number): number => Math.round(Math.max(250, Math.min(380, width * 0.42)));
const mark_pixels = 26;
/** Of the picture's height, the most that a bar takes. */
const bars_share = 0.3;

interface ChartProps {
  readonly results: Results;
  /** The year that is pointed at, as its place in the forecast. */
  readonly at: number;
  readonly point: (at: number) => void;
}

const banded = (forecast: readonly ForecastEntry[]): boolean => forecast[0]?.p50 !== undefined;

export function ForecastChart({ results, at, point }: ChartProps) {
  const { k, t, f, language } = useWords();
  const id = useId();
  const { forecast, sectors } = results;
  const bands = banded(forecast);
  const years = useMemo(() => forecast.map(({ year }) => year), [forecast]);
  const data = useMemo(() => dataOf(forecast), [forecast]);
  const marks = useMemo(() => disruptionsOf(forecast), [forecast]);
  const percent = (value: number | undefined): string => f.percent(value ?? 0);
  const last = forecast.at(-1);
  return (
    <figure class="chart" aria-labelledby={id}>
      <figcaption>
        <h3 id={id}>{t.forecast.title}</h3>
      </figcaption>
      <Plot
        alt={t.forecast.alt(
          f.number(forecast.length),
          percent(forecast[0]?.capability),
          percent(last?.capability),
          f.number(last?.affected ?? 0),
          f.number(sectors.length),
        )}
        height={heightOf}
        settings={(ink) => settingsOf(ink, bands, marks, f.percent, f.number, t.forecast.year)}
        settingsKey={`${language} ${results.id}`}
        data={data}
        at={at}
        point={point}
      />
      <Legend bands={bands} marks={marks.length > 0} />
      <YearSlider years={years} at={at} point={point} reading={useReading(forecast[at], sectors.length)} />
      <LazyDetails title={k.showTable}>{() => <ForecastTable forecast={forecast} />}</LazyDetails>
    </figure>
  );
}

function useReading(entry: ForecastEntry | undefined, count: number): string {
  const { t, f } = useWords();
  if (entry === undefined) return '';
  const { year, capability, affected, p05, p95 } = entry;
  const text = t.forecast.reading(String(year), f.percent(capability), f.number(affected), f.number(count));
  return p05 === undefined || p95 === undefined ? text : text + t.forecast.readingBand(f.percent(p05), f.percent(p95));
}

function dataOf(forecast: readonly ForecastEntry[]): uPlot.AlignedData {
  const of = (name: 'p05' | 'p25' | 'p75' | 'p95'): (number | null)[] => forecast.map((entry) => entry[name] ?? null);
  return [
    forecast.map(({ year }) => year),
    of('p95'),
    of('p75'),
    of('p25'),
    of('p05'),
    forecast.map(({ capability }) => capability),
  ];
}

function settingsOf(
  ink: Ink,
  bands: boolean,
  marks: readonly Disruption[],
  percent: (value: number) => string,
  number: (value: number) => string,
  year: string,
): Settings {
  const edge: uPlot.Series = { show: bands, width: 0, points: { show: false } };
  return {
    padding: [20, 12, 0, 0],
    scales: { x: { time: false, range: rangeOfYears }, y: { range: [0, 1] } },
    series: [
      {},
      edge,
      edge,
      edge,
      edge,
      { stroke: ink.accent, width: 2.25, points: { show: (u) => u.data[0].length < 3, size: 6 } },
    ],
    bands: bands
      ? [
          { series: [1, 4], fill: `${ink.band}26` },
          { series: [2, 3], fill: `${ink.band}40` },
        ]
      : [],
    axes: [yearAxis(ink, number, year), axisOf(ink, percent, { size: 54 })],
    cursor: { points: { size: 8, show: (u, i) => pointElement(u, i) } },
    hooks: { drawAxes: [(u) => drawMarks(u, marks, ink)] },
  };
}

/** A single year stands in the middle. */
export const rangeOfYears = (_: uPlot, least: number, most: number): uPlot.Range.MinMax =>
  least === most ? [least - 0.5, most + 0.5] : [least, most];

/** Only the line has a point under the pointer, not the edges of bands. */
function pointElement(u: uPlot, series: number): HTMLElement {
  const point = document.createElement('div');
  if (series < u.series.length - 1) point.hidden = true;
  return point;
}

/** The years that disrupt sectors: dashed lines with numbers where there is room for them, else bars as high as the numbers. */
function drawMarks(u: uPlot, marks: readonly Disruption[], ink: Ink): void {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.strokeStyle = ink.bad;
  ctx.fillStyle = ink.bad;
  if (marks.length * mark_pixels * uPlot.pxRatio <= bbox.width) drawLines(u, marks);
  else drawBars(u, marks);
  ctx.restore();
}

function drawLines(u: uPlot, marks: readonly Disruption[]): void {
  const { ctx, bbox } = u;
  const ratio = uPlot.pxRatio;
  ctx.lineWidth = 1.5 * ratio;
  ctx.setLineDash([4 * ratio, 4 * ratio]);
  ctx.font = font.replace('12px', `${12 * ratio}px`);
  ctx.textAlign = 'center';
  let free = -Infinity;
  for (const { year, count } of marks) {
    const x = Math.round(u.valToPos(year, 'x', true));
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    if (x < free) continue;
    ctx.fillText(`+${count}`, x, bbox.top - 6 * ratio);
    free = x + mark_pixels * ratio;
  }
}

function drawBars(u: uPlot, marks: readonly Disruption[]): void {
  const { ctx, bbox, data } = u;
  const most = Math.max(...marks.map(({ count }) => count));
  const width = Math.max(1, (bbox.width / data[0].length) * 0.6);
  const bottom = bbox.top + bbox.height;
  ctx.globalAlpha = 0.75;
  for (const { year, count } of marks) {
    const height = (count / most) * bbox.height * bars_share;
    ctx.fillRect(u.valToPos(year, 'x', true) - width / 2, bottom - height, width, height);
  }
}

function Legend({ bands, marks }: { readonly bands: boolean; readonly marks: boolean }) {
  const { t } = useWords();
  return (
    <p class="legend">
      <span class="key key-ahead">{t.forecast.capability}</span>
      {bands && <span class="key key-band key-band-1">{t.forecast.band50}</span>}
      {bands && <span class="key key-band">{t.forecast.band90}</span>}
      {marks && <span class="key key-limit">{t.forecast.mark}</span>}
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
        String(entry.year),
        f.number(entry.capability),
        ...shown.map((name) => f.number(entry[name] ?? 0)),
        f.number(entry.affected),
        f.number(entry.affected - (forecast[i - 1]?.affected ?? 0)),
      ])}
    />
  );
}

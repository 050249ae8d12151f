/** The mean of several runs between the lowest and the highest, and how many runs reach each year. */
import type { Frame } from '../../kit/charts/axes.js';
import { Figure } from '../../kit/charts/figure.js';
import { Plane } from '../../kit/charts/plane.js';
import { area, path, spanOf, widened, type Span } from '../../kit/charts/scale.js';
import { DataTable } from '../../kit/charts/table.js';
import type { Insight } from '../../../codec/api-simulation.js';
import { useWords } from '../text/words.js';

const frame: Frame = { top: 14, right: 14, bottom: 46, left: 62 };
const heightOf = (width: number): number => Math.round(Math.max(240, Math.min(380, width * 0.45)));
const counts_height = 150;

type Entries = Insight['forecast'];

interface EntriesProps {
  readonly entries: Entries;
}

const spanOfYears = (entries: Entries): Span => [entries[0]?.year ?? 1, entries.at(-1)?.year ?? 1];
/** Each year has the same width in both charts, so that they line up. */
const roomOfYears = ([first, last]: Span): Span => [first - 0.5, last + 0.5];

export function Band({ entries }: EntriesProps) {
  const { t, f } = useWords();
  return (
    <Figure
      title={t.insight.chart}
      alt={t.insight.chartAlt(
        f.number(entries.length),
        f.number(entries[0]?.capability ?? 0),
        f.number(entries.at(-1)?.capability ?? 0),
      )}
      height={heightOf}
      legend={
        <p class="legend">
          <span class="key key-ahead">{t.insight.mean}</span>
          <span class="key key-band key-band-1">{t.insight.band}</span>
        </p>
      }
      table={() => (
        <DataTable
          label={t.insight.chart}
          head={[t.insight.year, t.insight.mean, t.insight.least, t.insight.highest, t.insight.runs]}
          texts={[]}
          rows={entries.map(({ year, capability, min, max, runs }) => [year, capability, min, max, runs].map(f.number))}
        />
      )}
    >
      {(width) => <Picture entries={entries} width={width} height={heightOf(width)} />}
    </Figure>
  );
}

interface PictureProps extends EntriesProps {
  readonly width: number;
  readonly height: number;
}

function Picture({ entries, width, height }: PictureProps) {
  const { t } = useWords();
  const years = spanOfYears(entries);
  const [only] = entries;
  return (
    <Plane
      frame={frame}
      width={width}
      height={height}
      x={{ span: roomOfYears(years), labelled: years, whole: true, label: t.insight.year }}
      y={{ span: widened([0, Math.max(...entries.map(({ max }) => max), 0)], 0.04) }}
    >
      {({ x, y }) => {
        const line = (value: (entry: Entries[number]) => number) =>
          entries.map((entry) => [x(entry.year), y(value(entry))] as const);
        if (entries.length > 1)
          return (
            <>
              <path
                class="band insight-band"
                d={area(
                  line(({ max }) => max),
                  line(({ min }) => min),
                )}
              />
              <path class="series series-ahead" d={path(line(({ capability }) => capability))} />
            </>
          );
        return (
          only !== undefined && (
            <g class="insight-only">
              <line x1={x(only.year)} x2={x(only.year)} y1={y(only.min)} y2={y(only.max)} />
              <circle cx={x(only.year)} cy={y(only.capability)} r="4" />
            </g>
          )
        );
      }}
    </Plane>
  );
}

export function RunCounts({ entries }: EntriesProps) {
  const { t, f } = useWords();
  const [, most] = spanOf(entries.map(({ runs }) => runs));
  return (
    <Figure
      title={t.insight.runsChart}
      alt={t.insight.runsAlt(f.number(most), f.number(entries.at(-1)?.runs ?? 0))}
      height={() => counts_height}
      table={() => (
        <DataTable
          label={t.insight.runsChart}
          head={[t.insight.year, t.insight.runs]}
          texts={[]}
          rows={entries.map(({ year, runs }) => [year, runs].map(f.number))}
        />
      )}
    >
      {(width) => <Steps entries={entries} most={most} width={width} />}
    </Figure>
  );
}

function Steps({ entries, most, width }: EntriesProps & { readonly most: number; readonly width: number }) {
  const { t } = useWords();
  const years = spanOfYears(entries);
  return (
    <Plane
      frame={frame}
      width={width}
      height={counts_height}
      x={{ span: roomOfYears(years), labelled: years, whole: true, label: t.insight.year }}
      y={{ span: [0, Math.max(1, most)], whole: true }}
    >
      {({ x, y }) =>
        entries.map(({ year, runs }) => {
          const left = x(year - 0.5);
          const room = x(year + 0.5) - left;
          const gap = room > 4 ? 1 : 0;
          return (
            <rect
              class="count-bar"
              key={year}
              x={left + gap / 2}
              width={room - gap}
              y={y(runs)}
              height={Math.max(0, y(0) - y(runs))}
            />
          );
        })
      }
    </Plane>
  );
}

/** The mean of several runs between the lowest and the highest, over each run by itself, and how many runs reach each year. */
import { useMemo, useState } from 'preact/hooks';
import { Figure } from '../../kit/charts/figure.js';
import { Plane } from '../../kit/charts/plane.js';
import { Reader } from '../../kit/charts/reader.js';
import { spanOf } from '../../kit/charts/scale.js';
import { DataTable } from '../../kit/charts/table.js';
import { Figures } from '../../kit/controls/figures.js';
import type { Insight, InsightCurve } from '../../../codec/api-simulation.js';
import { segmentsOf, type Segment } from '../pure/segments.js';
import { useWords } from '../text/words.js';
import { BandPicture, frame, roomOfYears } from './band-picture.js';

const heightOf = (width: number): number => Math.round(Math.max(270, Math.min(410, width * 0.45)));
const counts_height = 164;

type Entries = Insight['forecast'];

interface EntriesProps {
  readonly entries: Entries;
}

interface BandProps extends EntriesProps {
  readonly curves: readonly InsightCurve[];
}

/** What holds for the years that all runs share, and what does not hold after them. */
export function Shared({ entries, curves }: BandProps) {
  const { t, f } = useWords();
  const [shared, ...fewer] = segmentsOf(entries);
  const last = shared?.entries.at(-1);
  if (shared === undefined || last === undefined) return null;
  const [runs, year] = [f.number(shared.runs), String(last.year)];
  return (
    <>
      <Figures
        figures={[
          [t.insight.sharedMean(year), f.percent(last.capability), t.insight.range(f.percent(last.min), f.percent(last.max))],
          [t.insight.runs, runs, t.insight.sharedYears(year)],
        ]}
      />
      {fewer.length > 0 && <p class="notice">{t.insight.fewerText(runs, year)}</p>}
      {curves.length > 0 && curves.length < shared.runs && <p class="help">{t.insight.drawn(f.number(curves.length), runs)}</p>}
    </>
  );
}

export function Band({ entries, curves }: BandProps) {
  const { t, f } = useWords();
  const segments = useMemo(() => segmentsOf(entries), [entries]);
  const shared = segments[0]?.entries.length ?? 1;
  const [wanted, point] = useState(shared - 1);
  const at = Math.min(wanted, entries.length - 1);
  const percent = (value: number | undefined): string => f.percent(value ?? 0);
  const pointed = entries[at];
  return (
    <Figure
      title={t.insight.chart}
      alt={t.insight.chartAlt(
        f.number(segments[0]?.runs ?? 0),
        f.number(shared),
        percent(entries[0]?.capability),
        percent(entries[shared - 1]?.capability),
        f.number(entries.length),
      )}
      height={heightOf}
      reader={() =>
        pointed !== undefined && (
          <Reader
            label={t.insight.year}
            count={entries.length}
            at={at}
            choose={point}
            reading={t.insight.reading(
              String(pointed.year),
              percent(pointed.capability),
              t.insight.left(f.number(pointed.runs), f.number(segments[0]?.runs ?? 0)),
              percent(pointed.min),
              percent(pointed.max),
            )}
          />
        )
      }
      legend={<Legend segments={segments} curves={curves} />}
      table={() => <BandTable entries={entries} />}
    >
      {(width) => (
        <BandPicture
          entries={entries}
          segments={segments}
          curves={curves}
          at={at}
          point={point}
          width={width}
          height={heightOf(width)}
        />
      )}
    </Figure>
  );
}

function BandTable({ entries }: EntriesProps) {
  const { t, f } = useWords();
  return (
    <DataTable
      label={t.insight.chart}
      head={[t.insight.year, t.insight.mean, t.insight.least, t.insight.highest, t.insight.runs]}
      texts={[]}
      rows={entries.map(({ year, capability, min, max, runs }) => [
        f.number(year),
        ...[capability, min, max].map(f.percent),
        f.number(runs),
      ])}
    />
  );
}

function Legend({ segments, curves }: { readonly segments: readonly Segment[]; readonly curves: readonly InsightCurve[] }) {
  const { t } = useWords();
  return (
    <p class="legend">
      <span class="key key-ahead">{t.insight.meanAll}</span>
      {segments.length > 1 && <span class="key key-fewer">{t.insight.meanFewer}</span>}
      <span class="key key-band key-band-1">{t.insight.band}</span>
      {curves.length > 0 && <span class="key key-run">{t.insight.single}</span>}
      {segments.length > 1 && <span class="key key-break">{t.insight.break}</span>}
    </p>
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
  return (
    <Plane
      frame={{ ...frame, top: 28 }}
      width={width}
      height={counts_height}
      x={{ ...roomOfYears(entries), whole: true, label: t.insight.year }}
      y={{ span: [0, Math.max(1, most)], whole: true, label: t.insight.runs }}
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

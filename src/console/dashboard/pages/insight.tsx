/** What all runs, or some, say together. */
import { useMemo, useState } from 'preact/hooks';
import { type Insight, insightCodec, type InsightCurve, type InsightEntry } from '../../../codec/api-simulation.js';
import { Figure } from '../../kit/charts/figure.js';
import { type Place, Plane } from '../../kit/charts/plane.js';
import { area, path, type Span, spanOf } from '../../kit/charts/scale.js';
import { ButtonLink } from '../../kit/controls/inputs.js';
import { Empty, Figures, Load, PageTitle } from '../../kit/controls/pieces.js';
import { Share } from '../../kit/controls/table-tools.js';
import { Counts, DataTable } from '../../kit/controls/tables.js';
import { useLoad } from '../../kit/load.js';
import { ByYear, Dot } from '../charts/by-year.js';
import { Caveat } from '../parts/parts.js';
import { type Segment, segmentsOf } from '../pure/results.js';
import { allRuns, hrefOf } from '../session/routes.js';
import { useFeed, useSession, useSpaced } from '../session/session.js';
import { useWords } from '../text/words.js';

export function InsightPage({ ids }: { readonly ids: readonly string[] }) {
  const { t } = useWords();
  const { api } = useSession();
  const text = JSON.stringify({ curves: true, ...(ids.length === 0 ? {} : { ids }) });
  const loaded = useLoad(text, () => api.post('/insight', insightCodec, { text }));
  const soon = useSpaced(loaded.reload);
  useFeed({ ended: (id, state) => state === 'succeeded' && (ids.length === 0 || ids.includes(id)) && soon(), again: soon });
  return (
    <>
      <PageTitle title={t.insight.title} />
      <p class="lead">{t.insight.lead}</p>
      <Scope ids={ids} />
      {loaded.problem?.document.status === 404 ? (
        <Nothing ids={ids} />
      ) : (
        <Load from={loaded} failed={t.failed.summary}>
          {({ forecast, curves = [] }) => (
            <>
              <Caveat />
              <h2 class="sr-only">{t.run.result}</h2>
              <Shared entries={forecast} curves={curves} />
              <Band entries={forecast} curves={curves} />
              <RunCounts entries={forecast} />
            </>
          )}
        </Load>
      )}
    </>
  );
}

function Scope({ ids }: { readonly ids: readonly string[] }) {
  const { t } = useWords();
  const isAll = ids.length === 0;
  const chosen = { href: hrefOf({ page: 'insight', ids }), text: t.insight.chosen(ids.length), isCurrent: true };
  return (
    <>
      <Counts
        label={t.insight.scope}
        items={[
          { href: hrefOf({ page: 'insight', ids: [] }), text: t.insight.all, isCurrent: isAll },
          ...(isAll ? [] : [chosen]),
          { href: hrefOf({ ...allRuns, state: 'succeeded' }), text: t.insight.choose, isCurrent: false },
        ]}
      />
      {!isAll && (
        <ul class="bare flow">
          {ids.map((id) => (
            <li key={id}>
              <a class="mono" href={hrefOf({ page: 'run', id })}>
                {id}
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Nothing({ ids }: { readonly ids: readonly string[] }) {
  const { t } = useWords();
  const all = ids.length === 0;
  return (
    <Empty title={all ? t.insight.empty : t.insight.nothingLeft} text={all ? t.insight.emptyText : t.insight.nothingLeftText}>
      <ButtonLink class="primary" href={hrefOf({ page: 'new' })} text={t.form.title} />
    </Empty>
  );
}

const heightOf = (width: number): number => Math.round(Math.max(270, Math.min(410, width * 0.45)));
const counts_height = 164;

type Entries = Insight['forecast'];

type EntriesProps = { readonly entries: Entries };

type BandProps = EntriesProps & { readonly curves: readonly InsightCurve[] };

/** What holds for the years that all runs share, and what does not hold after them. */
function Shared({ entries, curves }: BandProps) {
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
          [t.runs.title, runs, t.insight.sharedYears(year)],
        ]}
      />
      {fewer.length > 0 && <p class="notice">{t.insight.fewerText(runs, year)}</p>}
      {curves.length > 0 && curves.length < shared.runs && <p class="help">{t.insight.drawn(f.number(curves.length), runs)}</p>}
    </>
  );
}

/** The mean of several runs, which breaks where their number changes, between the lowest and the highest, over each run, drawn faintly. */
function Band({ entries, curves }: BandProps) {
  const { t, f } = useWords();
  const segments = useMemo(() => segmentsOf(entries), [entries]);
  const shared = segments[0]?.entries.length ?? 1;
  const [wanted, point] = useState(shared - 1);
  const at = Math.min(wanted, entries.length - 1);
  const percent = (value: number | undefined): string => f.percent(value ?? 0);
  const pointed = entries[at];
  const readingOf = ({ year, capability, runs, min, max }: InsightEntry): string => {
    const left = t.insight.left(f.number(runs), f.number(segments[0]?.runs ?? 0));
    return t.insight.reading(String(year), percent(capability), left, percent(min), percent(max));
  };
  return (
    <ByYear
      title={t.insight.chart}
      alt={t.insight.chartAlt(
        f.number(segments[0]?.runs ?? 0),
        f.number(shared),
        percent(entries[0]?.capability),
        percent(entries[shared - 1]?.capability),
        f.number(entries.length),
      )}
      height={heightOf}
      frame={frame}
      years={entries.map(({ year }) => year)}
      span={roomOfYears(entries)}
      y={{ span: [0, 1], print: f.percent, label: t.forecast.capability }}
      at={at}
      point={point}
      {...(pointed === undefined ? {} : { reading: readingOf(pointed) })}
      mark={({ x, y }) => pointed && <Dot x={x(pointed.year)} y={y(pointed.capability)} />}
      legend={<Legend segments={segments} curves={curves} />}
      table={() => <BandTable entries={entries} />}
    >
      {(place, { width }) => (
        <>
          {segments.map((segment) => (
            <Range key={segment.runs} segment={segment} place={place} />
          ))}
          {curves.map(({ id, capability }) => (
            <path
              class="series faint insight-run"
              key={id}
              d={path(capability.map((value, i) => [place.x(i + 1), place.y(value)] as const))}
            />
          ))}
          {segments.map((segment, i) => (
            <Mean key={segment.runs} segment={segment} place={place} shared={i === 0} />
          ))}
          <Breaks segments={segments} place={place} width={width} />
        </>
      )}
    </ByYear>
  );
}

function BandTable({ entries }: EntriesProps) {
  const { t } = useWords();
  return (
    <DataTable
      label={t.insight.chart}
      head={[t.forecast.year, t.insight.mean, t.insight.least, t.insight.highest, t.runs.title]}
      texts={[]}
      rows={entries.map(({ year, capability, min, max, runs }) => [
        year,
        ...[capability, min, max].map((value) => <Share value={value} />),
        runs,
      ])}
    />
  );
}

function Legend({ segments, curves }: { readonly segments: readonly Segment[]; readonly curves: readonly InsightCurve[] }) {
  const { t } = useWords();
  return (
    <p class="legend">
      <span class="key key-line tone-accent">{t.insight.meanAll}</span>
      {segments.length > 1 && <span class="key key-line key-dash tone-accent">{t.insight.meanFewer}</span>}
      <span class="key key-band">{t.insight.band}</span>
      {curves.length > 0 && <span class="key key-line">{t.insight.single}</span>}
      {segments.length > 1 && <span class="key key-line key-dash tone-warn">{t.insight.break}</span>}
    </p>
  );
}

function RunCounts({ entries }: EntriesProps) {
  const { t, f } = useWords();
  const [, most] = spanOf(entries.map(({ runs }) => runs));
  const span = roomOfYears(entries);
  return (
    <Figure
      title={t.insight.runsChart}
      alt={t.insight.runsAlt(f.number(most), f.number(entries.at(-1)?.runs ?? 0))}
      height={() => counts_height}
      table={() => (
        <DataTable
          label={t.insight.runsChart}
          head={[t.forecast.year, t.runs.title]}
          texts={[]}
          rows={entries.map(({ year, runs }) => [year, runs])}
        />
      )}
    >
      {(room) => (
        <Plane
          {...room}
          frame={{ ...frame, top: 28 }}
          x={{ span, labelled: [span[0] + 0.5, span[1] - 0.5], whole: true, label: t.forecast.year }}
          y={{ span: [0, Math.max(1, most)], whole: true, label: t.runs.title }}
        >
          {({ x, y }) =>
            entries.map(({ year, runs }) => {
              const left = x(year - 0.5);
              const width = x(year + 0.5) - left;
              const gap = width > 4 ? 1 : 0;
              return (
                <rect
                  class="bars"
                  key={year}
                  x={left + gap / 2}
                  width={width - gap}
                  y={y(runs)}
                  height={Math.max(0, y(0) - y(runs))}
                />
              );
            })
          }
        </Plane>
      )}
    </Figure>
  );
}

const frame = { top: 46, right: 14, bottom: 46, left: 62 };
/** The room of a text beside a break, in French too. */
const break_pixels = 132;

/** Each year has the same width in both charts of an insight, so that they line up. */
const roomOfYears = (entries: Entries): Span => [(entries[0]?.year ?? 1) - 0.5, (entries.at(-1)?.year ?? 1) + 0.5];

interface SegmentProps {
  readonly segment: Segment;
  readonly place: Place;
  /** Whether all runs reach these years. */
  readonly shared: boolean;
}

const lineOf = ({ entries }: Segment, { x, y }: Place, value: (entry: InsightEntry) => number) =>
  entries.map((entry) => [x(entry.year), y(value(entry))] as const);

function Range({ segment, place }: Omit<SegmentProps, 'shared'>) {
  const upper = lineOf(segment, place, ({ max }) => max);
  const lower = lineOf(segment, place, ({ min }) => min);
  if (segment.entries.length > 1) return <path class="band" d={area(upper, lower)} />;
  const [[x, top] = [0, 0]] = upper;
  const [[, bottom] = [0, 0]] = lower;
  return <rect class="band" x={x - 3} y={top} width={6} height={Math.max(0, bottom - top)} />;
}

function Mean({ segment, place, shared }: SegmentProps) {
  const line = lineOf(segment, place, ({ capability }) => capability);
  const [first] = line;
  if (line.length === 1 && first !== undefined)
    return <circle class={shared ? 'dot' : 'hollow tone-accent'} cx={first[0]} cy={first[1]} r="4" />;
  return <path class={shared ? 'series series-ahead' : 'dash tone-accent insight-fewer'} d={path(line)} />;
}

type BreaksProps = { readonly segments: readonly Segment[]; readonly place: Place; readonly width: number };

/** A line between two years that other numbers of runs reach, and how many are left, where there is room to say so. */
function Breaks({ segments, place: { x, y }, width }: BreaksProps) {
  const { t, f } = useWords();
  const all = segments[0]?.runs ?? 0;
  let free = -Infinity;
  return (
    <>
      {segments.slice(1).map(({ runs, entries }) => {
        const at = x((entries[0]?.year ?? 1) - 0.5);
        const isLast = at + break_pixels > width;
        const isNamed = (isLast ? at - break_pixels : at) >= free;
        if (isNamed) free = at + (isLast ? 0 : break_pixels);
        return (
          <g class="insight-break tone-warn" key={runs}>
            <line class="dash" x1={at} x2={at} y1={y(1) - 14} y2={y(0)} />
            {isNamed && (
              <text x={at + (isLast ? -5 : 5)} y={y(1) - 6} text-anchor={isLast ? 'end' : 'start'}>
                {t.insight.left(f.number(runs), f.number(all))}
              </text>
            )}
          </g>
        );
      })}
    </>
  );
}

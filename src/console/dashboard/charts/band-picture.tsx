/** The runs of an insight, drawn faintly, and their mean, which breaks where the number of runs changes. */
import type { Frame } from '../../kit/charts/axes.js';
import { Plane, type Place } from '../../kit/charts/plane.js';
import { Pointer } from '../../kit/charts/pointer.js';
import { area, path, type Span } from '../../kit/charts/scale.js';
import type { Insight, InsightCurve, InsightEntry } from '../../../codec/api-simulation.js';
import type { Segment } from '../pure/segments.js';
import { useWords } from '../text/words.js';

export const frame: Frame = { top: 46, right: 14, bottom: 46, left: 62 };
/** The room of a text beside a break. */
const break_pixels = 92;

type Entries = Insight['forecast'];

/** Each year has the same width in both charts of an insight, so that they line up. */
export const roomOfYears = (entries: Entries): { readonly span: Span; readonly labelled: Span } => {
  const labelled: Span = [entries[0]?.year ?? 1, entries.at(-1)?.year ?? 1];
  return { span: [labelled[0] - 0.5, labelled[1] + 0.5], labelled };
};

interface PictureProps {
  readonly entries: Entries;
  readonly segments: readonly Segment[];
  readonly curves: readonly InsightCurve[];
  readonly at: number;
  readonly point: (at: number) => void;
  readonly width: number;
  readonly height: number;
}

export function BandPicture({ entries, segments, curves, at, point, width, height }: PictureProps) {
  const { t, f } = useWords();
  const room = { frame, width, height };
  const pointed = entries[at];
  return (
    <Plane
      {...room}
      x={{ ...roomOfYears(entries), whole: true, label: t.insight.year }}
      y={{ span: [0, 1], print: f.percent, label: t.forecast.capability }}
    >
      {(place) => {
        const { x, y } = place;
        return (
          <>
            {segments.map((segment, i) => (
              <Range key={segment.runs} segment={segment} place={place} shared={i === 0} />
            ))}
            {curves.map(({ id, capability }) => (
              <path class="insight-run" key={id} d={path(capability.map((value, i) => [x(i + 1), y(value)] as const))} />
            ))}
            {segments.map((segment, i) => (
              <Mean key={segment.runs} segment={segment} place={place} shared={i === 0} />
            ))}
            <Breaks segments={segments} place={place} width={width} />
            <Pointer {...room} places={entries.map(({ year }) => x(year))} at={at} point={point}>
              {pointed !== undefined && <circle class="series-dot" cx={x(pointed.year)} cy={y(pointed.capability)} r="4" />}
            </Pointer>
          </>
        );
      }}
    </Plane>
  );
}

interface SegmentProps {
  readonly segment: Segment;
  readonly place: Place;
  /** Whether all runs reach these years. */
  readonly shared: boolean;
}

const lineOf = ({ entries }: Segment, { x, y }: Place, value: (entry: InsightEntry) => number) =>
  entries.map((entry) => [x(entry.year), y(value(entry))] as const);

function Range({ segment, place, shared }: SegmentProps) {
  const upper = lineOf(segment, place, ({ max }) => max);
  const lower = lineOf(segment, place, ({ min }) => min);
  const name = shared ? 'band insight-band' : 'band insight-band-fewer';
  if (segment.entries.length > 1) return <path class={name} d={area(upper, lower)} />;
  const [[x, top] = [0, 0]] = upper;
  const [[, bottom] = [0, 0]] = lower;
  return <rect class={name} x={x - 3} y={top} width={6} height={Math.max(0, bottom - top)} />;
}

function Mean({ segment, place, shared }: SegmentProps) {
  const line = lineOf(segment, place, ({ capability }) => capability);
  const [first] = line;
  if (line.length === 1 && first !== undefined)
    return <circle class={shared ? 'insight-dot' : 'insight-dot insight-dot-fewer'} cx={first[0]} cy={first[1]} r="4" />;
  return <path class={shared ? 'series series-ahead' : 'series insight-fewer'} d={path(line)} />;
}

/** A line between two years that other numbers of runs reach, and how many are left, where there is room to say so. */
function Breaks({
  segments,
  place: { x, y },
  width,
}: {
  readonly segments: readonly Segment[];
  readonly place: Place;
  readonly width: number;
}) {
  const { t, f } = useWords();
  const all = segments[0]?.runs ?? 0;
  let free = -Infinity;
  return (
    <>
      {segments.slice(1).map(({ runs, entries }) => {
        const at = x((entries[0]?.year ?? 1) - 0.5);
        const isNamed = at >= free;
        if (isNamed) free = at + break_pixels;
        const isLast = at + break_pixels > width;
        return (
          <g class="insight-break" key={runs}>
            <line x1={at} x2={at} y1={y(1) - 14} y2={y(0)} />
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

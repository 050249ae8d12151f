/** Operations on machines over time: a lane a machine, a colour and a number a job, and a cursor on one operation. */
import { useMemo, useState } from 'preact/hooks';
import { Figure } from '../../../kit/charts/figure.js';
import { type Frame, type Room, XAxis } from '../../../kit/charts/plane.js';
import { linear, type Scale, ticks } from '../../../kit/charts/scale.js';
import { DataTable, type DatedCell } from '../../../kit/controls/tables.js';
import { useText, useWordsOf } from '../../../kit/text/context.js';
import { acrossLanes } from './model.js';
import type { Clock, Opening } from '../../../../kinds/schedule/clock.js';
import type { JobView, MachineView, Operation } from '../../../../kinds/schedule/view.js';
import { words } from './words.js';

const frame: Frame = { top: 42, right: 14, bottom: 46, left: 4 };
const lane = { name: 18, bar: 26, gap: 8 };
const lane_height = lane.name + lane.bar + lane.gap;
/** A bar narrower than this holds no number. */
const number_pixels = 16;
const name_char_pixels = 7.8;
const seam_pixels_min = 9;

interface GanttProps {
  readonly jobs: readonly JobView[];
  readonly machines: readonly MachineView[];
  readonly makespan: number;
  /** A bound on the makespan that it does not reach; null without one. */
  readonly bound: number | null;
  readonly unit: string;
  /** Null for a schedule without a start. */
  readonly clock: Clock | null;
}

/** Returns a function that writes a time, as its clock time where it has one. */
export function useTimes(): (time: number, at: string | null | undefined) => string {
  const { f } = useText();
  return (time, at) => (typeof at === 'string' ? f.date(at) : f.number(time));
}

/** Returns a function that gives a time as a cell of a table. */
export function useTimeCells(): (time: number, at: string | null | undefined) => number | DatedCell {
  const { f } = useText();
  return (time, at) => (typeof at === 'string' ? { date: at, text: f.date(at) } : time);
}

export function Gantt({ jobs, machines, makespan, bound, unit, clock }: GanttProps) {
  const { t, f } = useWordsOf(words);
  const [picked, setPicked] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const operations = machines.flatMap((each) => each.operations);
  const pointed = operations[at];
  const reading = useReading({ jobs, machines, unit });
  const openings = useMemo(() => clock?.openings(makespan) ?? [], [clock, makespan]);
  const height = frame.top + machines.length * lane_height + frame.bottom;
  return (
    <Figure
      title={t.result.chart}
      alt={t.result.chartAlt(f.number(machines.length), f.number(jobs.length), f.number(makespan))}
      height={() => height}
      reader={() =>
        pointed === undefined
          ? null
          : {
              label: t.result.operationLabel,
              count: operations.length,
              at,
              choose: setAt,
              reading: reading(pointed),
              across: (from, way) => acrossLanes(machines, from, way),
            }
      }
      legend={<Legend jobs={jobs} picked={picked} pick={setPicked} hasClosed={isInterrupted(openings)} />}
      table={() => <Operations machines={machines} jobs={jobs} />}
    >
      {(room) => (
        <GanttPicture
          {...{ jobs, machines, makespan, bound, unit, clock, openings, picked, pointed, ...room }}
          pick={setPicked}
          point={(operation) => setAt(operations.indexOf(operation))}
        />
      )}
    </Figure>
  );
}

interface PictureProps extends GanttProps, Room, Pick<LaneProps, 'picked' | 'pick' | 'point'> {
  readonly openings: readonly Opening[];
  /** The operation under the cursor. */
  readonly pointed: Operation | undefined;
}

function GanttPicture(props: PictureProps) {
  const { jobs, machines, makespan, bound, unit, openings, pointed, width, height } = props;
  const { t } = useWordsOf(words);
  const axis = useClockAxis(props);
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const x = linear([0, Math.max(makespan, bound ?? 0, 1)], [frame.left, width - frame.right]);
  return (
    <>
      <text class="axis-name" x={0} y={12}>
        {t.result.lanes}
      </text>
      <XAxis {...{ frame, width, height }} scale={x} span={[0, makespan]} label={t.result.time(unit)} {...axis(width)} />
      {machines.map((each, row) => (
        <Lane {...props} key={each.id} machine={each} row={row} x={x} jobs={byId} />
      ))}
      <Closed openings={openings} x={x} height={height} width={width} />
      {pointed !== undefined && (
        <rect
          class="ring operation-cursor"
          data-screen-only
          x={x(pointed.start)}
          y={frame.top + machines.findIndex(({ id }) => id === pointed.machine) * lane_height + lane.name - 1}
          width={Math.max(2, x(pointed.end) - x(pointed.start))}
          height={lane.bar + 2}
          rx="3"
        />
      )}
      {bound !== null && <Edge x={x(bound)} height={height} name={t.result.lowerBound} kind="bound" />}
      <Edge x={x(makespan)} height={height} name="" kind="makespan" />
    </>
  );
}

const isInterrupted = (openings: readonly Opening[]): boolean => openings.some(({ closed }) => closed !== null);

/** The room of a date at the axis. */
const date_pixels = 100;

/** Returns what the axis shows in place of numbers: the days, or clock times of a schedule of a few days; nothing without a clock. */
function useClockAxis({ clock, openings, makespan, unit }: Pick<PictureProps, 'clock' | 'openings' | 'makespan' | 'unit'>) {
  const { t, f } = useWordsOf(words);
  const days = openings.filter(({ isDay }) => isDay);
  const hour = unit.startsWith('minute') ? 60 : 1;
  const isClosed = isInterrupted(openings);
  return (width: number) => {
    if (clock === null) return {};
    const wanted = Math.max(1, Math.min(makespan, (width - frame.left - frame.right) / date_pixels));
    const times = ticks([0, makespan / hour], wanted).map((time) => time * hour);
    if (days.length < times.length)
      return { marked: times, print: (time: number) => f.datePart(clock.startAt(time), 'hour'), label: t.result.clock(isClosed) };
    const marked: number[] = [];
    for (const { at } of days) if (marked.length === 0 || at - (marked.at(-1) ?? 0) >= makespan / wanted) marked.push(at);
    return { marked, print: (time: number) => f.datePart(clock.startAt(time), 'weekday'), label: t.result.date(isClosed) };
  };
}

interface ClosedProps {
  readonly openings: readonly Opening[];
  readonly x: Scale;
  readonly width: number;
  readonly height: number;
}

/** A seam where work pauses: wide for nights and closed days, narrow for breaks, which are left out where the seams would lie too close. */
function Closed({ openings, x, width, height }: ClosedProps) {
  const { t, f } = useWordsOf(words);
  const all = openings.filter(({ closed }) => closed !== null);
  const days = all.filter(({ isDay }) => isDay);
  const shown = [all, days].find(({ length }) => length * seam_pixels_min < width) ?? [];
  return (
    <>
      {shown.map(({ at, closed, open, isDay }) => (
        <g class={isDay ? 'closed closed-day' : 'closed'} key={at}>
          <title>{t.result.closedFrom(f.date(closed ?? ''), f.date(open))}</title>
          <line class="dash" x1={x(at)} x2={x(at)} y1={frame.top} y2={height - frame.bottom} />
        </g>
      ))}
    </>
  );
}

/** Returns a function that says an operation in words. */
function useReading({ jobs, machines, unit }: Pick<GanttProps, 'jobs' | 'machines' | 'unit'>): (operation: Operation) => string {
  const { t } = useWordsOf(words);
  const time = useTimes();
  const nameIn = (things: readonly (JobView | MachineView)[], id: string): string =>
    things.find((each) => each.id === id)?.name ?? id;
  return ({ job, machine, start, end, start_at, end_at }) =>
    t.result.reading(
      nameIn(jobs, job),
      nameIn(machines, machine),
      time(start, start_at),
      start_at === undefined ? `${time(end, end_at)} ${unit}` : time(end, end_at),
    );
}

type OperationsProps = Pick<GanttProps, 'machines' | 'jobs'>;

function Operations({ machines, jobs }: OperationsProps) {
  const { t } = useWordsOf(words);
  const names = new Map(jobs.map(({ id, name }) => [id, name]));
  const cell = useTimeCells();
  const { machine, job, start, end } = t.result;
  return (
    <DataTable
      label={t.result.operations}
      head={[machine, job, start, end]}
      texts={[0, 1]}
      rows={machines.flatMap((each) =>
        each.operations.map((operation) => [
          each.name,
          names.get(operation.job) ?? operation.job,
          cell(operation.start, operation.start_at),
          cell(operation.end, operation.end_at),
        ]),
      )}
    />
  );
}

interface LaneProps {
  readonly machine: MachineView;
  readonly row: number;
  readonly x: Scale;
  readonly jobs: ReadonlyMap<string, JobView>;
  readonly picked: string | null;
  readonly pick: (job: string | null) => void;
  readonly point: (operation: Operation) => void;
}

function Lane({ machine, row, x, jobs, picked, pick, point }: LaneProps) {
  const { f } = useWordsOf(words);
  const top = frame.top + row * lane_height;
  const end = x(machine.operations.reduce((most, operation) => Math.max(most, operation.end), 0));
  return (
    <g>
      <text class="lane-name" x={frame.left} y={top + 13}>
        {machine.name} <tspan>{f.percent(machine.busy)}</tspan>
      </text>
      <rect class="lane-room" x={frame.left} y={top + lane.name} width={Math.max(0, end - frame.left)} height={lane.bar} />
      {machine.operations.map((operation) => (
        <Bar
          key={`${operation.job} ${operation.start}`}
          operation={operation}
          job={jobs.get(operation.job)}
          x={x}
          y={top + lane.name}
          dimmed={picked !== null && picked !== operation.job}
          pick={pick}
          point={() => point(operation)}
        />
      ))}
    </g>
  );
}

interface BarProps {
  readonly operation: Operation;
  readonly job: JobView | undefined;
  readonly x: Scale;
  readonly y: number;
  readonly dimmed: boolean;
  readonly pick: (job: string | null) => void;
  readonly point: () => void;
}

function Bar({ operation, job, x, y, dimmed, pick, point }: BarProps) {
  const { start, end } = operation;
  const left = x(start);
  const width = Math.max(1, x(end) - left);
  const index = job?.index ?? 0;
  const whole = job?.name ?? operation.job;
  const name = whole.length * name_char_pixels + 8 <= width ? whole : String(index + 1);
  return (
    <g
      class={dimmed ? 'operation dimmed' : 'operation'}
      style={jobTone(index)}
      onMouseEnter={() => (point(), pick(operation.job))}
      onMouseLeave={() => pick(null)}
    >
      <rect x={left + 0.5} y={y + 0.5} width={Math.max(1, width - 1)} height={lane.bar - 1} rx="3" />
      {width >= number_pixels && (
        <text x={left + width / 2} y={y + lane.bar / 2} dy="0.34em" text-anchor="middle">
          {name}
        </text>
      )}
    </g>
  );
}

interface EdgeProps {
  readonly x: number;
  readonly height: number;
  readonly name: string;
  readonly kind: 'bound' | 'makespan';
}

const Edge = ({ x, height, name, kind }: EdgeProps) => (
  <g>
    <line class={kind === 'bound' ? 'dash' : 'series tone-accent'} x1={x} x2={x} y1={frame.top - 6} y2={height - frame.bottom} />
    <text x={x - 4} y={frame.top - 9} text-anchor="end">
      {name}
    </text>
  </g>
);

/** The colour of a job: that of a line, so pale that a name can be read on it. */
export const jobTone = (index: number) => ({ '--job': `color-mix(in srgb, var(--l${index % 8}) 32%, var(--surface))` });

interface LegendProps {
  readonly jobs: readonly JobView[];
  readonly hasClosed: boolean;
  readonly picked: string | null;
  readonly pick: (job: string | null) => void;
}

/** Each job with its number; hovering, focusing or pressing one highlights it. */
function Legend({ jobs, picked, pick, hasClosed }: LegendProps) {
  const { t } = useWordsOf(words);
  return (
    <>
      {hasClosed && (
        <p class="legend">
          <span class="key key-line key-dash">{t.result.closed}</span>
        </p>
      )}
      <ul class="bare flow job-legend" aria-label={t.result.pick}>
        {jobs.map((job) => (
          <li key={job.id}>
            <button
              type="button"
              style={jobTone(job.index)}
              aria-pressed={picked === job.id}
              onClick={() => pick(picked === job.id ? null : job.id)}
            >
              <span class="swatch" aria-hidden="true">
                {job.index + 1}
              </span>
              {job.name}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

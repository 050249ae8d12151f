/** Operations on machines over time: a lane a machine, a colour and a number a job, and a cursor on one operation. */
import { useState } from 'preact/hooks';
import { Figure } from '../../../kit/charts/figure.js';
import { type Frame, XAxis } from '../../../kit/charts/plane.js';
import { linear, type Scale } from '../../../kit/charts/scale.js';
import { DataTable } from '../../../kit/controls/tables.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { acrossLanes, type Job, type Machine, type Operation } from './model.js';
import { words } from './words.js';

const frame: Frame = { top: 42, right: 14, bottom: 46, left: 4 };
const lane = { name: 18, bar: 26, gap: 8 };
const lane_height = lane.name + lane.bar + lane.gap;
/** A bar narrower than this holds no number. */
const number_pixels = 16;
const name_char_pixels = 7.8;

interface GanttProps {
  readonly jobs: readonly Job[];
  readonly machines: readonly Machine[];
  readonly makespan: number;
  /** A bound on the makespan that it does not reach; null without one. */
  readonly bound: number | null;
  readonly unit: string;
}

export function Gantt({ jobs, machines, makespan, bound, unit }: GanttProps) {
  const { t, f } = useWordsOf(words);
  const [picked, setPicked] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const operations = machines.flatMap((each) => each.operations);
  const pointed = operations[at];
  const reading = useReading({ jobs, machines, unit });
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
      legend={<Legend jobs={jobs} picked={picked} pick={setPicked} />}
      table={() => <Operations machines={machines} jobs={byId} />}
    >
      {({ width }) => {
        const x = linear([0, Math.max(makespan, bound ?? 0, 1)], [frame.left, width - frame.right]);
        return (
          <>
            <text class="axis-name" x={0} y={12}>
              {t.result.lanes}
            </text>
            <XAxis scale={x} span={[0, makespan]} frame={frame} width={width} height={height} label={t.result.time(unit)} />
            {machines.map((each, row) => (
              <Lane
                key={each.id}
                machine={each}
                row={row}
                x={x}
                jobs={byId}
                picked={picked}
                pick={setPicked}
                point={(operation) => setAt(operations.indexOf(operation))}
              />
            ))}
            {pointed !== undefined && (
              <Cursor x={x} operation={pointed} row={machines.findIndex(({ id }) => id === pointed.machine)} />
            )}
            {bound !== null && <Edge x={x(bound)} height={height} name={t.result.lowerBound} kind="bound" />}
            <Edge x={x(makespan)} height={height} name="" kind="makespan" />
          </>
        );
      }}
    </Figure>
  );
}

/** Returns a function that says an operation in words. */
function useReading({ jobs, machines, unit }: Pick<GanttProps, 'jobs' | 'machines' | 'unit'>): (operation: Operation) => string {
  const { t, f } = useWordsOf(words);
  const nameIn = (things: readonly (Job | Machine)[], id: string): string => things.find((each) => each.id === id)?.name ?? id;
  return ({ job, machine, start, end }) =>
    t.result.reading(nameIn(jobs, job), nameIn(machines, machine), f.number(start), f.number(end), unit);
}

interface OperationsProps {
  readonly machines: readonly Machine[];
  readonly jobs: ReadonlyMap<string, Job>;
}

function Operations({ machines, jobs }: OperationsProps) {
  const { t, f } = useWordsOf(words);
  const { machine, job, start, end } = t.result;
  return (
    <DataTable
      label={t.result.operations}
      head={[machine, job, start, end]}
      texts={[0, 1]}
      rows={machines.flatMap((each) =>
        each.operations.map((operation) => [
          each.name,
          jobs.get(operation.job)?.name ?? operation.job,
          f.number(operation.start),
          f.number(operation.end),
        ]),
      )}
    />
  );
}

interface LaneProps {
  readonly machine: Machine;
  readonly row: number;
  readonly x: Scale;
  readonly jobs: ReadonlyMap<string, Job>;
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
        {machine.name} <tspan class="lane-busy">{f.percent(machine.busy)}</tspan>
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
  readonly job: Job | undefined;
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

interface CursorProps {
  readonly x: Scale;
  readonly operation: Operation;
  readonly row: number;
}

const Cursor = ({ x, operation: { start, end }, row }: CursorProps) => (
  <rect
    class="cursor operation-cursor"
    data-screen-only
    x={x(start)}
    y={frame.top + row * lane_height + lane.name - 1}
    width={Math.max(2, x(end) - x(start))}
    height={lane.bar + 2}
    rx="3"
  />
);

interface EdgeProps {
  readonly x: number;
  readonly height: number;
  readonly name: string;
  readonly kind: 'bound' | 'makespan';
}

function Edge({ x, height, name, kind }: EdgeProps) {
  return (
    <g class={`edge edge-${kind}`}>
      <line x1={x} x2={x} y1={frame.top - 6} y2={height - frame.bottom} />
      <text x={x - 4} y={frame.top - 9} text-anchor="end">
        {name}
      </text>
    </g>
  );
}

/** The colour of a job. */
export const jobTone = (index: number) => ({ '--job': `var(--c${index % 10})` });

interface LegendProps {
  readonly jobs: readonly Job[];
  readonly picked: string | null;
  readonly pick: (job: string | null) => void;
}

/** Each job with its number; hovering, focusing or pressing one highlights it. */
function Legend({ jobs, picked, pick }: LegendProps) {
  const { t } = useWordsOf(words);
  return (
    <ul class="job-legend" aria-label={t.result.pick}>
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
  );
}

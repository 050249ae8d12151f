/** Sweeps: one field of a request over several values, each with the same seeds; their lifecycle, and what the results say of the field's influence. */
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { round12 } from '../base/decimal.js';
import { seed_max, sweep_runs_max, sweep_values_max } from '../base/limits.js';
import { invalid, ok, type Result } from '../base/refusal.js';
import type { Documents } from '../codec/event.js';
import { nullable, object, required } from '../codec/kit.js';
import { sequence, time } from '../codec/scalars.js';
import { isRunId, runId, runName } from '../codec/simulation.js';
import {
  isRepeated,
  type Sensitivity,
  type Spread,
  type SweepField,
  sweepFields,
  type SweepMeasure,
  sweepMeasures,
  type SweepPoint,
  type SweepRun,
  sweepState,
} from '../codec/sweep.js';
import { type EventContext, type EventIn, streams } from './stream.js';

// The lifecycle

export type SweepEvent = EventIn<'sweep.'>;

/** A sweep, by the entry that requested it. */
export const sweepCodec = object('SweepRow', {
  /** The sequence of the entry that requested it. */
  request_seq: required(sequence),
  id: required(runId),
  state: required(sweepState),
  name: required(nullable(runName)),
  created_at: required(time),
  finished_at: required(nullable(time)),
});

export type Sweep = t.TypeOf<typeof sweepCodec>;

export const sweepStream = streams<Sweep, 'sweep.'>('@sweep:', {
  noun: 'sweep',
  events: ['sweep.'],
  isId: isRunId,
  evolve: evolveSweep,
});

function evolveSweep(sweep: Sweep | null, event: SweepEvent, { id, sequence, time }: EventContext): Sweep | null {
  if (sweep === null) {
    if (event.type !== 'sweep.requested') return null;
    return {
      id,
      state: 'running',
      name: event.document.name ?? null,
      created_at: time,
      finished_at: null,
      request_seq: sequence,
    };
  }
  if (sweep.state !== 'running' || event.type === 'sweep.requested') return sweep;
  return { ...sweep, state: event.type === 'sweep.completed' ? 'completed' : 'cancelled', finished_at: time };
}

type Events = Result<readonly SweepEvent[]>;

export function decideSweep(sweep: Sweep | null, document: Documents['sweep.requested']): Events {
  if (sweep !== null) return E.left({ code: 'conflict', detail: `there is a sweep ${sweep.id} already` });
  return ok([{ type: 'sweep.requested', document }]);
}

/** Decides that a sweep has ended with its last run; nothing for one that was cancelled. */
export const decideSweepCompleted = (sweep: Sweep, document: Documents['sweep.completed']): Events =>
  ok(sweep.state === 'running' ? [{ type: 'sweep.completed', document }] : []);

export function decideSweepCancelled({ id, state }: Sweep, actor: string): Events {
  if (state === 'running') return ok([{ type: 'sweep.cancelled', document: { actor } }]);
  return E.left({ code: 'wrong_state', detail: `sweep ${id} is ${state} already`, facts: { sweep: id, state } });
}

// What is varied

/** The first value, the last one or a bound of it, and the distance of two. */
export type Range = Readonly<Record<'from' | 'to' | 'step', number>>;

const number = '([+-]?(?:(?:0|[1-9][0-9]*)(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?)';
const pattern = new RegExp(`^([a-z0-9_-]{1,40})=${number}\\.\\.${number}:${number}$`);

/** Returns the field and the range that a text as `k=5..15:1` names. */
export function readSweep(text: string): Result<Range & { readonly field: SweepField }> {
  const [, given = '', from, to, step] = pattern.exec(text) ?? [];
  if (from === undefined) return E.left(invalid('sweep', 'must be FIELD=FROM..TO:STEP, as in k=5..15:1'));
  const field = sweepFields.find((name) => name === given.replaceAll('-', '_'));
  if (field === undefined) return E.left(invalid('sweep', `must name one of ${sweepFields.join(', ')}`));
  return ok({ field, from: Number(from), to: Number(to), step: Number(step) });
}

/** Returns the values of a range, without the errors of repeated addition. */
export function valuesIn({ from, to, step }: Range): Result<readonly number[]> {
  if (!(step > 0 && to >= from)) return E.left(invalid('step', 'the step must be above 0, and the end not below the start'));
  // An end that the steps reach but for rounding belongs to the values. In halves, no distance is beyond the range of doubles.
  const steps = Math.floor(round12((to / 2 - from / 2) / (step / 2)));
  if (!(steps < sweep_values_max)) return E.left(invalid('step', `must make at most ${sweep_values_max} values`));
  return ok(Array.from({ length: steps + 1 }, (_, i) => round12(2 * (from / 2 + i * (step / 2)))));
}

/** Returns the seeds of each value: the first one and those after it. */
export const seedsFrom = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => (first + i) % (seed_max + 1));

/** Returns why these values of a field would tell nothing in a request with this curve and these sectors, or null. */
export function sweepFault(
  field: SweepField,
  values: readonly number[],
  seeds: number,
  { curve, sectors }: { readonly curve?: unknown; readonly sectors?: unknown },
): string | null {
  if (new Set(values).size < values.length) return 'has a value twice';
  if (values.length * seeds > sweep_runs_max) return `makes ${values.length * seeds} runs; the most is ${sweep_runs_max}`;
  if (field === 'k' && values.includes(0)) return 'has the value 0 of k, which means its default; leave it out';
  if ((field === 'k' || field === 'x0') && curve === 'linear') return `varies ${field}, which a linear curve does not use`;
  const isForGenerated = field === 'energy' || field === 'entropy' || field === 'num_sectors';
  if (isForGenerated && Array.isArray(sectors) && sectors.length > 0)
    return `varies ${field}, which counts only where the request names no sectors`;
  return null;
}

// What the results say

const measured = (runs: readonly SweepRun[], measure: SweepMeasure): readonly number[] =>
  runs.flatMap((run) => run[measure] ?? []);

export function pointOf(value: number, forecast: SweepPoint['forecast'], runs: readonly SweepRun[]): SweepPoint {
  const spread = (measure: SweepMeasure): Spread | null => spreadOf(measured(runs, measure));
  return {
    value,
    forecast,
    affected: spread('affected'),
    effectiveness: spread('effectiveness'),
    hypervolume: spread('hypervolume'),
    runs,
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Returns the mean; that of equal values is exact, because a rounding error would look like variance. */
function mean(values: readonly number[]): number {
  const [first = Number.NaN] = values;
  return first + sum(values.map((value) => (value - first) / values.length));
}

const spreadOf = (values: readonly number[]): Spread | null =>
  values.length === 0 ? null : { mean: round12(mean(values)), min: Math.min(...values), max: Math.max(...values) };

export const sensitivityOf = (points: readonly SweepPoint[]): Sensitivity[] =>
  sweepMeasures.map((measure) => ({ measure, slope: slopeOf(points, measure), explained: explainedBy(points, measure) }));

function slopeOf(points: readonly SweepPoint[], measure: SweepMeasure): number | null {
  // In units of a power of two near the largest value no square overflows or becomes 0, and no digit changes.
  const unit = 2 ** Math.floor(Math.log2(Math.max(...points.map(({ value }) => Math.abs(value)))));
  const means = points.flatMap(({ value, [measure]: spread }) => (spread === null ? [] : [{ x: value / unit, y: spread.mean }]));
  const x = mean(means.map((point) => point.x));
  const y = mean(means.map((point) => point.y));
  const squares = sum(means.map((point) => (point.x - x) ** 2));
  const slope = sum(means.map((point) => (point.x - x) * (point.y - y))) / squares / unit;
  return squares > 0 && Number.isFinite(slope) ? round12(slope) : null;
}

function explainedBy(points: readonly SweepPoint[], measure: SweepMeasure): number | null {
  // One run for each value leaves no variance but that between the values.
  if (!isRepeated(points, measure)) return null;
  const groups = points.map(({ runs }) => measured(runs, measure)).filter(({ length }) => length > 0);
  const all = groups.flat();
  const middle = mean(all);
  const reach = Math.max(...all.map((value) => Math.abs(value - middle)));
  if (!(reach > 0)) return null;
  // In units of the longest distance no square overflows or becomes 0.
  const square = (value: number): number => ((value - middle) / reach) ** 2;
  const between = sum(groups.map((values) => values.length * square(mean(values))));
  return round12(Math.min(1, between / sum(all.map(square))));
}

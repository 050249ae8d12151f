/** The verifier's own reading of a request: outliers, seasons, origins, and the models that a result must contain. */
import type { ForecastWork } from '../work.js';
import { detectedSeason } from './detect.js';
import { type Expected, expectedModels as plainModels } from './former/plan.js';
import { type Clean, cleaned } from './outliers.js';

export interface Outline {
  readonly training: Clean;
  readonly all: Clean;
  readonly trainCount: number;
  readonly full: readonly number[];
  readonly naiveOnly: readonly number[];
  readonly leftOut: readonly number[];
  readonly isUndetected: boolean;
  readonly pathSteps: number;
  readonly earliest: number;
  readonly starts: readonly number[];
  readonly stride: number;
  /** Whether paths end with the observations, and a step weighs the inverse of its number. */
  readonly isCut: boolean;
  readonly memory: number;
  /** The shortest season, or 1. */
  readonly period: number;
}

export function outline(work: ForecastWork): Outline {
  const values = Float64Array.from(work.observations);
  const trainCount = values.length - work.holdout;
  const training = cleaned(values.slice(0, trainCount));
  const isDetected = work.season === 'auto' && work.seasons === undefined;
  const given = [...(work.seasons ?? []), ...(work.season === 'auto' ? [] : [work.season])];
  if (isDetected) given.push(detectedSeason(training.values));
  const lengths = [...new Set(given)].filter((m) => m >= 2).sort((a, b) => a - b);
  const full = lengths.filter((m) => trainCount >= 2 * m + 3);
  const naiveOnly = lengths.filter((m) => trainCount < 2 * m + 3 && trainCount >= m + 3);
  const earliest = Math.max(4, ...full.map((m) => 2 * m), ...naiveOnly);
  return {
    training,
    all: cleaned(values),
    trainCount,
    full,
    naiveOnly,
    leftOut: lengths.filter((m) => trainCount < m + 3),
    isUndetected: isDetected && lengths.length === 0,
    ...originsOf(work.horizon > work.holdout ? work.horizon : work.holdout, trainCount, earliest),
    earliest,
    memory: Math.max(3000, 8 * Math.max(0, ...lengths)),
    period: full[0] ?? naiveOnly[0] ?? 1,
  };
}

function originsOf(
  wanted: number,
  trainCount: number,
  earliest: number,
): Pick<Outline, 'pathSteps' | 'starts' | 'stride' | 'isCut'> {
  const listed = (last: number, stride: number): number[] => {
    const starts: number[] = [];
    for (let i = 23; i >= 0; i--) if (last - i * stride >= earliest) starts.push(last - i * stride);
    return starts;
  };
  const whole = Math.max(1, Math.min(wanted, trainCount >> 2, trainCount - earliest - 2));
  const step = Math.max(1, whole >> 1);
  const starts = listed(trainCount - whole, step);
  if (starts.length >= 12) return { pathSteps: whole, starts, stride: step, isCut: false };
  const stride = Math.ceil((trainCount - earliest) / 24);
  const room = trainCount - earliest;
  return { pathSteps: wanted < room ? wanted : room, starts: listed(trainCount - 1, stride), stride, isCut: true };
}

const trended = ['damped', 'drift', 'holt', 'theta'] as const;

/** Returns every model that the result must contain, in order of name, with its parameters. */
export function expectedModels(plan: Outline): Expected {
  const rows = new Map(plainModels({ ...plan, values: plan.training.values }));
  const tail = plan.full.length > 0 ? '-log-multiplicative' : '-log';
  if (plan.training.values.every((v) => v > 0)) for (const name of trended) rows.set(name + tail, rows.get(name) ?? {});
  return new Map([...rows].sort(([a], [b]) => (a < b ? -1 : 1)));
}

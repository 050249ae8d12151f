/** Simulates from the command line: reads the request from flags, shows progress, formats a sweep. Ctrl-C ends the run at its next generation, which is recorded. */
import { Flags } from '@oclif/core';
import type { Home } from '../app/home/home.js';
import { untilInterrupted } from '../base/interrupt.js';
import { invalid, RefusalError, unwrap } from '../base/refusal.js';
import { printable } from '../base/text.js';
import type { Results } from '../codec/api-simulation.js';
import { curves, type SimulationRequest } from '../codec/simulation.js';
import { isRepeated, type Spread, type SweepRecord } from '../codec/sweep.js';
import { readSweep } from '../domain/sweep.js';
import { count, figure, percent } from '../pictures/screen.js';
import { simulated, withProgress } from './progress.js';
import { listed, screen } from './table.js';
import { paint } from './text.js';
import { sparkline } from './simulation.js';

interface Simulating {
  readonly actor: string;
  readonly genome: boolean;
  /** The run's name. */
  readonly name?: string | undefined;
  /** Whether to show a progress bar, on a terminal only. */
  readonly visible: boolean;
}

const warn = (message: string): void => void process.stderr.write(`${paint.err('yellow', '!')} ${printable(message)}\n`);

export const simulate = (
  home: Home,
  request: SimulationRequest,
  { actor, genome, name, visible }: Simulating,
): Promise<Results> =>
  untilStopped(visible, async (update, stopReason) => {
    const { simulateHere } = await import('../app/simulation/runs/simulate.js');
    return simulateHere(home, request, {
      directory: process.cwd(),
      genome,
      name,
      actor,
      stopReason,
      onYears: () => update('forecast', 0),
      onGeneration: (_, share) => {
        const { label, done } = simulated(share);
        update(label, done);
      },
      onRestart: (attempt, reason) => warn(`attempt ${attempt}: ${reason}`),
      onWarning: warn,
    });
  });

/** @param document the body of a request for a sweep */
export const simulateSweep = (
  home: Home,
  document: unknown,
  { visible, actor }: Pick<Simulating, 'actor' | 'visible'>,
): Promise<SweepRecord> =>
  untilStopped(visible, async (update, stopReason) => {
    const { sweepHere } = await import('../app/simulation/runs/sweep.js');
    const onProgress = (done: number): void => update('sweep', done);
    return sweepHere(home, document, { actor, directory: process.cwd(), stopReason, onProgress, onWarning: warn });
  });

type Work<A> = (update: (what: string, done: number) => void, stopReason: () => 'cancelled' | null) => Promise<A>;

/** Works with a progress bar, until Ctrl-C asks for the end. */
const untilStopped = <A>(visible: boolean, work: Work<A>): Promise<A> =>
  untilInterrupted((signal) => withProgress(visible, (update) => work(update, () => (signal.aborted ? 'cancelled' : null))));

const numberFlag = (description: string, helpValue = 'N') => Flags.string({ description, helpValue, helpGroup: 'REQUEST' });

export const requestFlags = {
  name: Flags.string({ description: 'a name for the run or the sweep, 1 to 80 characters', helpValue: 'TEXT' }),
  horizon: numberFlag('forecast years, 1 to 200 (default 5)'),
  curve: Flags.string({
    description: 'capability growth (default logistic)',
    options: [...curves],
    helpValue: 'NAME',
    helpGroup: 'REQUEST',
  }),
  k: numberFlag('steepness of the curve (default 10 for logistic, 3 for exponential)', 'X'),
  x0: numberFlag('midpoint of the curve, as a share of the horizon (default 0)', 'X'),
  sectors: Flags.string({
    description:
      'how many sectors, 1 to 1000 (default 6); or a JSON file (- for standard input) with a list of {name, energy, entropy, growth}',
    helpValue: 'N|FILE',
    helpGroup: 'REQUEST',
  }),
  energy: numberFlag('energy of each sector at the start (default 1); not with a file of sectors', 'X'),
  entropy: numberFlag('entropy of each sector, which capability turns against it (default 1); not with a file', 'X'),
  'pop-size': numberFlag('individuals of a generation, 2 to 10000 (default 6)'),
  generations: numberFlag('steps of the search, 1 to 10000 (default 3)'),
  'mut-rate': numberFlag('probability that a gene mutates (default 0.1)', 'P'),
  'xover-rate': numberFlag('probability that a pair is crossed (default 0.5)', 'P'),
  'num-sectors': numberFlag('as --sectors N'),
  seed: numberFlag('0 to 4294967295; without it one is drawn, recorded and shown'),
  samples: numberFlag('draws for the quantiles of the forecast, 20 to 2000 (default 0: none)'),
  spread: numberFlag('factor on how much the draws vary the curve, 0 to 4 (default 1)', 'X'),
} as const;

type RequestFlags = Readonly<Partial<Record<keyof typeof requestFlags, string | undefined>>>;

const flagNames = Object.keys(requestFlags) as (keyof typeof requestFlags)[];
const numberFlags = flagNames.filter((flag) => !['name', 'curve', 'sectors'].includes(flag));

/** A number in decimal digits as people type it: `.5`, `5.`, `+1`, `1e3`. */
const typedNumber = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

/** Calls a function of the document of `requestDocument`; a refusal of it names the flags and not the members. */
export function namingFlags<A>(given: RequestFlags, of: () => A): A {
  try {
    return of();
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    const { refusal } = error;
    const errors = refusal.errors?.map(({ path, message }) => ({ path: flagNamed(path, given.sectors !== undefined), message }));
    const [first, shown] = [refusal.errors?.[0]?.path, errors?.[0]?.path];
    if (errors === undefined || first === undefined || shown === undefined) throw error;
    throw new RefusalError({ ...refusal, errors, detail: refusal.detail.replace(`${first}:`, `${shown}:`) });
  }
}

function flagNamed(given: string, isCount: boolean): string {
  const path = given.replace(/^request\./, '');
  if (path === 'num_sectors' && isCount) return '--sectors';
  if (path === 'field' || path === 'values' || path === 'step') return '--sweep';
  const flag = path.replaceAll('_', '-');
  return flag in requestFlags ? `--${flag}` : path;
}

/**
 * Returns the document for the flags, as a client would send it; `readSectors` reads the file that --sectors names.
 * @throws RefusalError for a value that is not a number, or a bad file
 */
export function requestDocument(
  given: RequestFlags,
  readSectors: (file: string) => readonly unknown[],
): Readonly<Record<string, unknown>> {
  const { name, curve, sectors } = given;
  const document: Record<string, unknown> = {
    ...(name === undefined ? {} : { name }),
    ...(curve === undefined ? {} : { curve }),
  };
  for (const flag of numberFlags) {
    const text = given[flag];
    if (text !== undefined) document[flag.replaceAll('-', '_')] = numberOf(flag, text);
  }
  if (sectors === undefined) return document;
  if (!/^[+-]?[0-9.]+$/.test(sectors)) return { ...document, sectors: readSectors(sectors) };
  if (document['num_sectors'] !== undefined)
    throw new RefusalError(invalid('--sectors', 'is a number, which --num-sectors also sets'));
  return { ...document, num_sectors: numberOf('sectors', sectors) };
}

/** Returns the body of a request for a sweep: the document of its runs, and what --sweep and --seeds say. @throws RefusalError */
export const sweepDocument = (
  { name, ...request }: Readonly<Record<string, unknown>>,
  sweep: string,
  seeds = 1,
): Readonly<Record<string, unknown>> => ({
  ...(name === undefined ? {} : { name }),
  request,
  ...unwrap(readSweep(sweep)),
  seeds,
});

function numberOf(flag: string, text: string): number {
  if (!typedNumber.test(text)) throw new RefusalError(invalid(`--${flag}`, 'must be a number'));
  return Number(text);
}

const spark_columns = 20;
const digits = 3;

const spreadText = (spread: Spread | null): string => {
  if (spread === null) return '-';
  const { mean, min, max } = spread;
  return min === max ? figure(mean, digits) : `${figure(mean, digits)} (${figure(min, digits)} to ${figure(max, digits)})`;
};

export function sweepLines({ id, name, field, seeds, points, sensitivity, request }: SweepRecord): string[] {
  const head = [field, 'capability', 'affected sectors', 'at the end', 'best effectiveness', 'hypervolume'];
  const spark = (values: readonly number[]): string => sparkline(values, spark_columns, screen());
  const rows = points.map(({ value, forecast, affected, effectiveness, hypervolume }) => {
    const sectors = field === 'num_sectors' ? value : (request.sectors?.length ?? request.num_sectors);
    return [
      figure(value),
      spark(forecast.map(({ capability }) => capability)),
      spark(forecast.map((year) => year.affected / sectors)),
      spreadText(affected),
      spreadText(effectiveness),
      spreadText(hypervolume),
    ];
  });
  const widths = head.map((name, i) => [name, Math.max(name.length, ...rows.map((row) => (row[i] ?? '').length))] as const);
  return [
    `sweep ${id}${name === undefined ? '' : `, ${printable(name)}`}`,
    `${count(points.length, 'value')} of ${field}, each with ${count(seeds.length, 'seed')} from ${seeds[0] ?? ''}; means, with least and most`,
    '',
    ...listed(Object.fromEntries(widths), rows),
    '',
    paint.out('bold', `influence of ${field}`),
    ...sensitivity.map(({ measure, slope, explained }) => {
      if (slope === null) return `${measure.padEnd(13)}  fewer than two values to compare`;
      const unknown = isRepeated(points, measure)
        ? 'nothing varies'
        : 'two runs of a value tell how much of the variance it explains';
      const share = explained === null ? unknown : `explains ${percent(explained)} of the variance`;
      return `${measure.padEnd(13)}  ${figure(slope, digits)} for each unit of ${field}; ${share}`;
    }),
  ];
}

/** `simulate --sweep`: computes the runs of a sweep on threads or on workers, records each, and summarizes them. */
import * as os from 'node:os';
import { randomBytes } from 'node:crypto';
import { inline_value_bytes_max } from '../../base/limits.js';
import { invalid } from '../../base/refusal.js';
import { RefusalError } from '../../base/result.js';
import { sweep_genes_max, sweep_runs_max } from '../../base/simulation-limits.js';
import type { Results } from '../../codec/api-simulation.js';
import type { SimulationRequest } from '../../codec/simulation.js';
import {
  pointOf,
  seedsFrom,
  sensitivityOf,
  type Sensitivity,
  type Sweep,
  type SweepPoint,
  type SweepRun,
} from '../../domain/sweep.js';
import { Gate } from '../threads/gate.js';
import type { Home } from '../home/home.js';
import { queuesOf, type IslandSettings } from './islands.js';
import { prepareLedger } from './ledger.js';
import type { SimulationTask } from '../workers/simulation-jobs.js';
import { computeHere, QueuedRuns, type ComputedRun } from './queued-runs.js';
import { failDeadRuns } from './runs.js';
import { islandsOf, runHere, settledRequest, type SimulateOptions } from './simulate.js';
import { Stopped } from '../threads/watched-thread.js';
import { WorkerTrust } from '../workers/register.js';

export interface SweepReport {
  readonly field: Sweep['field'];
  readonly seeds: readonly number[];
  readonly points: readonly SweepPoint[];
  readonly sensitivity: readonly Sensitivity[];
  /** The request without the field and the seed. */
  readonly request: Readonly<Record<string, unknown>>;
}

export interface SweepOptions extends Pick<SimulateOptions, 'directory' | 'actor' | 'whyStop' | 'onWarning'> {
  readonly sweep: Sweep;
  /** Runs of each value. */
  readonly seeds: number;
  /** One run of workers in this many is recomputed here. */
  readonly check_one_in?: number;
  /** Called with the computed share of the runs. */
  readonly onProgress?: (done: number) => void;
}

/**
 * Runs a sweep. Nothing is recorded before all runs are computed and confirmed; then each is a run of its own in the journal and the ledger.
 * @param document a request without the field that the sweep varies
 */
export async function sweepHere(
  home: Home,
  document: Readonly<Record<string, unknown>>,
  options: SweepOptions,
): Promise<SweepReport> {
  const { sweep, directory, actor } = options;
  const { seed: given = randomBytes(4).readUInt32BE(), ...request } = document;
  if (Object.hasOwn(request, sweep.field)) throw new RefusalError(invalid('sweep', `varies ${sweep.field}, which is also given`));
  if (sweep.values.length * options.seeds > sweep_runs_max)
    throw new RefusalError(invalid('seeds', `makes ${sweep.values.length * options.seeds} runs; the most is ${sweep_runs_max}`));
  const islands = islandsOf(home.world);
  const names = islands.map(({ name }) => name);
  const seeds = typeof given === 'number' ? seedsFrom(given, options.seeds) : [];
  const tasks = sweep.values.flatMap((value) =>
    seeds.map((seed) => ({ request: settledRequest({ ...request, [sweep.field]: value, seed }), islands: names })),
  );
  const genes = tasks.reduce(
    (sum, task) => sum + task.request.pop_size * (task.request.sectors?.length ?? task.request.num_sectors),
    0,
  );
  if (genes > sweep_genes_max)
    throw new RefusalError(
      invalid('sweep', `has ${genes} genes (individuals × sectors of all runs); the most is ${sweep_genes_max}`),
    );
  prepareLedger(directory);
  await failDeadRuns(home, { actor });
  const computed = await computeAll(home, islands, tasks, options);
  const results: Results[] = [];
  for (const [i, task] of tasks.entries()) results.push(await record(home, task.request, computed[i], options));
  const points = sweep.values.map((value, i) => pointFrom(value, results.slice(i * seeds.length, (i + 1) * seeds.length)));
  return { field: sweep.field, seeds, points, sensitivity: sensitivityOf(points), request };
}

async function computeAll(
  home: Home,
  islands: IslandSettings,
  tasks: readonly SimulationTask[],
  { actor, whyStop, onWarning = () => undefined, onProgress, check_one_in }: SweepOptions,
): Promise<readonly ComputedRun[]> {
  let done = 0;
  const onDone = (): void => onProgress?.(++done / tasks.length);
  const mustStop = (): boolean => (whyStop?.() ?? null) !== null;
  const queues = queuesOf(islands);
  const [queue] = queues;
  const trust = new WorkerTrust({ home, actor, queues, onWarning, check_one_in });
  const access = trust.access();
  try {
    if (queue === undefined || access === undefined) return await computeOnThreads(islands, tasks, mustStop, onDone);
    const runs = new QueuedRuns({ queue, access, onWorker: trust.note, mustStop });
    try {
      return await runs.computeAll(tasks, onDone);
    } finally {
      await runs.end();
      await trust.end();
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    throw new RefusalError({ code: 'interrupted', detail: 'the sweep was stopped; none of its runs is recorded' });
  }
}

function computeOnThreads(
  islands: IslandSettings,
  tasks: readonly SimulationTask[],
  mustStop: () => boolean,
  onDone: () => void,
): Promise<readonly ComputedRun[]> {
  const spare = Math.max(1, os.availableParallelism() - 1);
  const threads = islands.map(({ backend }) => (backend.type === 'threads' ? (backend.threads ?? spare) : 1));
  const gate = new Gate(Math.max(...threads));
  return Promise.all(
    tasks.map((task) =>
      gate.run(async () => {
        const computed = await computeHere(task, mustStop);
        onDone();
        return computed;
      }),
    ),
  );
}

/** Records a computed run as `simulate` does. */
function record(
  home: Home,
  request: SimulationRequest,
  computed: ComputedRun | undefined,
  options: SweepOptions,
): Promise<Results> {
  const { directory, actor, whyStop } = options;
  const { text = '', outcome_hash = '' } = computed ?? {};
  const stored = text.length <= inline_value_bytes_max ? text : new TextEncoder().encode(text);
  return runHere(home, request, {
    directory,
    actor,
    whyStop,
    genome: false,
    simulate: () => Promise.resolve({ type: 'answered', text: stored, outcome_hash }),
  });
}

function pointFrom(value: number, results: readonly Results[]): SweepPoint {
  const forecast = results[0]?.forecast ?? [];
  const runs = results.map(
    ({ id, seed, outcome_hash, population, hypervolume, forecast: years }): SweepRun => ({
      id,
      seed,
      outcome_hash,
      affected: years.at(-1)?.affected ?? 0,
      effectiveness: population.reduce((best, { effectiveness }) => Math.max(best, effectiveness), 0),
      hypervolume: hypervolume ?? 0,
    }),
  );
  return pointOf(
    value,
    forecast.map(({ year, capability, affected }) => ({ year, capability, affected })),
    runs,
  );
}

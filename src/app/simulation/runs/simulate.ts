/** `simulate`: executes a run in this process, from the request to the line in ./ledger/, and creates a home if there is none. */
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { parseJsonBytes } from '../../../base/json.js';
import { invalid, type Refusal, RefusalError, unwrap } from '../../../base/refusal.js';
import { simulation_request_bytes_max } from '../../../base/limits.js';
import { formatTime } from '../../../base/time.js';
import type { Results } from '../../../codec/api-simulation.js';
import { decode } from '../../../codec/kit.js';
import { settled, simulationBody, simulationInput, type SimulationRequest } from '../../../codec/simulation.js';
import type { SimulationRun } from '../../../domain/simulation.js';
import { inputName, ofFile, readNamed } from '../../../home/files.js';
import { homePaths } from '../../../home/paths.js';
import { afterCommit } from '../../home/recording.js';
import type { Home, World } from '../../home/home.js';
import { initHome } from '../../home/init.js';
import { withAgents } from '../../orchestrator/orchestrator.js';
import { WorkerTrust } from '../../workers/register.js';
import { type IslandSettings, queuesOf, readIslands } from '../islands/settings.js';
import { appendLedger, prepareLedger } from '../ledger/ledger.js';
import { executeRun, type ExecuteRunOptions } from './execute.js';
import { failDeadRuns, requestRun } from './runs.js';
import { resultsOf } from './stored.js';

/** Returns the request that a document describes, with a random seed where it has none. @throws RefusalError */
export const settledRequest = (document: unknown): SimulationRequest =>
  settled(unwrap(decode(simulationInput, document)), randomSeed());

/** Returns the request that a body describes, as `settledRequest` does, and the run's name. @throws RefusalError */
export function namedRequest(document: unknown): { readonly request: SimulationRequest; readonly name?: string | undefined } {
  const { name, ...input } = unwrap(decode(simulationBody, document));
  return { request: settled(input, randomSeed()), name };
}

const randomSeed = (): number => randomBytes(4).readUInt32BE();

/**
 * Creates the home if there is none; returns the new home's directory, else null.
 * @throws RefusalError `invalid` for islands that no run could have, before anything is created
 */
export function makeMissingHome(world: World): string | null {
  islandsOf(world);
  const { directory, journal, config, identityKey } = homePaths(world.directory);
  if ([journal, config, identityKey].some((file) => fs.existsSync(file))) return null;
  initHome(world);
  return directory;
}

/** Returns the islands of AGI_ISLAND_BACKENDS. @throws RefusalError `invalid` */
export const islandsOf = ({ env }: Pick<World, 'env'>): IslandSettings => readIslands(env['AGI_ISLAND_BACKENDS']);

export interface SimulateOptions extends Omit<ExecuteRunOptions, 'simulate' | 'runStage' | 'islands' | 'workers' | 'onWorker'> {
  readonly onWarning?: ((message: string) => void) | undefined;
  /** The run's name. */
  readonly name?: string | undefined;
  /** The directory of ./ledger/. */
  readonly directory: string;
  readonly genome: boolean;
}

/** Executes a request to its end. @throws RefusalError for wrong islands or a ledger that was altered, before anything is recorded */
export async function simulateHere(home: Home, request: SimulationRequest, options: SimulateOptions): Promise<Results> {
  islandsOf(home.world);
  prepareLedger(options.directory);
  await failDeadRuns(home, { actor: options.actor });
  const { actor, name } = options;
  const islands = islandsOf(home.world).map(({ name }) => name);
  const { id } = await requestRun(home, { request, name, islands, runner: 'command', actor });
  return executeHere(home, id, options);
}

/**
 * Executes a recorded run over a prepared ledger.
 * @param options.simulate computes the run instead of this process's threads and workers
 */
export async function executeHere(
  home: Home,
  id: string,
  options: SimulateOptions & Pick<ExecuteRunOptions, 'simulate'>,
): Promise<Results> {
  const { directory, genome, actor, onWarning = () => undefined } = options;
  const islands = islandsOf(home.world);
  const trust = new WorkerTrust({ home, actor, queues: queuesOf(islands), onWarning });
  const ended = await withAgents((runStage) =>
    executeRun(home, id, { ...options, islands, runStage, workers: trust.access, onWorker: trust.note }),
  );
  await trust.end();
  if (ended.state !== 'succeeded') throw new RefusalError(endRefusal(ended));
  const results = resultsOf(home.db, ended, { genome });
  writeLine(home, directory, results);
  return results;
}

function writeLine(home: Home, directory: string, { id, request, seed, outcome_hash, forecast, journal }: Results): void {
  const time = formatTime(home.world.clock());
  const done = { recorded: `run ${id} succeeded and is recorded in the journal`, remains: null };
  afterCommit(done, 'not in the ledger', () => {
    appendLedger(directory, { time, id, request: { ...request }, seed, result_hash: outcome_hash, forecast, journal });
  });
}

/** Returns the refusal for a caller whose run did not succeed. */
function endRefusal({ id, state, error }: SimulationRun): Refusal {
  const facts = { run: id, state, error };
  if (state === 'cancelled') return { code: 'interrupted', detail: `run ${id} was cancelled, which is recorded`, facts };
  const cause = error === null ? '' : `: ${error.message}`;
  return { code: error?.code === 'interrupted' ? 'interrupted' : 'execution_failed', detail: `run ${id} failed${cause}`, facts };
}

/** Returns the list of sectors in the JSON file that a request names; the request's codec checks its items. @throws RefusalError for a file that holds no list */
export function readSectors(file: string): readonly unknown[] {
  const bytes = readNamed(file, simulation_request_bytes_max);
  const list = ofFile(file, () => unwrap(parseJsonBytes(bytes, { byteOrderMark: 'ignore' })));
  if (Array.isArray(list)) return list;
  throw new RefusalError(invalid('sectors', `${inputName(file)} must hold a JSON array of sectors`));
}

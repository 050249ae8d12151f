/** `simulate`: a run in this process, from the request to the line in ./ledger/, with a home that is made when there is none. */
import * as fs from 'node:fs';
import { randomBytes } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import type { Refusal } from '../../base/refusal.js';
import { ok, RefusalError, unwrap, type Result } from '../../base/result.js';
import { formatTime } from '../../base/time.js';
import { decode } from '../../codec/kit.js';
import { settled, simulationInput, type SimulationRequest } from '../../codec/simulation.js';
import type { Results } from '../../codec/simulation-results.js';
import type { SimulationRun } from '../../domain/simulation.js';
import { homePaths } from '../../home/paths.js';
import type { Home, World } from '../home/home.js';
import { initHome } from '../home/init.js';
import { withAgents } from '../orchestrator/orchestrator.js';
import { executeRun, type ExecuteRunOptions } from './execute.js';
import { readIslands, type IslandSettings } from './islands.js';
import { appendLedger, prepareLedger } from './ledger.js';
import { failDeadRuns, requestRun } from './runs.js';
import { resultsOf } from './store.js';

/** The request that a document asks for, its seed drawn where it has none. */
export const settledRequest = (document: unknown): Result<SimulationRequest> =>
  E.map((input: Parameters<typeof settled>[0]) => settled(input, randomBytes(4).readUInt32BE()))(
    decode(simulationInput, document),
  );

/**
 * Makes the home when nothing is there; answers its directory then, else null.
 * @throws RefusalError `invalid` for islands that no run could have, before anything is made
 */
export function makeMissingHome(world: World): string | null {
  unwrap(islandsOf(world));
  const { directory, journal, config, identityKey } = homePaths(world.directory);
  if ([journal, config, identityKey].some((file) => fs.existsSync(file))) return null;
  initHome(world);
  return directory;
}

const islandsOf = ({ env }: Pick<World, 'env'>): Result<IslandSettings> => readIslands(env['AGI_ISLAND_BACKENDS']);

export interface SimulateOptions extends Omit<ExecuteRunOptions, 'simulate' | 'pass' | 'islands'> {
  /** Where ./ledger/ is. */
  readonly directory: string;
  readonly genome: boolean;
}

/** Runs a request to its end. @throws RefusalError for a ledger that is not as it was written, before anything is recorded */
export async function simulateHere(home: Home, request: SimulationRequest, options: SimulateOptions): Promise<Result<Results>> {
  const { directory, genome, actor } = options;
  const islands = islandsOf(home.world);
  if (E.isLeft(islands)) return islands;
  prepareLedger(directory);
  await failDeadRuns(home, { actor });
  const names = islands.right.map(({ name }) => name);
  const requested = await requestRun(home, { request, islands: names, runner: 'command', actor });
  if (E.isLeft(requested)) return requested;
  const { id } = requested.right;
  const ended = await withAgents((pass) => executeRun(home, id, { ...options, islands: islands.right, pass }));
  if (E.isLeft(ended)) return ended;
  if (ended.right.state !== 'succeeded') return E.left(endRefusal(ended.right));
  const results = resultsOf(home.db, ended.right, { genome });
  writeLine(home, directory, results);
  return ok(results);
}

function writeLine(home: Home, directory: string, { id, request, seed, outcome_hash, forecast, journal }: Results): void {
  const time = formatTime(home.world.clock());
  try {
    appendLedger(directory, { time, id, request: { ...request }, seed, result_hash: outcome_hash, forecast, journal });
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    const detail = `run ${id} succeeded and stands in the journal, but not in the ledger: ${error.refusal.detail}`;
    throw new RefusalError({ ...error.refusal, detail });
  }
}

/** What a run that did not succeed means to the one who waited for it. */
function endRefusal({ id, state, error }: SimulationRun): Refusal {
  const facts = { run: id, state, error };
  if (state === 'cancelled') return { code: 'interrupted', detail: `run ${id} was cancelled, which is recorded`, facts };
  const why = error === null ? '' : `: ${error.message}`;
  return { code: error?.code === 'interrupted' ? 'interrupted' : 'execution_failed', detail: `run ${id} failed${why}`, facts };
}

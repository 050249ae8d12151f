/** A thread of a worker that makes each population look better than it is. */
import { computeEpoch, readEpoch, writePopulation, computeRun, readRunJob } from '../../../src/app/workers/simulation-jobs.js';
import type { JobOutcome, JobTask } from '../../../src/app/workers/job-worker.js';
import { serveTasks } from '../../../src/app/threads/watched-thread.js';

serveTasks<JobTask, JobOutcome>(({ type, input }, { alive }) => ({
  type: 'computed',
  output: type === 'run' ? otherRun(input, alive) : betterEpoch(input, alive),
}));

function betterEpoch(input: Uint8Array, alive: () => void): Uint8Array<ArrayBuffer> {
  const population = computeEpoch(readEpoch(input)!, alive, alive);
  const objectives = population.objectives.map((value) => value - 1);
  return writePopulation({ ...population, objectives });
}

/** The population of another seed passes the checks of an outcome. */
function otherRun(input: Uint8Array, alive: () => void): Uint8Array<ArrayBuffer> {
  const { request, islands } = readRunJob(input)!;
  const { seed } = request;
  const text = Buffer.from(computeRun({ request: { ...request, seed: seed + 1_000 }, islands }, alive, alive)).toString();
  return new TextEncoder().encode(text.replaceAll(`"seed":${seed + 1_000}`, `"seed":${seed}`));
}

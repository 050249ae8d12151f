/** A thread of a worker that makes each population look better than it is. */
import { parentPort } from 'node:worker_threads';
import { computeEpoch, readEpoch, writePopulation } from '../../src/app/simulation/epoch-job.js';
import type { JobTask } from '../../src/app/worker/job-protocol.js';
import { serveTasks } from '../../src/app/threads/watched-thread.js';

serveTasks<JobTask>(({ input }, { alive }) => {
  const population = computeEpoch(readEpoch(input)!, alive, alive);
  const objectives = population.objectives.map((value) => value - 1);
  parentPort?.postMessage({ type: 'computed', output: writePopulation({ ...population, objectives }) });
  return () => undefined;
});

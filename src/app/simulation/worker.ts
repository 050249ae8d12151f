/** A simulation's thread: runs one request and answers once. It loads no other engine, so that it begins at once. */
import { parentPort, workerData } from 'node:worker_threads';
import { canonicalJson } from '../../base/canonical-json.js';
import { sha256Hex } from '../../base/hash.js';
import { simulate } from '../../engines/simulation/engine.js';
import type { SimulationAnswer, SimulationMessage, SimulationTask } from './protocol.js';

const { task, stop } = workerData as { task: SimulationTask; stop: Int32Array };

class Stopped extends Error {}

const report_ms = 20;
let reportedAt = 0;
let done = 0;
const affected: number[] = [];
const post = (message: SimulationMessage): void => parentPort?.postMessage(message);

function run({ request, islands }: SimulationTask): SimulationAnswer {
  const outcome = simulate(request, islands, {
    checkpoint: (share) => {
      if (Atomics.load(stop, 0) !== 0) throw new Stopped();
      done = share;
    },
    onYear: (year, count) => {
      affected.push(count);
      if (year === request.horizon) post({ type: 'years', affected });
    },
    onGeneration: (generation) => {
      const now = performance.now();
      if (generation < request.generations && now - reportedAt < report_ms) return;
      reportedAt = now;
      post({ type: 'generation', generation, done });
    },
  });
  const text = canonicalJson(outcome);
  return { type: 'answered', text, outcome_hash: sha256Hex(text) };
}

try {
  post(run(task));
} catch (error) {
  if (!(error instanceof Stopped)) throw error;
  post({ type: 'stopped' });
}

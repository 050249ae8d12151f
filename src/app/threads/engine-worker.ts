/**
 * The engine's thread: runs one engine or one verifier and posts one answer. Reports progress, and stops at a checkpoint on
 * request.
 */
import { parentPort } from 'node:worker_threads';
import { isRefused } from '../../base/result.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { sha256Hex } from '../../base/hash.js';
import type { Kind } from '../../codec/kinds.js';
import { without_objective } from '../../kinds/improvement.js';
import { missionKind } from '../../kinds/table.js';
import type { Work } from '../../kinds/works.js';
import type { EngineInput } from '../../engines/engine.js';
import { hashOfResult, type EngineAnswer, type EngineMessage, type EngineTask } from './engine-protocol.js';
import { watchedTask } from './watched-thread.js';

const { task, mustStop, alive } = watchedTask<EngineTask>();

const post = (message: EngineMessage): void => parentPort?.postMessage(message);

class Stopped extends Error {}

const progress_step = 0.005;
let reported = 0;

function checkpoint(done: number): void {
  if (mustStop()) throw new Stopped();
  alive();
  if (done - reported < progress_step) return;
  reported = done;
  post({ type: 'progress', done });
}

function answer(kind: Kind, input: EngineInput<Work>): EngineAnswer {
  if (input.work.kind !== kind) throw new TypeError(`the engine of ${kind} missions was given ${input.work.kind} work`);
  const { solver, improvement: improvementOf } = missionKind(kind);
  if (solver === null)
    return { type: 'refused', refusal: { code: 'engine_unavailable', detail: `there is no engine for ${kind} missions` } };
  const { engine, verify } = solver;
  if (task.type === 'verify')
    return { type: 'verified', verification: verify(input, task.result), result_hash: hashOfResult(task.result) };
  const outcome = engine.run(input, checkpoint);
  if (isRefused(outcome)) return { type: 'refused', refusal: outcome.left };
  const { result, iterations, solution } = outcome.right;
  post({ type: 'verifying' });
  const verification = verify(input, result);
  const improvement = verification.passed ? improvementOf(input.work, result) : without_objective;
  const text = canonicalJson(result);
  return { type: 'answered', result, text, iterations, solution, verification, improvement, result_hash: sha256Hex(text) };
}

try {
  post(answer(task.kind, task.input));
} catch (error) {
  if (!(error instanceof Stopped)) throw error;
  post({ type: 'stopped' });
}

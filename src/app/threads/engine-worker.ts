/**
 * The engine's thread: runs engines and verifiers, one task after the other, and posts one answer to each. Reports progress, and stops at a checkpoint on
 * request.
 */
import { parentPort } from 'node:worker_threads';
import { isRefused } from '../../base/result.js';
import { kinds, type Kind } from '../../codec/kinds.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { sha256Hex } from '../../base/hash.js';
import { without_objective } from '../../kinds/improvement.js';
import type { Checkpoint, EngineInput, Verification } from '../../engines/engine.js';
import type { ModelSolver, Solver } from '../../kinds/kind.js';
import { missionKind } from '../../kinds/table.js';
import { verifierOf } from '../../kinds/verifiers.js';
import type { Work } from '../../kinds/works.js';
import { hashOfResult, prepareResult, type EngineAnswer, type EngineMessage, type EngineTask } from './engine-protocol.js';
import { prepareAhead, serveTasks, Stopped, type OwnWatch } from './watched-thread.js';

function post(message: EngineMessage): void {
  const { prepared = null } = message.type === 'answered' ? message : {};
  parentPort?.postMessage(message, prepared === null ? [] : [prepared.bytes.buffer]);
}

const progress_step = 0.005;

/** Returns what an engine calls at its checkpoints. */
function checkpoints({ mustStop, alive }: OwnWatch): (done: number) => void {
  let reported = 0;
  return (done) => {
    if (mustStop()) throw new Stopped();
    alive();
    if (done - reported < progress_step) return;
    reported = done;
    post({ type: 'progress', done });
  };
}

function requireModel(kind: Kind): ModelSolver<Work> {
  const model = missionKind(kind).solver?.model;
  if (model === undefined) throw new TypeError(`${kind} missions use no language model`);
  return model;
}

/** Returns the verification, to which the result is computed again where that takes milliseconds. */
function again(
  { engine, isRecomputed }: Solver<Work>,
  input: EngineInput<Work>,
  checked: Verification,
  result_hash: string,
  checkpoint: Checkpoint,
): Verification {
  if (!isRecomputed || !checked.passed) return checked;
  const outcome = engine.run(input, checkpoint);
  if (isRefused(outcome) || hashOfResult(outcome.right.result) !== result_hash)
    return { ...checked, passed: false, failure: 'the engine gives another result' };
  return { ...checked, checks: [...checked.checks, 'computed again by the engine, with the same bytes'] };
}

function answer(task: EngineTask, checkpoint: (done: number) => void): EngineAnswer {
  const { kind, input } = task;
  if (input.work.kind !== kind) throw new TypeError(`the engine of ${kind} missions was given ${input.work.kind} work`);
  const { solver, improvement: improvementOf } = missionKind(kind);
  if (solver === null || solver.verify === null)
    return { type: 'refused', refusal: { code: 'engine_unavailable', detail: `there is no engine for ${kind} missions` } };
  const { engine } = solver;
  if (task.type === 'verify') {
    const { made = engine, result } = task;
    const verify = verifierOf(kind, made);
    if (verify === null) throw new TypeError(`there is no verifier of results of ${made.name} ${made.version}`);
    const result_hash = hashOfResult(result);
    const isHeld = made.name === engine.name && made.version === engine.version;
    const checked = verify(input, result);
    return {
      type: 'verified',
      verification: isHeld ? again(solver, input, checked, result_hash, checkpoint) : checked,
      result_hash,
    };
  }
  const { completion } = task;
  const outcome = completion === undefined ? engine.run(input, checkpoint) : requireModel(kind).run(input, completion);
  if (isRefused(outcome)) return { type: 'refused', refusal: outcome.left };
  const { result, iterations, solution } = outcome.right;
  post({ type: 'verifying' });
  const checked = (completion === undefined ? solver : requireModel(kind)).verify(input, result);
  const text = canonicalJson(result);
  const prepared = prepareResult(text);
  const result_hash = sha256Hex(text);
  const verification = completion === undefined ? again(solver, input, checked, result_hash, checkpoint) : checked;
  const improvement = verification.passed ? improvementOf(input.work, result) : without_objective;
  return { type: 'answered', result, prepared, iterations, solution, verification, improvement, result_hash };
}

prepareAhead(function* () {
  for (const kind of kinds) yield* missionKind(kind).solver?.prepare?.() ?? [];
});

serveTasks<EngineTask>((task, watch) => {
  try {
    post(answer(task, checkpoints(watch)));
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    post({ type: 'stopped' });
  }
  return () => undefined;
});

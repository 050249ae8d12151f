/**
 * The engine's thread: runs engines and verifiers, one task after the other, and posts one answer to each. Reports progress, and stops at a checkpoint on
 * request.
 */
import { canonicalJson } from '../../base/canonical-json.js';
import { sha256Hex } from '../../base/bytes.js';
import { isRefused, type Result } from '../../base/refusal.js';
import type { Answer, Checkpoint, Engine, EngineInput, Verification, Verify } from '../../engines/engine.js';
import { without_objective } from '../../kinds/improvement.js';
import type { Solver } from '../../kinds/kind.js';
import { missionKind } from '../../kinds/table.js';
import { isRecomputed, solverOf, verifierOf } from '../../kinds/verifiers.js';
import type { Work } from '../../kinds/works.js';
import { type EngineAnswer, type EngineNews, type EngineTask, hashOfResult, prepareResult } from './engine-thread.js';
import { serveTasks, type TaskWatch } from './watched-thread.js';

type EngineWatch = Pick<TaskWatch<EngineNews>, 'checkpoint' | 'mustConclude' | 'tell'>;

const progress_step = 0.005;

/** Returns what an engine calls at its checkpoints. */
function checkpoints({ checkpoint, mustConclude, tell }: EngineWatch): Checkpoint {
  let reported = 0;
  return (done) => {
    checkpoint();
    if (done - reported >= progress_step) {
      reported = done;
      tell(done);
    }
    return mustConclude();
  };
}

const refused: EngineAnswer = {
  type: 'refused',
  refusal: { code: 'engine_unavailable', detail: 'no thread has an engine for this kind of missions' },
};

/** What a task needs of its kind. */
interface LoadedEngine {
  readonly engine: Engine<Work, unknown>;
  readonly verify: Verify<Work>;
  readonly isHeld: boolean;
  /** Returns what the engine gives, or the completion of a language model in its place. */
  readonly compute: (checkpoint: Checkpoint) => Result<Answer<unknown>>;
}

async function load(solver: Solver<Work>, task: EngineTask): Promise<LoadedEngine> {
  const { input } = task;
  const completion = task.type === 'run' ? task.completion : undefined;
  const model = completion === undefined ? undefined : solver.model;
  if (completion !== undefined && model === undefined) throw new TypeError(`${task.kind} missions use no language model`);
  const made = (task.type === 'verify' ? task.made : model?.engine) ?? solver.engine;
  const verifier = verifierOf(solver, made);
  if (verifier === null) throw new TypeError(`there is no verifier of results of ${made.name} ${made.version}`);
  const [engine, verify, read] = await Promise.all([solver.engine.load(), verifier(), model?.engine.load()]);
  const compute: LoadedEngine['compute'] =
    read === undefined || completion === undefined
      ? (checkpoint) => engine.run(input, checkpoint)
      : () => read(input, completion);
  return { engine, verify, isHeld: isRecomputed(solver, made), compute };
}

/** Verifies a result, and computes it again where that takes milliseconds. */
function verified(
  { engine, verify, isHeld }: LoadedEngine,
  input: EngineInput<Work>,
  result: unknown,
  hash: string,
  checkpoint: Checkpoint,
): Verification {
  const checked = verify(input, result);
  if (!isHeld || !checked.passed) return checked;
  const again = engine.run(input, checkpoint);
  if (isRefused(again) || hashOfResult(again.right.result) !== hash)
    return { ...checked, passed: false, failure: 'the engine gives another result' };
  return { ...checked, checks: [...checked.checks, 'computed again by the engine, with the same bytes'] };
}

function answer(task: EngineTask, loaded: LoadedEngine, watch: EngineWatch): EngineAnswer {
  const { kind, input } = task;
  const checkpoint = checkpoints(watch);
  if (task.type === 'verify') {
    const result_hash = hashOfResult(task.result);
    return { type: 'verified', verification: verified(loaded, input, task.result, result_hash, checkpoint), result_hash };
  }
  const outcome = loaded.compute(checkpoint);
  if (isRefused(outcome)) return { type: 'refused', refusal: outcome.left };
  const { result, iterations, iterations_limit, solution } = outcome.right;
  watch.tell('verifying');
  const text = canonicalJson(result);
  const prepared = prepareResult(text);
  const result_hash = sha256Hex(text);
  const bounded = { ...input, effort: { ...input.effort, iterations_limit } };
  const verification = verified(loaded, bounded, result, result_hash, checkpoint);
  const improvement = verification.passed ? missionKind(kind).improvement(input.work, result) : without_objective;
  return { type: 'answered', result, prepared, iterations, iterations_limit, solution, verification, improvement, result_hash };
}

serveTasks<EngineTask, EngineAnswer, EngineNews>(
  async (task, watch) => {
    const { kind, input } = task;
    if (input.work.kind !== kind) throw new TypeError(`the engine of ${kind} missions was given ${input.work.kind} work`);
    const solver = solverOf(kind);
    return solver === null ? refused : answer(task, await load(solver, task), watch);
  },
  (answered) => (answered.type === 'answered' ? (answered.prepared?.bytes.buffer ?? null) : null),
);

/** The engine of code missions: in place of a thread, the candidate runs in a container. */
import { canonicalJson } from '../../base/canonical-json.js';
import { sha256Hex } from '../../base/hash.js';
import { RefusalError } from '../../base/result.js';
import { without_objective } from '../../kinds/improvement.js';
import { checkResult, codeOf, heldoutFailure, resultOf } from '../../kinds/code/benchmark.js';
import type { World } from '../home/home.js';
import { hashOfResult, prepareResult, type EngineAnswer, type EngineTask } from '../threads/engine-protocol.js';
import type { RunEngine, Watch } from '../threads/engine-thread.js';
import { benchmarkOfTask, runBenchmark, StoppedRun, workOf, type RunReport } from './benchmark.js';
import { requireSandbox, type Sandbox } from './sandbox.js';

/** Returns the function that runs and verifies code missions in the sandbox that the environment describes. */
export const codeEngineOf =
  (env: World['env']): RunEngine =>
  async (task, watch = {}) => {
    try {
      return task.type === 'run' ? await run(env, task, watch) : await verify(await requireSandbox(env), task, watch);
    } catch (error) {
      if (error instanceof StoppedRun) return { type: 'stopped' };
      // A run that cannot go on fails its mission; a verification that cannot be made decides nothing.
      if (error instanceof RefusalError && task.type === 'run') return { type: 'refused', refusal: error.refusal };
      throw error;
    }
  };

async function run(env: World['env'], task: EngineTask, watch: Watch): Promise<EngineAnswer> {
  const sandbox = await requireSandbox(env);
  const [work, benchmark] = [workOf(task), benchmarkOfTask(task)];
  const { candidate: code, language } = work;
  const { verdicts, report } = await runBenchmark(sandbox, language, code, benchmark, watch);
  const codegen = codegenOf(sandbox, [{ ...report, source: 'given' }]);
  const failure = heldoutFailure(verdicts);
  if (failure !== null) return { type: 'refused', refusal: { code: 'execution_failed', detail: failure }, codegen };
  const ran = { code, image: sandbox.image, verdicts };
  const result = resultOf(work, benchmark, ran);
  const text = canonicalJson(result);
  return {
    type: 'answered',
    result,
    prepared: prepareResult(text),
    iterations: null,
    solution: null,
    verification: checkResult(work, benchmark, result, ran),
    improvement: without_objective,
    result_hash: sha256Hex(text),
    codegen,
  };
}

/** Runs the code of a result again. */
async function verify(sandbox: Sandbox, task: EngineTask & { readonly type: 'verify' }, watch: Watch): Promise<EngineAnswer> {
  const [work, benchmark] = [workOf(task), benchmarkOfTask(task)];
  const result_hash = hashOfResult(task.result);
  const code = codeOf(task.result);
  if (code === null)
    return { type: 'verified', result_hash, verification: { passed: false, checks: [], failure: 'the result holds no code' } };
  const { verdicts } = await runBenchmark(sandbox, work.language, code, benchmark, watch);
  const again = { code, image: sandbox.image, verdicts };
  return { type: 'verified', result_hash, verification: checkResult(work, benchmark, task.result, again) };
}

type Attempted = RunReport & { readonly source: 'given' };

/** Returns what the stage codegen records: where the candidates ran, and how each of them fared. */
const codegenOf = ({ engine, version, image }: Sandbox, attempts: readonly Attempted[]): Readonly<Record<string, unknown>> => ({
  artifact_type: 'application/json',
  execution: 'the candidate ran in a container without network',
  container_engine: { name: engine.name, version },
  image,
  attempts,
});

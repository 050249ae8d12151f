/** The engine of code missions: in place of a thread, the candidate runs in a container. */
import { canonicalJson } from '../../base/canonical-json.js';
import { sha256Hex } from '../../base/bytes.js';
import { isRefused, type Refusal, RefusalError, refuse, type Result, unwrap } from '../../base/refusal.js';
import type { Inference } from '../../codec/chat-completion.js';
import type { Kind } from '../../codec/kinds.js';
import { checkResult, codeOf, heldoutFailure, resultOf } from '../../kinds/code/benchmark.js';
import { without_objective } from '../../kinds/improvement.js';
import { needsSandbox } from '../../kinds/table.js';
import { removeLeftContainers } from '../../sandbox/left.js';
import { engine_stop_grace_ms } from '../../base/limits.js';
import { shorten } from '../../base/text.js';
import { type Benchmark, benchmarkOf } from '../../kinds/code/cases.js';
import { judge, passedIn, type Verdicts } from '../../kinds/code/judge.js';
import { candidateIn, candidatePrompt, type Feedback } from '../../kinds/code/generation.js';
import type { FailedCase } from '../../kinds/code/view.js';
import type { CodeWork } from '../../kinds/code/work.js';
import { type CandidateRan, runCandidate, runDeadline } from '../../sandbox/run.js';
import type { Home, World } from '../home/home.js';
import {
  type EngineAnswer,
  type EngineTask,
  hashOfResult,
  prepareResult,
  type RunEngine,
  runOnThread,
  type Watch,
} from '../threads/engine-thread.js';
import { Stopped } from '../threads/watched-thread.js';
import { type Generator, generatorOf, requireSandbox, type Sandbox, stoppable } from './sandbox.js';

interface CodeEngineOptions {
  readonly generator?: () => Result<Generator>;
  /** The id of the home; none for an export that is verified without a home. */
  readonly home?: string;
}

/** Returns the function that runs and verifies code missions in the sandbox that the environment describes. */
export const codeEngineOf =
  (env: World['env'], { generator = () => refuse(noGenerator), home }: CodeEngineOptions = {}): RunEngine =>
  async (task, watch = {}) => {
    try {
      const sandbox = { ...(await requireSandbox(env)), home };
      if (task.type === 'verify') return await verify(sandbox, task, watch);
      if (home !== undefined) await removeLeftContainers(sandbox.engine, sandbox.settings.clientEnv, home);
      return await run(sandbox, generator, task, watch);
    } catch (error) {
      if (error instanceof Stopped) return { type: 'stopped' };
      // A run that cannot continue fails its mission, whose input is not at fault; a verification that cannot be made decides nothing.
      if (!(error instanceof RefusalError) || task.type !== 'run') throw error;
      const detail = `${error.refusal.detail}; when that is fixed, recover the mission`;
      return { type: 'refused', refusal: { ...error.refusal, detail } };
    }
  };

const noGenerator: Refusal = { code: 'provider_unconfigured', detail: 'there is no language model to write a candidate' };

interface Candidate {
  readonly code: string;
  /** Null for a given candidate. */
  readonly inference: Inference | null;
  /** What became of those before it, which failed examples. */
  readonly before: readonly Attempt[];
}

async function candidateOf(
  sandbox: Sandbox,
  generator: () => Result<Generator>,
  task: EngineTask,
  watch: Watch,
): Promise<Generation> {
  const work = workOf(task);
  if (work.candidate !== '') return { code: work.candidate, inference: null, before: [] };
  return generate({ sandbox, generator: unwrap(generator()) }, { goal: task.input.goal, work }, benchmarkOfTask(task), watch);
}

async function run(sandbox: Sandbox, generator: () => Result<Generator>, task: EngineTask, watch: Watch): Promise<EngineAnswer> {
  const [work, benchmark] = [workOf(task), benchmarkOfTask(task)];
  const candidate = await candidateOf(sandbox, generator, task, watch);
  const { before } = candidate;
  if ('refusal' in candidate) {
    const { refusal, inference } = candidate;
    return { type: 'refused', refusal, inference, codegen: codegenOf(sandbox, before) };
  }
  const { code, inference } = candidate;
  const call = inference === null ? {} : { inference };
  const { verdicts, outputs, report } = await runBenchmark(sandbox, work.language, code, benchmark, watch);
  const own = inference === null ? ({ source: 'given' } as const) : ({ source: 'generated', inference } as const);
  const failure = heldoutFailure(verdicts, outputs.slice(benchmark.examples.length));
  if (failure !== null) {
    // The code of a result is in the result; that of a failed mission only here.
    const failed = codegenOf(sandbox, [...before, { ...report, ...own, ...(inference === null ? {} : { code }) }]);
    return { type: 'refused', refusal: { code: 'execution_failed', detail: failure }, codegen: failed, ...call };
  }
  const codegen = codegenOf(sandbox, [...before, { ...report, ...own }]);
  const ran = { code, image: sandbox.image, verdicts, outputs };
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
    ...call,
  };
}

/** Runs the code of a result again. */
async function verify(sandbox: Sandbox, task: EngineTask & { readonly type: 'verify' }, watch: Watch): Promise<EngineAnswer> {
  const [work, benchmark] = [workOf(task), benchmarkOfTask(task)];
  const result_hash = hashOfResult(task.result);
  const code = codeOf(task.result);
  if (code === null)
    return { type: 'verified', result_hash, verification: { passed: false, checks: [], failure: 'the result holds no code' } };
  const { verdicts, outputs } = await runBenchmark(sandbox, work.language, code, benchmark, watch);
  const again = { code, image: sandbox.image, verdicts, outputs };
  return { type: 'verified', result_hash, verification: checkResult(work, benchmark, task.result, again) };
}

type Attempt = RunReport & { readonly source: 'given' | 'generated'; readonly inference?: Inference; readonly code?: string };

/** Returns what the stage codegen records: where the candidates ran, and how each of them fared. */
const codegenOf = ({ engine, version, image }: Sandbox, attempts: readonly Attempt[]): Readonly<Record<string, unknown>> => ({
  artifact_type: 'application/json',
  execution: 'candidates run in a container without network',
  container_engine: { name: engine.name, version },
  image,
  attempts,
});

export function engineFor({ world: { env }, config, signer }: Pick<Home, 'world' | 'config' | 'signer'>, kind: Kind): RunEngine {
  if (!needsSandbox(kind)) return runOnThread;
  return codeEngineOf(env, { generator: () => generatorOf(config(), env), home: signer.identity });
}

// Candidates that a language model writes. Each that fails an example is followed by another, which is told of those failures, up to
// `max_generations`. The first that passes its examples, or else the last one, is the candidate; only it meets the held-out cases.

type Generation =
  | Candidate
  | {
      readonly refusal: Refusal;
      /** The last call that was answered. */
      readonly inference: Inference | undefined;
      readonly before: readonly Attempt[];
    };

async function generate(
  { sandbox, generator }: { readonly sandbox: Sandbox; readonly generator: Generator },
  { goal, work }: { readonly goal: string; readonly work: CodeWork },
  { examples }: Benchmark,
  watch: Watch,
): Promise<Generation> {
  const before: Attempt[] = [];
  const { language } = work;
  for (let feedback: Feedback | null = null; ; ) {
    const prompt = candidatePrompt({ goal, language }, examples, feedback, generator.max_tokens);
    const completed = await stoppable(watch, generator.call_ms_max + engine_stop_grace_ms, (signal) =>
      generator.ask(prompt, signal),
    );
    if (isRefused(completed)) {
      const { inference = before.at(-1)?.inference, ...refusal } = completed.left;
      return { refusal, inference, before };
    }
    const { value, inference } = completed.right;
    const candidate = candidateIn(value);
    if (isRefused(candidate)) return { refusal: candidate.left, inference, before };
    const code = candidate.right;
    if (examples.length === 0 || before.length + 1 >= generator.generations_max) return { code, inference, before };
    const tried = await runBenchmark(sandbox, language, code, { examples, heldout: [] }, watch);
    if (passedIn(tried.verdicts.examples) === examples.length) return { code, inference, before };
    before.push({ ...tried.report, source: 'generated', inference, code });
    feedback = feedbackOf(code, examples, tried);
  }
}

const feedbackOf = (code: string, examples: Benchmark['examples'], { verdicts, outputs }: BenchmarkRun): Feedback => ({
  code,
  failures: examples.flatMap((example, i) => {
    const verdict = verdicts.examples[i] ?? 'missing';
    return verdict === 'passed' ? [] : [{ example, verdict, given: outputs[i]?.text ?? '' }];
  }),
});

// Runs the candidate of a code mission in the sandbox and judges its outputs.

export interface BenchmarkRun {
  readonly verdicts: Verdicts;
  /** What the stage records of the run. */
  readonly report: RunReport;
  readonly outputs: CandidateRan['outputs'];
}

export interface RunReport {
  readonly code_hash: string;
  readonly ended: string;
  readonly status: number | null;
  readonly elapsed_ms: number;
  readonly verdicts: Verdicts;
  /** The first cases that failed. */
  readonly failures: readonly FailedCase[];
}

export const workOf = ({ input }: EngineTask): CodeWork => {
  if (input.work.kind !== 'code') throw new TypeError(`code missions were given ${input.work.kind} work`);
  return input.work;
};

/** Returns the cases with the number tokens of the request as it was queued. */
export function benchmarkOfTask({ requestText }: EngineTask): Benchmark {
  if (requestText === undefined) throw new TypeError('a code mission was given without the text of its request');
  return unwrap(benchmarkOf(requestText));
}

/** @throws Stopped when the watch ends the run; RefusalError `engine_unavailable` when the engine failed */
export async function runBenchmark(
  sandbox: Sandbox,
  language: CodeWork['language'],
  code: string,
  benchmark: Benchmark,
  watch: Watch,
): Promise<BenchmarkRun> {
  const cases = [...benchmark.examples, ...benchmark.heldout];
  const args = cases.map((testCase) => testCase.args);
  const quiet_ms = runDeadline(cases.length, sandbox.settings.cpu_s) + 2 * engine_stop_grace_ms;
  const { outputs, ...ran } = await stoppable(watch, quiet_ms, (signal) =>
    runCandidate(sandbox.settings, sandbox, { language, code, args, signal, home: sandbox.home }),
  );
  const verdicts = judge(benchmark, outputs, language);
  const report = {
    code_hash: sha256Hex(code),
    ended: ran.end,
    status: ran.status,
    elapsed_ms: ran.elapsed_ms,
    verdicts,
    failures: failuresIn(benchmark, verdicts, { outputs, ...ran }),
  };
  return { verdicts, outputs, report };
}

const failures_max = 5;
const text_chars_max = 200;
const beginning = (text: string): string => shorten(text, text_chars_max);

const outOfRange = 'beyond ±(2^53 − 1), or nested deeper than 64 levels';

/** What left cases without an output. */
const endOfRun: Readonly<Record<CandidateRan['end'], string>> = {
  exited: 'the run gave no output',
  memory_limit: 'the memory of the whole run was full',
  killed: 'the whole run was killed',
  deadline: 'the run took too long',
  output_limit: 'the run wrote too much output',
  aborted: 'the run was stopped',
};

function failuresIn(
  benchmark: Benchmark,
  verdicts: Verdicts,
  { outputs, end }: Pick<CandidateRan, 'outputs' | 'end'>,
): FailedCase[] {
  // The cases run in their order, so the first without an output is the one that was running.
  const running = outputs.indexOf(null);
  const noOutput = (at: number): string => `${at === running ? 'stopped' : 'not reached'}: ${endOfRun[end]}`;
  const failed = (set: 'examples' | 'heldout', from: number): FailedCase[] =>
    benchmark[set].flatMap(({ args, expected }, i) => {
      const verdict = verdicts[set][i] ?? 'missing';
      const { outcome, text } = outputs[from + i] ?? { text: noOutput(from + i) };
      const given = beginning(verdict === 'invalid' && outcome === 'returned' ? `${outOfRange}: ${text}` : text);
      return verdict === 'passed'
        ? []
        : [{ set, case: i + 1, verdict, args: beginning(args), expected: beginning(expected), given }];
    });
  return [...failed('examples', 0), ...failed('heldout', benchmark.examples.length)].slice(0, failures_max);
}

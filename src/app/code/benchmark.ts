/** Runs the candidate of a code mission in the sandbox and judges its outputs. */
import { sha256Hex } from '../../base/bytes.js';
import { unwrap } from '../../base/refusal.js';
import { engine_stop_grace_ms } from '../../base/limits.js';
import { type Benchmark, benchmarkOf } from '../../kinds/code/cases.js';
import { judge, type Verdict, type Verdicts } from '../../kinds/code/judge.js';
import type { CodeWork } from '../../kinds/code/work.js';
import { type CandidateRan, runCandidate, runDeadline } from '../../sandbox/run.js';
import type { EngineTask, Watch } from '../threads/engine-thread.js';
import { type Sandbox, stoppable } from './sandbox.js';

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
  readonly failures: readonly Failure[];
}

interface Failure {
  readonly set: 'examples' | 'heldout';
  /** From 1. */
  readonly case: number;
  readonly verdict: Verdict;
  /** The beginnings of the JSON texts of the arguments and of the expected value. */
  readonly args: string;
  readonly expected: string;
  /** The beginning of what the candidate returned, or what happened in its place. */
  readonly given: string;
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

/** @throws StoppedRun when the watch ends the run; RefusalError `engine_unavailable` when the container could not start */
export async function runBenchmark(
  sandbox: Sandbox,
  language: CodeWork['language'],
  code: string,
  benchmark: Benchmark,
  watch: Watch,
): Promise<BenchmarkRun> {
  const cases = [...benchmark.examples, ...benchmark.heldout];
  const args = cases.map((one) => one.args);
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
const beginning = (text: string): string => text.slice(0, text_chars_max).toWellFormed();

/** What happened to the cases that a run did not come to. */
const unreached: Readonly<Record<CandidateRan['end'], string>> = {
  exited: 'no output',
  memory_limit: 'not reached: the memory of the whole run was full',
  killed: 'not reached: the candidate killed the whole run',
  deadline: 'not reached: the run took too long',
  output_limit: 'not reached: the run wrote too much output',
  aborted: 'not reached: the run was stopped',
};

function failuresIn(
  benchmark: Benchmark,
  verdicts: Verdicts,
  { outputs, end }: Pick<CandidateRan, 'outputs' | 'end'>,
): Failure[] {
  const failed = (set: Failure['set'], from: number): Failure[] =>
    benchmark[set].flatMap(({ args, expected }, i) => {
      const verdict = verdicts[set][i] ?? 'missing';
      const given = beginning(outputs[from + i]?.text ?? unreached[end]);
      return verdict === 'passed'
        ? []
        : [{ set, case: i + 1, verdict, args: beginning(args), expected: beginning(expected), given }];
    });
  return [...failed('examples', 0), ...failed('heldout', benchmark.examples.length)].slice(0, failures_max);
}

/** Runs the candidate of a code mission in the sandbox and judges its outputs. */
import { sha256Hex } from '../../base/hash.js';
import { unwrap } from '../../base/result.js';
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
  /** The first cases that failed, with the beginning of what the candidate gave. */
  readonly failures: readonly Failure[];
}

interface Failure {
  readonly set: 'examples' | 'heldout';
  /** From 1. */
  readonly case: number;
  readonly verdict: Verdict;
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
    failures: failuresIn(verdicts, outputs),
  };
  return { verdicts, outputs, report };
}

const failures_max = 5;
const given_chars_max = 200;

function failuresIn({ examples, heldout }: Verdicts, outputs: CandidateRan['outputs']): Failure[] {
  const failed = (set: Failure['set'], list: readonly Verdict[], from: number): Failure[] =>
    list.flatMap((verdict, i) => {
      const given = (outputs[from + i]?.text ?? '').slice(0, given_chars_max).toWellFormed();
      return verdict === 'passed' ? [] : [{ set, case: i + 1, verdict, given }];
    });
  return [...failed('examples', examples, 0), ...failed('heldout', heldout, examples.length)].slice(0, failures_max);
}

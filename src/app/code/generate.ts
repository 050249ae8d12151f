/**
 * Candidates that a language model writes. Each that fails an example is followed by another, which is told of those failures, up to
 * `max_generations`. The first that passes its examples, or else the last one, is the candidate; only it meets the held-out cases.
 */
import { engine_stop_grace_ms } from '../../base/limits.js';
import type { Refusal } from '../../base/refusal.js';
import { isRefused } from '../../base/result.js';
import type { Inference } from '../../codec/chat-completion.js';
import type { Benchmark } from '../../kinds/code/cases.js';
import { passedIn } from '../../kinds/code/judge.js';
import { candidateIn, candidatePrompt, type Feedback } from '../../kinds/code/generation.js';
import type { CodeWork } from '../../kinds/code/work.js';
import type { Watch } from '../threads/engine-thread.js';
import { runBenchmark, type BenchmarkRun, type RunReport } from './benchmark.js';
import type { Generator } from './require.js';
import { type Sandbox, stoppable } from './sandbox.js';

/** A candidate that the model wrote and that was passed over, with what it failed. */
export type Passed = RunReport & { readonly source: 'generated'; readonly inference: Inference; readonly code: string };

export interface Generated {
  readonly code: string;
  readonly inference: Inference;
  /** The candidates before it. */
  readonly before: readonly Passed[];
}

export type Generation =
  | Generated
  | {
      readonly refusal: Refusal;
      /** The last call that was answered. */
      readonly inference: Inference | undefined;
      readonly before: readonly Passed[];
    };

export async function generate(
  { sandbox, generator }: { readonly sandbox: Sandbox; readonly generator: Generator },
  { goal, work }: { readonly goal: string; readonly work: CodeWork },
  { examples }: Benchmark,
  watch: Watch,
): Promise<Generation> {
  const before: Passed[] = [];
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

/** Judges the outputs of a candidate. Outputs come from untrusted code: each is only compared, never interpreted. */
import type { Benchmark, Case } from './cases.js';
import { isSame, written, type Language } from './compare.js';

/**
 * `wrong`: another value than expected; `raised`: an error; `invalid`: no JSON value, or a number that is not finite or beyond ±(2^53 − 1);
 * `too_large`: more output than is allowed; `missing`: the process of the case was stopped, or ended, before it gave an output.
 */
export const verdicts = ['passed', 'wrong', 'raised', 'invalid', 'too_large', 'missing'] as const;
export type Verdict = (typeof verdicts)[number];

/** What was said of a case. */
export interface Output {
  readonly outcome: 'returned' | 'raised' | 'invalid' | 'too_large' | 'missing';
  /** The JSON text of a value that was returned, else what happened. */
  readonly text: string;
}

export type Verdicts = Readonly<ReturnType<typeof judge>>;

export function verdictOf({ expected }: Case, output: Output | null, language: Language): Verdict {
  if (output === null) return 'missing';
  if (output.outcome !== 'returned') return output.outcome;
  const [wanted, given] = [written(expected), written(output.text)];
  if (given === null || wanted === null) return 'invalid';
  return isSame(wanted, given, language) ? 'passed' : 'wrong';
}

/** Returns the verdict of each case. @param outputs by the place of the case, examples first */
export function judge({ examples, heldout }: Benchmark, outputs: readonly (Output | null)[], language: Language) {
  const verdict = (testCase: Case, at: number): Verdict => verdictOf(testCase, outputs[at] ?? null, language);
  return {
    examples: examples.map((testCase, i) => verdict(testCase, i)),
    heldout: heldout.map((testCase, i) => verdict(testCase, examples.length + i)),
  };
}

export const passedIn = (list: readonly Verdict[]): number => list.filter((verdict) => verdict === 'passed').length;

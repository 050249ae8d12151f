/** Makes and checks the result of a code mission. The candidate runs elsewhere; here are only the rules. */
import { sha256Hex } from '../../base/bytes.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { isRefused } from '../../base/refusal.js';
import { decode } from '../../codec/kit.js';
import type { Verification } from '../../engines/engine.js';
import { benchmarkHash, type Benchmark } from './cases.js';
import { type Output, passedIn, type Verdict, type Verdicts } from './judge.js';
import { codeResult, type CodeResult } from './result.js';
import type { CodeWork } from './work.js';

/** Increased whenever a runner, a verdict or the result's form changes. */
export const codeEngine = { name: 'sandboxed-benchmark', version: '1.0.0' } as const;

const methods = { given: 'given candidate, sandboxed benchmark', generated: 'generated candidate, sandboxed benchmark' };
const limits =
  'The candidate returned the expected value for each held-out case. Other arguments, its running time and its safety outside the sandbox were not tested.';

export interface Ran {
  readonly code: string;
  /** The id of the image. */
  readonly image: string;
  readonly verdicts: Verdicts;
  /** The outputs of all cases, examples first. */
  readonly outputs: readonly (Output | null)[];
}

export function resultOf(work: CodeWork, benchmark: Benchmark, { code, image, verdicts }: Ran): CodeResult {
  const passed = passedIn(verdicts.heldout);
  const case_count = benchmark.heldout.length;
  return {
    method: work.candidate === '' ? methods.generated : methods.given,
    language: work.language,
    image,
    code,
    code_hash: sha256Hex(code),
    benchmark_hash: benchmarkHash(benchmark),
    case_count,
    passed,
    accuracy: Number((passed / case_count).toPrecision(12)),
    verdicts,
    limits,
  };
}

/**
 * Returns the failure of held-out cases, for people; null when all passed. It names no arguments and no values: whoever is not to learn the held-out
 * cases can be told it.
 * @param outputs of the held-out cases, which say why one has no output
 */
export function heldoutFailure({ heldout }: Verdicts, outputs: readonly (Output | null)[] = []): string | null {
  const words = (verdict: Verdict, i: number): string =>
    verdict === 'missing' ? (outputs[i]?.text ?? wordsOf.missing) : wordsOf[verdict];
  const failed = heldout.flatMap((verdict, i) => (verdict === 'passed' ? [] : [`case ${i + 1} (${words(verdict, i)})`]));
  if (failed.length === 0) return null;
  const more = failed.length > named_cases_max ? `; and ${failed.length - named_cases_max} more` : '';
  const named = `${failed.slice(0, named_cases_max).join(', ')}${more}`;
  return `${failed.length} of ${heldout.length} held-out cases failed: ${named}`;
}

const named_cases_max = 5;
const wordsOf = {
  passed: 'passed',
  wrong: 'another value than expected',
  raised: 'an error',
  invalid: 'no valid JSON value',
  too_large: 'too much output',
  missing: 'no output',
} as const;

/**
 * Checks a result against a new run of its candidate.
 * @param result untrusted JSON
 * @param again the new run of the result's code
 */
export function checkResult(work: CodeWork, benchmark: Benchmark, result: unknown, again: Ran): Verification {
  const checks: string[] = [];
  const failed = (failure: string): Verification => ({ passed: false, checks, failure });
  const decoded = decode(codeResult, result);
  if (isRefused(decoded)) return failed(`the result does not decode: ${decoded.left.detail}`);
  if (work.candidate !== '' && decoded.right.code !== work.candidate) return failed('the code is not the given candidate');
  checks.push('the code is the candidate');
  if (decoded.right.image !== again.image)
    return failed(`it was made in image ${decoded.right.image}, and AGENT_SANDBOX_IMAGE is ${again.image}`);
  const failure = heldoutFailure(again.verdicts, again.outputs.slice(benchmark.examples.length));
  if (failure !== null) return failed(failure);
  checks.push(`all ${benchmark.heldout.length} held-out cases passed in image ${again.image}`);
  // Canonical forms, because the order of members does not count.
  if (canonicalJson(resultOf(work, benchmark, again)) !== canonicalJson(decoded.right))
    return failed('a new run gives another result');
  checks.push('a new run gives the same result');
  return { passed: true, checks, failure: null };
}

/** Returns the code of a result, which a new run needs; null for a result without code. */
export function codeOf(result: unknown): string | null {
  const decoded = decode(codeResult, result);
  return isRefused(decoded) ? null : decoded.right.code;
}

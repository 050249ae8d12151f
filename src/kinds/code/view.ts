/**
 * The members of a code result, and of its stage codegen, that are drawn for people. A result of another version may carry more members,
 * which are ignored; one that lacks any of these is not drawn.
 */
import * as t from 'io-ts';
import type { FieldError } from '../../base/refusal.js';
import type { Stage } from '../../codec/record.js';
import { inputsFor, listed } from '../inputs.js';
import { finite, maybe, texts, viewOf } from '../view-fields.js';
import { type CodeWork, codeWork } from './work.js';

const verdicts = t.type({ examples: t.array(t.string), heldout: t.array(t.string) });

export const codeResultView = t.type({
  method: t.string,
  image: t.string,
  code: t.string,
  case_count: finite,
  passed: finite,
  accuracy: finite,
  verdicts,
  limits: texts,
});
export type CodeView = t.TypeOf<typeof codeResultView>;

const cases = t.array(t.type({ args: t.array(t.unknown), expected: t.unknown }));

/** Requests of the reference agent have no language. */
export const codeRequest = t.type({
  work: t.type({ language: maybe(t.string), candidate: t.string, examples: cases, heldout: cases }),
});
export type CodeInput = t.TypeOf<typeof codeRequest>;

type Case = CodeWork['heldout'][number];

const caseCells = {
  args: ({ args }: Case) => argsText(args),
  expected: ({ expected }: Case) => JSON.stringify(expected),
};

export const argsText = (args: readonly unknown[]): string => args.map((arg) => JSON.stringify(arg)).join(', ');

export const codeInputs = inputsFor(codeWork, ({ language, candidate, examples, heldout }) => ({
  facts: [['language', language]],
  ...(candidate === '' ? {} : { listing: { member: 'candidate', text: candidate } }),
  tables: [listed('examples', examples, caseCells), listed('heldout', heldout, caseCells)].filter(({ rows }) => rows.length > 0),
  names: { candidate: 'program', heldout: 'held-out cases', args: 'arguments' },
}));

const words: Readonly<Record<string, string>> = {
  wrong: 'wrong value',
  raised: 'error',
  invalid: 'invalid value',
  too_large: 'too much output',
  missing: 'no output',
};

export const verdictWords = (verdict: string): string => (Object.hasOwn(words, verdict) ? (words[verdict] ?? verdict) : verdict);

const failure = t.type({
  set: t.string,
  /** From 1. */
  case: finite,
  verdict: t.string,
  /** The JSON texts of the arguments and of the expected value, and what the candidate returned or what ended it; long ones are cut. */
  args: t.string,
  expected: t.string,
  given: t.string,
});

export type FailedCase = t.TypeOf<typeof failure>;

/** Returns what happened in a failed case. */
export function failureText({ verdict, expected, given }: FailedCase): string {
  if (verdict === 'wrong') return `expected ${expected}, returned ${given}`;
  return verdict === 'invalid' || verdict === 'too_large' ? `${verdictWords(verdict)}: ${given}` : given;
}

export const codegenView = t.type({
  image: t.string,
  attempts: t.array(
    t.type({
      source: t.string,
      ended: t.string,
      elapsed_ms: finite,
      verdicts,
      failures: t.array(failure),
      /** A generated candidate that did not become the result. */
      code: maybe(t.string),
    }),
  ),
});
export type CodegenView = t.TypeOf<typeof codegenView>;

/** Returns what happened in each recorded failed case of the last candidate, with its place in the request. */
export function failedCases(stages: readonly Pick<Stage, 'role' | 'detail'>[]): FieldError[] {
  const noted = stages.findLast(({ role }) => role === 'codegen');
  const failures = noted === undefined ? [] : (viewOf(codegenView, noted.detail)?.attempts.at(-1)?.failures ?? []);
  return failures.map((failure) => ({
    path: `work.${failure.set}[${failure.case - 1}]`,
    message: `solve(${failure.args.replace(/^\[|\]$/g, '')}): ${failureText(failure)}`,
  }));
}

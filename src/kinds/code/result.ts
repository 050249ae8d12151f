/** The result of a code mission, the members of its canonical JSON. It holds no times: the same candidate gives the same bytes. */
import type * as t from 'io-ts';
import * as limits from '../../base/limits.js';
import { choice, integer, list, number, object, required, text } from '../../codec/kit.js';
import { hash } from '../../codec/scalars.js';

/** Ends what a verdict may be; judge.ts says what each means. */
const verdict = choice('passed', 'wrong', 'raised', 'invalid', 'too_large', 'missing');

export const codeResult = object('CodeResult', {
  method: required(text()),
  language: required(choice('python', 'javascript')),
  /** The id of the image in which the candidate ran. */
  image: required(text({ pattern: /^sha256:[0-9a-f]{64}$/ })),
  code: required(text({ min: 1, max: limits.candidate_chars_max })),
  code_hash: required(hash),
  benchmark_hash: required(hash),
  /** Held-out cases. */
  case_count: required(integer(1, limits.code_heldout_max)),
  passed: required(integer(0, limits.code_heldout_max)),
  /** passed / case_count. */
  accuracy: required(number(0, 1)),
  verdicts: required(
    object('Verdicts', {
      examples: required(list(verdict, 0, limits.code_examples_max)),
      heldout: required(list(verdict, 1, limits.code_heldout_max)),
    }),
  ),
  limits: required(text()),
});

export type CodeResult = t.TypeOf<typeof codeResult>;

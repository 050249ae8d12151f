/** The work of a code mission: cases that a program must solve, some of them held out for the test. */
import * as t from 'io-ts';
import * as limits from '../../base/limits.js';
import { choice, list, object, required, text, withDefault } from '../../codec/kit.js';

const benchmarkCase = object('Case', {
  args: required(list(t.unknown, 0, limits.code_args_max)),
  expected: required(t.unknown),
});

export const codeWork = object('Code', {
  kind: required(choice('code')),
  language: withDefault(choice('python', 'javascript'), 'python'),
  examples: withDefault(list(benchmarkCase, 0, limits.code_examples_max), []),
  heldout: required(list(benchmarkCase, 1, limits.code_heldout_max)),
  candidate: withDefault(text({ max: limits.candidate_chars_max }), ''),
});

export type CodeWork = t.TypeOf<typeof codeWork>;

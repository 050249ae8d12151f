/** What a language model is asked for a candidate, and how its answer is read. Held-out cases are never part of it. */
import { canonicalJson } from '../../base/canonical-json.js';
import * as limits from '../../base/limits.js';
import { utf8 } from '../../base/bytes.js';
import { isRefused, ok, refuse, type Result } from '../../base/refusal.js';
import type { ChatPrompt } from '../../codec/chat-completion.js';
import { decode, list, object, required, text } from '../../codec/kit.js';
import type { Case } from './cases.js';
import { generated_bytes_max } from './constants.js';
import type { Verdict } from './judge.js';
import type { CodeWork } from './work.js';

/** A candidate that failed examples, and what it gave for them. */
export interface Feedback {
  readonly code: string;
  readonly failures: readonly { readonly example: Case; readonly verdict: Verdict; readonly given: string }[];
}

const given_chars_max = 500;

const system = (language: CodeWork['language']): string =>
  `You write one program in ${language === 'python' ? 'Python 3' : 'JavaScript'}. It defines a function named solve, which takes the arguments of a case and ` +
  'returns the expected value. Only the standard library is there; there is no network and no input. ' +
  'Reply with one JSON object whose member code_lines holds the lines of the program.';

const exampleText = ({ args, expected }: Case): string => `solve(...${args}) returns ${expected}`;

const feedbackText = ({ code, failures }: Feedback): string =>
  [
    'Your last program was:',
    code,
    'It failed these examples:',
    ...failures.map(
      ({ example, verdict, given }) =>
        `${exampleText(example)}; yours: ${verdict} ${given.slice(0, given_chars_max).toWellFormed()}`,
    ),
    'Write a corrected program.',
  ].join('\n');

/** Returns the prompt for a candidate. @param feedback on the last one, or null for the first */
export function candidatePrompt(
  { goal, language }: { readonly goal: string; readonly language: CodeWork['language'] },
  examples: readonly Case[],
  feedback: Feedback | null,
  maxTokens: number,
): ChatPrompt {
  const parts = [
    `Task: ${goal}`,
    ...(examples.length === 0 ? [] : ['Examples:', ...examples.map(exampleText)]),
    ...(feedback === null ? [] : [feedbackText(feedback)]),
  ];
  return {
    system: system(language),
    user: parts.join('\n\n'),
    schema: {
      name: 'candidate',
      schema: {
        type: 'object',
        properties: { code_lines: { type: 'array', items: { type: 'string' } } },
        required: ['code_lines'],
        additionalProperties: false,
      },
    },
    maxTokens,
  };
}

const inLines = object('CandidateLines', {
  code_lines: required(list(text({ max: limits.candidate_chars_max }), 1, limits.candidate_chars_max)),
});
const whole = object('CandidateText', { code: required(text({ min: 1, max: limits.candidate_chars_max })) });

/** Returns the program of a model's answer: `code_lines`, or the text `code`. */
export function candidateIn(value: unknown): Result<string> {
  const lines = decode(inLines, value);
  const code = isRefused(lines) ? decode(whole, value) : null;
  if (code !== null && isRefused(code)) return refuse(unusable('has neither code_lines nor code, or something else beside it'));
  const program = isRefused(lines) ? (code?.right.code ?? '') : `${lines.right.code_lines.join('\n')}\n`;
  if (program.trim() === '') return refuse(unusable('holds no program'));
  if (!program.isWellFormed()) return refuse(unusable('holds an unpaired surrogate'));
  if (utf8(canonicalJson(program)).length > generated_bytes_max)
    return refuse(unusable(`has more than ${generated_bytes_max} bytes`));
  return ok(program);
}

const unusable = (fault: string) => ({ code: 'provider_failed', detail: `the provider's response ${fault}` }) as const;

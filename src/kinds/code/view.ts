/**
 * The members of a code result, and of its stage codegen, that are drawn for people. A result of another version may carry more members,
 * which are ignored; one that lacks any of these is not drawn.
 */
import * as t from 'io-ts';
import { finite, maybe, texts } from '../view-fields.js';

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

export const codegenView = t.type({
  image: t.string,
  attempts: t.array(
    t.type({
      source: t.string,
      ended: t.string,
      elapsed_ms: finite,
      verdicts,
      failures: t.array(t.type({ set: t.string, case: finite, verdict: t.string, given: t.string })),
      /** A generated candidate that did not become the result. */
      code: maybe(t.string),
    }),
  ),
});
export type CodegenView = t.TypeOf<typeof codegenView>;

/** The report of a code mission: the program, and how it did on each case. */
import { shorten } from '../../base/text.js';
import { argsText, type CodeInput, codeRequest, codeResultView, verdictWords } from '../../kinds/code/view.js';
import { viewOf } from '../../kinds/view-fields.js';
import { count, percent } from '../../pictures/screen.js';
import { type Content, numberText, type Row, textsOf } from '../content.js';

export function codeContent(request: unknown, given: unknown): Content | null {
  const result = viewOf(codeResultView, given);
  if (result === null) return null;
  const input = viewOf(codeRequest, request)?.work;
  const { examples, heldout } = result.verdicts;
  const { passed, case_count, accuracy, image } = result;
  const source = input?.candidate === '' ? 'written by a language model' : 'given with the mission';
  const right = examples.filter((each) => each === 'passed').length;
  return {
    question: `Which program passes ${count(case_count, 'held-out case')}?`,
    inputs: [...(input === undefined ? [] : [['Program', source] as const]), ['Sandbox image', image]],
    answer: `The program passes ${numberText(passed)} of ${count(case_count, 'held-out case')}.`,
    figures: [
      ['Held-out cases passed', percent(accuracy)],
      ...(examples.length === 0 ? [] : [['Examples passed', `${right} of ${examples.length}`] as const]),
    ],
    chart: null,
    tables: [
      {
        title: 'Cases',
        isData: true,
        head: ['Set', 'Case', 'Call', 'Expected', 'Verdict'],
        rows: [...caseRows('held-out', heldout, input?.heldout), ...caseRows('example', examples, input?.examples)],
      },
    ],
    listing: result.code,
    limits: textsOf(result.limits),
    terms: ['held-out case'],
  };
}

/** A longer text of a case is cut. */
const case_chars_max = 200;

const caseRows = (set: string, verdicts: readonly string[], cases: CodeInput['work']['heldout'] = []): Row[] =>
  verdicts.map((verdict, i) => {
    const { args, expected } = cases[i] ?? {};
    const call = args === undefined ? null : shorten(`solve(${argsText(args)})`, case_chars_max);
    return [set, i + 1, call, call === null ? null : shorten(JSON.stringify(expected), case_chars_max), verdictWords(verdict)];
  });

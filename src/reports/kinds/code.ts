/** The report of a code mission: the program, and how it did on each case. */
import { codeResultView } from '../../kinds/code/view.js';
import { viewOf } from '../../kinds/view-fields.js';
import { count, percent } from '../../pictures/screen.js';
import { type Content, numberText, textsOf } from '../content.js';

export function codeContent(_request: unknown, given: unknown): Content | null {
  const result = viewOf(codeResultView, given);
  if (result === null) return null;
  const { examples, heldout } = result.verdicts;
  const { passed, case_count, accuracy } = result;
  const rows = [
    ...heldout.map((verdict, i) => ['held-out', i + 1, verdict] as const),
    ...examples.map((verdict, i) => ['example', i + 1, verdict] as const),
  ];
  return {
    question: `Which program passes ${count(case_count, 'held-out case')}, which were not shown while it was written?`,
    inputs: [['Examples that were shown', numberText(examples.length)]],
    answer: `The program passes ${numberText(passed)} of ${count(case_count, 'held-out case')}.`,
    figures: [
      ['Held-out cases passed', percent(accuracy)],
      ['Examples passed', `${examples.filter((each) => each === 'passed').length} of ${examples.length}`],
      ['Sandbox image', result.image],
    ],
    chart: null,
    tables: [{ title: 'Cases', isData: true, head: ['Set', 'Case', 'Verdict'], rows }],
    listing: result.code,
    limits: textsOf(result.limits),
    terms: ['held-out case'],
  };
}

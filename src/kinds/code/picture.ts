/** Prints a candidate with the numbers of its lines, the cases that it had to pass with their verdicts, and what each failed case gave. */
import { clean, columnsOf, padEnd, wrapTo } from '../../pictures/columns.js';
import { percent } from '../../pictures/figures.js';
import { apart, type Fact, facts, heading, limitsFact, programLines } from '../../pictures/layout.js';
import type { Picture } from '../../pictures/picture.js';
import type { Screen } from '../../pictures/screen.js';
import { viewOf } from '../view-fields.js';
import { argsText, type CodeInput, codeRequest, codeResultView, type CodeView, verdictWords } from './view.js';

type Cases = CodeInput['work']['examples'];

/** @param verdicts the verdict of each case; empty before the candidate ran */
function caseLines(title: string, cases: Cases, verdicts: readonly string[], screen: Screen): string[] {
  if (cases.length === 0) return [];
  const digits = String(cases.length).length;
  const widest = Math.max(...verdicts.map((verdict) => columnsOf(verdictWords(verdict))), 0);
  const left = ' '.repeat(4 + digits + 2 + (widest === 0 ? 0 : widest + 2));
  const lines = cases.flatMap(({ args, expected }, i) => {
    const words = verdictWords(verdicts[i] ?? '');
    const verdict = widest === 0 ? '' : `${screen.paint(words === 'passed' ? 'green' : 'red', padEnd(words, widest))}  `;
    const text = clean(`solve(${argsText(args)}) is ${JSON.stringify(expected)}`);
    return wrapTo(text, screen.columns - left.length).map((line, part) =>
      part === 0 ? `    ${String(i + 1).padStart(digits)}  ${verdict}${line}` : left + line,
    );
  });
  return [heading(title, screen), ...lines];
}

function drawCode(result: CodeView, input: CodeInput['work'] | null, screen: Screen): string[] {
  const { method, image, code, passed, case_count, accuracy, verdicts, limits } = result;
  const all: Fact[] = [
    ['method', method],
    ['held-out cases', `${passed} of ${case_count} passed (${percent(accuracy)})`],
    ['ran in image', image],
  ];
  return apart([
    facts(all, screen),
    code === input?.candidate
      ? []
      : [heading(`program${input === null ? '' : `, ${input.language ?? 'python'}`}`, screen), ...programLines(code, screen)],
    caseLines('examples', input?.examples ?? [], verdicts.examples, screen),
    caseLines('held-out cases', input?.heldout ?? [], verdicts.heldout, screen),
    facts(limitsFact(limits), screen),
  ]);
}

export const codePicture: Picture = ({ request, result }, screen) => {
  const view = viewOf(codeResultView, result);
  return view && drawCode(view, viewOf(codeRequest, request)?.work ?? null, screen);
};

/** Prints a program with the numbers of its lines, and the cases that it had to pass with their verdicts. */
import { clean, columnsOf, padEnd, wrapTo } from '../../pictures/columns.js';
import { apart, heading, programLines } from '../../pictures/layout.js';
import type { Picture } from '../../pictures/picture.js';
import type { Screen } from '../../pictures/screen.js';
import { viewOf } from '../view-fields.js';
import { argsText, type CodeInput, codeRequest, codeResultView, verdictWords } from './view.js';

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

/** A program that the mission gives is among its inputs. */
export const codeChart: Picture = ({ request, result }, screen) => {
  const view = viewOf(codeResultView, result);
  if (view === null) return null;
  const input = viewOf(codeRequest, request)?.work;
  const { code, verdicts } = view;
  return apart([
    code === input?.candidate ? [] : [heading('Program', screen), ...programLines(code, screen)],
    caseLines('Examples', input?.examples ?? [], verdicts.examples, screen),
    caseLines('Held-out cases', input?.heldout ?? [], verdicts.heldout, screen),
  ]);
};

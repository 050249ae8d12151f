/** A code mission's candidate, the cases that it has to pass with their verdicts, and the attempts to pass them. */
import * as t from 'io-ts';
import type { MissionRecord } from '../../../../codec/api-missions.js';
import { codegenView, codeResultView } from '../../../../kinds/code/view.js';
import { viewOf } from '../../../../kinds/view-fields.js';
import { DataTable } from '../../../kit/charts/table.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { Attempts, VerdictText } from './attempts.js';
import { Source } from './source.js';
import { words } from './words.js';

const cases = t.array(t.type({ args: t.array(t.unknown), expected: t.unknown }));
const codeRequest = t.type({
  work: t.type({ language: t.union([t.string, t.undefined]), candidate: t.string, examples: cases, heldout: cases }),
});
type Cases = t.TypeOf<typeof cases>;

export function CodeInput({ record }: { readonly record: MissionRecord }) {
  const { t: text } = useWordsOf(words);
  const work = viewOf(codeRequest, record.request)?.work ?? null;
  if (work === null) return null;
  // Requests of the reference agent have no language.
  const { language = 'python' } = work;
  const result = viewOf(codeResultView, record.result);
  const stage = record.stages.findLast(({ role }) => role === 'codegen');
  const codegen = stage === undefined ? null : viewOf(codegenView, stage.detail);
  const code = result?.code ?? work.candidate;
  const verdicts = codegen?.attempts.at(-1)?.verdicts ?? result?.verdicts ?? null;
  return (
    <>
      <h3>
        {text.result.candidate} <span class="muted">{language}</span>
      </h3>
      {code === '' ? (
        <p class="muted">{text.result.none}</p>
      ) : (
        <Source name={text.result.candidate} language={language} code={code} />
      )}
      <CaseTable title={text.result.examples} all={work.examples} verdicts={verdicts?.examples ?? null} />
      <CaseTable title={text.result.heldout} all={work.heldout} verdicts={verdicts?.heldout ?? null} />
      {codegen !== null && <Attempts codegen={codegen} language={language} />}
    </>
  );
}

interface CaseTableProps {
  readonly title: string;
  readonly all: Cases;
  /** Null before the candidate ran. */
  readonly verdicts: readonly string[] | null;
}

function CaseTable({ title, all, verdicts }: CaseTableProps) {
  const { t: text } = useWordsOf(words);
  if (all.length === 0) return null;
  const head = ['#', text.result.arguments, text.result.expected];
  return (
    <>
      <h3>{title}</h3>
      <DataTable
        label={title}
        head={verdicts === null ? head : [...head, text.result.verdict]}
        texts={[0, 1, 2, 3]}
        rows={all.map(({ args, expected }, i) => [
          String(i + 1),
          <code class="value">{args.map((arg) => JSON.stringify(arg)).join(', ')}</code>,
          <code class="value">{JSON.stringify(expected)}</code>,
          ...(verdicts === null ? [] : [<VerdictText verdict={verdicts[i] ?? 'missing'} />]),
        ])}
      />
    </>
  );
}

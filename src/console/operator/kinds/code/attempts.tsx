/** The candidates that ran: how each run ended, what it passed, and what went wrong. */
import type { CodegenView } from '../../../../kinds/code/view.js';
import { DataTable } from '../../../kit/charts/table.js';
import { LazyDetails } from '../../../kit/controls/lazy-details.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { Source } from './source.js';
import { words } from './words.js';

type Attempt = CodegenView['attempts'][number];

const passed = (verdicts: readonly string[]): number => verdicts.filter((verdict) => verdict === 'passed').length;
const wordOf = (table: Readonly<Record<string, string>>, name: string): string =>
  Object.hasOwn(table, name) ? (table[name] ?? name) : name;

export function Attempts({ codegen, language }: { readonly codegen: CodegenView; readonly language: string }) {
  const { t, f } = useWordsOf(words);
  const share = (verdicts: readonly string[]): string => `${f.number(passed(verdicts))} / ${f.number(verdicts.length)}`;
  return (
    <>
      <h3>{t.result.attempts}</h3>
      <DataTable
        label={t.result.attempts}
        head={['#', t.result.source, t.result.ended, t.result.examples, t.result.heldout, t.result.time]}
        texts={[0, 1, 2]}
        rows={codegen.attempts.map(({ source, ended, verdicts, elapsed_ms }, i) => [
          String(i + 1),
          wordOf(t.result.sources, source),
          wordOf(t.result.ends, ended),
          share(verdicts.examples),
          share(verdicts.heldout),
          `${f.number(elapsed_ms)} ms`,
        ])}
      />
      {codegen.attempts.map((attempt, i) => (
        <Failures key={i} attempt={attempt} number={i + 1} language={language} />
      ))}
    </>
  );
}

function Failures({
  attempt,
  number,
  language,
}: {
  readonly attempt: Attempt;
  readonly number: number;
  readonly language: string;
}) {
  const { t } = useWordsOf(words);
  const { failures, code } = attempt;
  const title = t.result.failures(String(number));
  return (
    <>
      {failures.length > 0 && (
        <DataTable
          label={title}
          head={[title, t.result.verdict, t.result.given]}
          texts={[0, 1, 2]}
          rows={failures.map((failure) => [
            `${failure.set === 'examples' ? t.result.examples : t.result.heldout} ${failure.case}`,
            <VerdictText verdict={failure.verdict} />,
            <code class="value">{failure.given}</code>,
          ])}
        />
      )}
      {code !== undefined && (
        <LazyDetails title={t.result.candidateOf(String(number))}>
          {() => <Source name={t.result.candidateOf(String(number))} language={language} code={code} />}
        </LazyDetails>
      )}
    </>
  );
}

export function VerdictText({ verdict }: { readonly verdict: string }) {
  const { t } = useWordsOf(words);
  return <span class={verdict === 'passed' ? 'verdict-good' : 'verdict-bad'}>{wordOf(t.result.verdicts, verdict)}</span>;
}

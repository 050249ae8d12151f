/** What a candidate passed, and where it ran. */
import { useMemo } from 'preact/hooks';
import type { MissionRecord } from '../../../../codec/api-missions.js';
import type { CodegenView, CodeInput as CodeInputs, CodeView } from '../../../../kinds/code/view.js';
import { codegenView, codeInputs, codeRequest, codeResultView } from '../../../../kinds/code/view.js';
import { viewOf } from '../../../../kinds/view-fields.js';
import { Figures, LazyDetails } from '../../../kit/controls/pieces.js';
import { DataTable } from '../../../kit/controls/tables.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { Limits, TitledTable } from '../shared/common.js';
import { highlighted } from './highlight.js';
import { words } from './words.js';
import { codeExample } from '../../../../kinds/code/example.js';
import type { KindView } from '../shared/view.js';
import { form } from './draft.js';

export const code: KindView<'code'> = {
  example: codeExample,
  form,
  search: [],
  result: ({ result }) => {
    const view = viewOf(codeResultView, result);
    return view && <CodeResult result={view} />;
  },
  inputs: codeInputs,
  input: (record) => <CodeInput record={record} />,
  runs: (record) => <CodeRuns record={record} />,
};

function CodeResult({ result }: { readonly result: CodeView }) {
  const { t, f } = useWordsOf(words);
  const { passed, case_count, accuracy, image, limits } = result;
  return (
    <>
      <Figures
        figures={[
          [t.result.heldout, t.result.passedOf(f.number(passed), f.number(case_count))],
          [t.result.accuracy, f.percent(accuracy)],
        ]}
      />
      <p>
        {t.result.image} <code class="hash">{image}</code>
      </p>
      <Limits limits={limits} />
    </>
  );
}

type Cases = CodeInputs['work']['examples'];

/** A code mission's candidate, and the cases that it has to pass with their verdicts. */
function CodeInput({ record }: { readonly record: MissionRecord }) {
  const { t: text } = useWordsOf(words);
  const work = viewOf(codeRequest, record.request)?.work ?? null;
  if (work === null) return null;
  const { language = 'python' } = work;
  const result = viewOf(codeResultView, record.result);
  const code = work.candidate;
  const verdicts = codegenOf(record)?.attempts.at(-1)?.verdicts ?? result?.verdicts ?? null;
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
    </>
  );
}

function codegenOf({ stages }: MissionRecord): CodegenView | null {
  const stage = stages.findLast(({ role }) => role === 'codegen');
  return stage === undefined ? null : viewOf(codegenView, stage.detail);
}

/** The program, where a model wrote it, and the runs of candidates. */
function CodeRuns({ record }: { readonly record: MissionRecord }) {
  const { t: text } = useWordsOf(words);
  const work = viewOf(codeRequest, record.request)?.work;
  const code = viewOf(codeResultView, record.result)?.code ?? '';
  const codegen = codegenOf(record);
  const language = work?.language ?? 'python';
  return (
    <>
      {code !== '' && code !== work?.candidate && <Source name={text.result.candidate} language={language} code={code} />}
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
    <TitledTable
      title={title}
      head={verdicts === null ? head : [...head, text.result.verdict]}
      texts={[0, 1, 2, 3]}
      rows={all.map(({ args, expected }, i) => [
        String(i + 1),
        <code class="break">{args.map((arg) => JSON.stringify(arg)).join(', ')}</code>,
        <code class="break">{JSON.stringify(expected)}</code>,
        ...(verdicts === null ? [] : [<VerdictText verdict={verdicts[i] ?? 'missing'} />]),
      ])}
    />
  );
}

/** The candidates that ran: how each run ended, what it passed, and what went wrong. */
type Attempt = CodegenView['attempts'][number];

const passed = (verdicts: readonly string[]): number => verdicts.filter((verdict) => verdict === 'passed').length;
const wordOf = (table: Readonly<Record<string, string>>, name: string): string =>
  Object.hasOwn(table, name) ? (table[name] ?? name) : name;

function Attempts({ codegen, language }: { readonly codegen: CodegenView; readonly language: string }) {
  const { t, f } = useWordsOf(words);
  const share = (verdicts: readonly string[]): string => `${f.number(passed(verdicts))} / ${f.number(verdicts.length)}`;
  return (
    <>
      <TitledTable
        title={t.result.attempts}
        stacks
        head={['#', t.result.candidate, t.result.ended, t.result.examples, t.result.heldout, t.result.time]}
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

type FailuresProps = { readonly attempt: Attempt; readonly number: number; readonly language: string };

function Failures({ attempt: { failures, code }, number, language }: FailuresProps) {
  const { t } = useWordsOf(words);
  const title = t.result.failures(String(number));
  return (
    <>
      {failures.length > 0 && (
        <DataTable
          stacks
          label={title}
          head={[title, t.result.arguments, t.result.verdict, t.result.expected, t.result.given]}
          texts={[0, 1, 2, 3, 4]}
          rows={failures.map(({ set, case: number, verdict, args, expected, given }) => [
            `${set === 'examples' ? t.result.examples : t.result.heldout} ${number}`,
            <code class="break">{args.replace(/^\[|\]$/g, '')}</code>,
            <VerdictText verdict={verdict} />,
            <code class="break">{expected}</code>,
            <code class="break">{given}</code>,
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

function VerdictText({ verdict }: { readonly verdict: string }) {
  const { t } = useWordsOf(words);
  return <span class={verdict === 'passed' ? 'verdict-good' : 'verdict-bad'}>{wordOf(t.result.verdicts, verdict)}</span>;
}

/** A program with line numbers and syntax colours. */
function Source({ name, language, code }: { readonly name: string; readonly language: string; readonly code: string }) {
  const { t, f } = useWordsOf(words);
  const lines = useMemo(() => highlighted(language, code.replace(/\n$/, '')), [language, code]);
  return (
    <pre class="code" tabIndex={0} aria-label={`${name}, ${t.result.lines(f.number(lines.length))}`}>
      <code>
        {lines.map((line, i) => (
          <span class="code-line" key={i}>
            {line.map(({ part, text }, k) =>
              part === 'plain' ? (
                text
              ) : (
                <span class={`code-${part}`} key={k}>
                  {text}
                </span>
              ),
            )}
            {'\n'}
          </span>
        ))}
      </code>
    </pre>
  );
}

/** A code mission's candidate and the cases that it has to pass. */
import * as t from 'io-ts';
import { DataTable } from '../../../kit/charts/table.js';
import { useWords } from '../../text/words.js';

const cases = t.array(t.type({ args: t.array(t.unknown), expected: t.unknown }));
const codeRequest = t.type({ work: t.type({ language: t.string, candidate: t.string, examples: cases, heldout: cases }) });
type Cases = t.TypeOf<typeof cases>;

export function CodeInput({ request }: { readonly request: unknown }) {
  const { t: text, f } = useWords();
  const work = viewOf(codeRequest, request)?.work ?? null;
  if (work === null) return null;
  const lines = work.candidate.replace(/\n$/, '').split('\n');
  return (
    <>
      <h3>
        {text.code.candidate} <span class="muted">{work.language}</span>
      </h3>
      {work.candidate === '' ? (
        <p class="muted">{text.code.none}</p>
      ) : (
        <pre class="code" tabIndex={0} aria-label={`${text.code.candidate}, ${text.code.lines(f.number(lines.length))}`}>
          <code>
            {lines.map((line, i) => (
              <span class="code-line" key={i}>
                {line}
                {'\n'}
              </span>
            ))}
          </code>
        </pre>
      )}
      <CaseTable title={text.code.examples} all={work.examples} />
      <CaseTable title={text.code.heldout} all={work.heldout} />
    </>
  );
}

function CaseTable({ title, all }: { readonly title: string; readonly all: Cases }) {
  const { t: text } = useWords();
  if (all.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <DataTable
        label={title}
        head={['#', text.code.arguments, text.code.expected]}
        texts={[0, 1, 2]}
        rows={all.map(({ args, expected }, i) => [
          String(i + 1),
          <code class="value">{args.map((arg) => JSON.stringify(arg)).join(', ')}</code>,
          <code class="value">{JSON.stringify(expected)}</code>,
        ])}
      />
    </>
  );
}

/** A code mission's candidate and the cases that it has to pass. */
import * as t from 'io-ts';
import { viewOf } from '../../../../kinds/view-fields.js';
import { DataTable } from '../../../kit/charts/table.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { words } from './words.js';

const cases = t.array(t.type({ args: t.array(t.unknown), expected: t.unknown }));
const codeRequest = t.type({ work: t.type({ language: t.string, candidate: t.string, examples: cases, heldout: cases }) });
type Cases = t.TypeOf<typeof cases>;

export function CodeInput({ request }: { readonly request: unknown }) {
  const { t: text, f } = useWordsOf(words);
  const work = viewOf(codeRequest, request)?.work ?? null;
  if (work === null) return null;
  const lines = work.candidate.replace(/\n$/, '').split('\n');
  return (
    <>
      <h3>
        {text.result.candidate} <span class="muted">{work.language}</span>
      </h3>
      {work.candidate === '' ? (
        <p class="muted">{text.result.none}</p>
      ) : (
        <pre class="code" tabIndex={0} aria-label={`${text.result.candidate}, ${text.result.lines(f.number(lines.length))}`}>
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
      <CaseTable title={text.result.examples} all={work.examples} />
      <CaseTable title={text.result.heldout} all={work.heldout} />
    </>
  );
}

function CaseTable({ title, all }: { readonly title: string; readonly all: Cases }) {
  const { t: text } = useWordsOf(words);
  if (all.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <DataTable
        label={title}
        head={['#', text.result.arguments, text.result.expected]}
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

/** A program with line numbers and syntax colours. */
import { useMemo } from 'preact/hooks';
import { useWordsOf } from '../../../kit/text/context.js';
import { highlighted } from './highlight.js';
import { words } from './words.js';

interface SourceProps {
  readonly name: string;
  readonly language: string;
  readonly code: string;
}

export function Source({ name, language, code }: SourceProps) {
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

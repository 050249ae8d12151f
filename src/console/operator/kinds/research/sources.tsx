/** The sources of a research mission, with each quote highlighted in place. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ResearchView } from '../../../../kinds/research/view.js';
import { piecesOf, type Quote } from './quotes.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { words } from './words.js';

/** Source texts of a research request by id; null after erasure. */
export function sourceTexts(request: unknown): ReadonlyMap<string, string> | null {
  const work = typeof request === 'object' && request !== null ? (request as { readonly work?: unknown }).work : undefined;
  const sources = typeof work === 'object' && work !== null ? (work as { readonly sources?: unknown }).sources : undefined;
  if (!Array.isArray(sources)) return null;
  return new Map(
    sources.flatMap((source: unknown) => {
      const { id, text } = source as { readonly id?: unknown; readonly text?: unknown };
      return typeof id === 'string' && typeof text === 'string' ? [[id, text] as const] : [];
    }),
  );
}

interface SourcesProps {
  readonly result: ResearchView;
  readonly texts: ReadonlyMap<string, string>;
  readonly quotes: readonly Quote[];
  /** The finding that is looked for, from 1. */
  readonly shown: number | null;
}

export function Sources({ result: { sources, findings }, texts, quotes, shown }: SourcesProps) {
  const { t } = useWordsOf(words);
  return (
    <>
      <h3>{t.result.sources}</h3>
      {sources.map(({ id, title }) => (
        <Source
          key={id}
          id={id}
          title={title}
          text={texts.get(id) ?? ''}
          quotes={quotes.filter((_, i) => findings[i]?.source_id === id)}
          shown={shown}
        />
      ))}
    </>
  );
}

interface SourceProps {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly quotes: readonly Quote[];
  readonly shown: number | null;
}

function Source({ id, title, text, quotes, shown }: SourceProps) {
  const { t } = useWordsOf(words);
  const [open, setOpen] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  const wanted = shown !== null && quotes.some(({ number }) => number === shown);
  useEffect(() => {
    if (wanted) setOpen(true);
  }, [shown, wanted]);
  useEffect(() => {
    if (!open || !wanted) return;
    const mark = body.current?.querySelector<HTMLElement>(`[data-finding~="${String(shown)}"]`);
    mark?.scrollIntoView({ block: 'center' });
    mark?.focus();
  }, [open, shown, wanted]);
  return (
    <details class="source" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span>{title}</span> <span class="muted">{t.result.quotes(quotes.length)}</span>
      </summary>
      {open && (
        <div class="details-body source-text" ref={body}>
          {piecesOf(text, quotes).map(({ text: piece, quotes: numbers }, i) =>
            numbers.length === 0 ? (
              piece
            ) : (
              <mark
                key={i}
                tabIndex={-1}
                data-finding={numbers.join(' ')}
                class={shown !== null && numbers.includes(shown) ? 'shown' : ''}
              >
                {piece}
                <sup aria-hidden="true">{numbers.join(', ')}</sup>
              </mark>
            ),
          )}
          <p class="muted">
            <code>{id}</code>
          </p>
        </div>
      )}
    </details>
  );
}

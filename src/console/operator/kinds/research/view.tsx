/** Findings: each quote with the words of the goal marked, and the sources with the quotes in their place. */
import { Fragment } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { askedCoverage, marked, wordsFor } from '../../../../kinds/research/terms.js';
import { byRank, researchInputs, researchResult, type ResearchView } from '../../../../kinds/research/view.js';
import { namesOf, viewOf } from '../../../../kinds/view-fields.js';
import { Segmented } from '../../../kit/controls/inputs.js';
import { Facts, LazyDetails, Mono } from '../../../kit/controls/pieces.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { Against, Limits } from '../shared/common.js';
import { type PageStart, pageStarts, piecesOf, placeOf, type Quote } from './quotes.js';
import { words } from './words.js';
import { researchExample } from '../../../../kinds/research/example.js';
import type { KindView } from '../shared/view.js';
import { form } from './draft.js';

export const research: KindView<'research'> = {
  example: researchExample,
  form,
  search: [],
  result: ({ request, result, goal }) => {
    const view = viewOf(researchResult, result);
    return view && <ResearchResult result={view} request={request} goal={goal} />;
  },
  inputs: researchInputs,
};

type ResearchProps = { readonly result: ResearchView; readonly request: unknown; readonly goal: string };

type Finding = ResearchView['findings'][number];

const quoteOf = ({ quote, start, end }: Finding, i: number): Quote => ({ number: i + 1, quote, start, end });

function ResearchResult({ result, request, goal }: ResearchProps) {
  const { t, f } = useWordsOf(words);
  const { sources } = result;
  const ranked = useMemo(() => ({ ...result, findings: byRank(result.findings) }), [result]);
  const { findings } = ranked;
  const texts = useMemo(() => sourceTexts(request), [request]);
  const [shown, setShown] = useState<number | null>(null);
  const cited = new Set(findings.map(({ source_id }) => source_id)).size;
  return (
    <>
      <Model inference={result.inference} />
      <Coverage result={result} goal={goal} />
      <h3>{t.result.findings}</h3>
      {findings.length === 0 ? (
        <p class="notice">{t.result.none}</p>
      ) : (
        <p>{t.result.from(f.number(findings.length), f.number(cited), f.number(sources.length))}</p>
      )}
      <Exactness findings={findings} texts={texts} />
      <Findings result={ranked} show={texts === null ? null : setShown} />
      {texts !== null && <Sources result={ranked} texts={texts} quotes={findings.map(quoteOf)} shown={shown} />}
      <Limits limits={result.limits} />
    </>
  );
}

function Coverage({ result: { coverage }, goal }: { readonly result: ResearchView; readonly goal: string }) {
  const { t, k, f } = useWordsOf(words);
  const { terms, uncovered } = askedCoverage(coverage, goal);
  if (terms.length === 0) return <p class="notice notice-warn">{t.result.noWords}</p>;
  const covered = terms.length - uncovered.length;
  return (
    <>
      <Against name={t.result.coverage} share={covered / terms.length}>
        {t.result.covered(f.number(covered), f.number(terms.length))}
      </Against>
      {uncovered.length > 0 && <p class="muted">{t.result.uncovered + k.colon + wordsFor(uncovered, goal).join(', ')}</p>}
    </>
  );
}

/** Says whether every quote matches its source, by comparing it with the text of the request. */
function Exactness({ findings, texts }: { readonly findings: readonly Finding[]; readonly texts: SourceTexts | null }) {
  const { t } = useWordsOf(words);
  if (findings.length === 0) return null;
  if (texts === null) return <p class="notice notice-warn">{t.result.noSources}</p>;
  const wrong = findings.filter(
    (finding, i) => placeOf(texts.get(finding.source_id)?.text ?? '', quoteOf(finding, i)) === null,
  ).length;
  return (
    <p class={`notice ${wrong === 0 ? 'notice-good' : 'notice-bad'}`}>{wrong === 0 ? t.result.exact : t.result.inexact(wrong)}</p>
  );
}

interface FindingsProps {
  readonly result: ResearchView;
  /** Shows a finding, by its number, in its source; null when the sources are gone. */
  readonly show: ((number: number) => void) | null;
}

/** The findings by rank, or below the source that each of them quotes. */
function Findings({ result: { findings, sources }, show }: FindingsProps) {
  const { t } = useWordsOf(words);
  const [order, setOrder] = useState<'rank' | 'source'>('rank');
  const all = findings.map((finding, i) => ({ finding, number: i + 1 }));
  const cards = (some: typeof all) => (
    <ol class="bare findings">
      {some.map(({ finding, number }) => (
        <FindingCard
          key={number}
          finding={finding}
          number={number}
          sources={sources}
          show={show === null ? null : () => show(number)}
        />
      ))}
    </ol>
  );
  const groups = [...new Set(findings.map(({ source_id }) => source_id))].map((id) => ({
    id,
    title: sources.find((source) => source.id === id)?.title ?? id,
    of: all.filter(({ finding }) => finding.source_id === id),
  }));
  if (groups.length < 2) return cards(all);
  return (
    <>
      <Segmented
        label={t.result.order}
        options={[
          ['rank', t.result.byRank],
          ['source', t.result.bySource],
        ]}
        value={order}
        choose={setOrder}
      />
      {order === 'source'
        ? groups.map(({ id, title, of }) => (
            <div key={id} class="finding-group">
              <h4>
                {title} <span class="muted">{t.result.quotes(of.length)}</span>
              </h4>
              {cards(of)}
            </div>
          ))
        : cards(all)}
    </>
  );
}

interface CardProps {
  readonly finding: Finding;
  readonly number: number;
  readonly sources: ResearchView['sources'];
  readonly show: (() => void) | null;
}

function FindingCard({ finding, number, sources, show }: CardProps) {
  const { t, f } = useWordsOf(words);
  const source = sources.find(({ id }) => id === finding.source_id);
  const { copies = 0, also_in = [] } = finding;
  return (
    <li class="notice" id={`finding-${number}`} value={number} data-number={number} tabIndex={-1}>
      {finding.score === null && <p class="finding-claim">{finding.claim}</p>}
      <blockquote>
        {finding.header !== undefined && <p class="muted">{finding.header}</p>}
        {marked(finding.quote, finding.terms).map(({ text, hit }, i) => (hit ? <em key={i}>{text}</em> : text))}
      </blockquote>
      <p class="finding-source fine">
        <strong>{source?.title ?? finding.source_id}</strong>
        {source !== undefined && source.url !== '' && <span class="url"> {source.url}</span>}
      </p>
      <p class="finding-place fine">
        <code>{finding.source_id}</code> ·{' '}
        {finding.page === undefined
          ? t.result.place(f.number(finding.start), f.number(finding.end))
          : t.result.page(f.number(finding.page))}
        {copies > 0 && ` · ${t.result.copies(f.number(copies), also_in.map(namesOf(sources)).join(', '))}`}
        {finding.score !== null && ` · ${t.result.score} ${f.number(Math.round(finding.score * 10) / 10)}`}
        {show !== null && (
          <button type="button" class="small quiet" onClick={show}>
            {t.result.inSource}
            <span class="sr-only"> {t.result.toFinding(String(number))}</span>
          </button>
        )}
      </p>
    </li>
  );
}

type SourceText = { readonly text: string; readonly pages: readonly PageStart[] };

type SourceTexts = ReadonlyMap<string, SourceText>;

/** Source texts of a research request by id; null after erasure. */
function sourceTexts(request: unknown): SourceTexts | null {
  const work = typeof request === 'object' && request !== null ? (request as { readonly work?: unknown }).work : undefined;
  const sources = typeof work === 'object' && work !== null ? (work as { readonly sources?: unknown }).sources : undefined;
  if (!Array.isArray(sources)) return null;
  return new Map(
    sources.flatMap((source: unknown) => {
      const { id, text, blocks } = source as Readonly<Record<'id' | 'text' | 'blocks', unknown>>;
      return typeof id === 'string' && typeof text === 'string' ? [[id, { text, pages: pageStarts(blocks) }] as const] : [];
    }),
  );
}

interface SourcesProps {
  readonly result: ResearchView;
  readonly texts: SourceTexts;
  readonly quotes: readonly Quote[];
  /** The finding that is looked for, from 1. */
  readonly shown: number | null;
}

function Sources({ result: { sources, findings }, texts, quotes, shown }: SourcesProps) {
  const { t } = useWordsOf(words);
  return (
    <>
      <h3>{t.result.sources}</h3>
      {sources.map(({ id, title }) => (
        <Source
          key={id}
          id={id}
          title={title}
          source={texts.get(id) ?? { text: '', pages: [] }}
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
  readonly source: SourceText;
  readonly quotes: readonly Quote[];
  readonly shown: number | null;
}

function Source({ id, title, source: { text, pages }, quotes, shown }: SourceProps) {
  const { t, f } = useWordsOf(words);
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
          {piecesOf(text, quotes, pages).map(({ text: piece, page, quotes: numbers }, i) => (
            <Fragment key={i}>
              {page !== null && <span class="page-start fine">{t.result.page(f.number(page))}</span>}
              {numbers.length === 0 ? (
                piece
              ) : (
                <mark tabIndex={-1} data-finding={numbers.join(' ')} class={numbers.some((n) => n === shown) ? 'shown' : ''}>
                  {piece}
                  <sup aria-hidden="true">{numbers.join(', ')}</sup>
                </mark>
              )}
            </Fragment>
          ))}
          <p class="muted">
            <code>{id}</code>
          </p>
        </div>
      )}
    </details>
  );
}

/** Nothing for a result of the built-in engine. */
function Model({ inference }: { readonly inference: ResearchView['inference'] }) {
  const { t, f } = useWordsOf(words);
  if (inference === undefined) return null;
  const { model, reported_model, mode, usage, request_hash, response_hash } = inference;
  const tokens =
    usage === null ? t.result.uncounted : t.result.tokensUsed(f.number(usage.prompt_tokens), f.number(usage.completion_tokens));
  return (
    <>
      <p class="notice notice-warn">{t.result.model(reported_model ?? model)}</p>
      <LazyDetails title={t.result.evidence}>
        {() => (
          <Facts
            facts={[
              [t.result.asked, model],
              [t.result.reported, reported_model ?? t.result.unnamed],
              [t.result.mode, <Mono>{mode}</Mono>],
              [t.result.tokens, tokens],
              [t.result.requestHash, <Mono>{request_hash}</Mono>],
              [t.result.responseHash, <Mono>{response_hash}</Mono>],
            ]}
          />
        )}
      </LazyDetails>
    </>
  );
}

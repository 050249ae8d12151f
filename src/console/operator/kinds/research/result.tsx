/** Findings: each quote with the words of the goal marked, and the sources with the quotes in their place. */
import { useMemo, useState } from 'preact/hooks';
import { askedCoverage, byRank, type ResearchView } from '../../../../kinds/research/view.js';
import { Bar } from '../../../kit/charts/table.js';
import { marked, placeOf, wordsFor, type Quote } from './quotes.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { words } from './words.js';
import { Model } from './model.js';
import { Limits } from '../shared/common.js';
import { sourceTexts, Sources } from './sources.js';

interface ResearchProps {
  readonly result: ResearchView;
  readonly request: unknown;
  readonly goal: string;
}

type Finding = ResearchView['findings'][number];

const quoteOf = ({ quote, start, end }: Finding, i: number): Quote => ({ number: i + 1, quote, start, end });

export function ResearchResult({ result, request, goal }: ResearchProps) {
  const { t, f } = useWordsOf(words);
  const { sources } = result;
  const findings = useMemo(() => byRank(result.findings), [result]);
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
      <ol class="findings">
        {findings.map((finding, i) => (
          <FindingCard
            key={i}
            finding={finding}
            number={i + 1}
            sources={sources}
            show={texts === null ? null : () => setShown(i + 1)}
          />
        ))}
      </ol>
      {texts !== null && <Sources result={{ ...result, findings }} texts={texts} quotes={findings.map(quoteOf)} shown={shown} />}
      <Limits limits={result.limits} />
    </>
  );
}

function Coverage({ result: { coverage }, goal }: { readonly result: ResearchView; readonly goal: string }) {
  const { t, f } = useWordsOf(words);
  const { terms, uncovered } = askedCoverage(coverage, goal, (text, term) => marked(text, [term]).some(({ hit }) => hit));
  const covered = terms.length - uncovered.length;
  return (
    <>
      <div class="against">
        <span class="against-name">{t.result.coverage}</span>
        <Bar share={terms.length > 0 ? covered / terms.length : 0} />
        <span class="against-text">{t.result.covered(f.number(covered), f.number(terms.length))}</span>
      </div>
      {uncovered.length > 0 && (
        <p class="muted">
          {t.result.uncovered}: {wordsFor(uncovered, goal).join(', ')}
        </p>
      )}
    </>
  );
}

/** Says whether every quote matches its source, by comparing it with the text of the request. */
function Exactness({
  findings,
  texts,
}: {
  readonly findings: readonly Finding[];
  readonly texts: ReadonlyMap<string, string> | null;
}) {
  const { t } = useWordsOf(words);
  if (findings.length === 0) return null;
  if (texts === null) return <p class="notice notice-warn">{t.result.noSources}</p>;
  const wrong = findings.filter((finding, i) => placeOf(texts.get(finding.source_id) ?? '', quoteOf(finding, i)) === null).length;
  return (
    <p class={`notice ${wrong === 0 ? 'notice-good' : 'notice-bad'}`}>{wrong === 0 ? t.result.exact : t.result.inexact(wrong)}</p>
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
  return (
    <li id={`finding-${number}`} tabIndex={-1}>
      {finding.score === null && <p class="finding-claim">{finding.claim}</p>}
      <blockquote>
        {marked(finding.quote, finding.terms).map(({ text, hit }, i) => (hit ? <em key={i}>{text}</em> : text))}
      </blockquote>
      <p class="finding-source">
        <strong>{source?.title ?? finding.source_id}</strong>
        {source !== undefined && source.url !== '' && <span class="url"> {source.url}</span>}
      </p>
      <p class="finding-place">
        <code>{finding.source_id}</code> · {t.result.place(f.number(finding.start), f.number(finding.end))}
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

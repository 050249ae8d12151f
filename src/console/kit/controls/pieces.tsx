/** Small pieces that many pages have, among them what is shown until something is loaded, or where it failed. */
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { shownText } from '../../../base/shown.js';
import { type Loadable, useNow } from '../load.js';
import { useText } from '../text/context.js';
import type { FieldError } from '../../../base/refusal.js';
import type { Problem } from '../api/client.js';
import { useHomed } from './agent-cli.js';
import { CopyButton } from './copy.js';
import { Button } from './inputs.js';

/** The page's heading: takes the focus when the page is entered, so that a screen reader says where it is. */
export function PageTitle({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  const { k } = useText();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, []);
  useEffect(() => {
    document.title = shownText(`${title.length > 60 ? `${title.slice(0, 59)}…` : title} · ${k.page.app}`);
  }, [title, k]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children ?? title}
    </h1>
  );
}

export function Loading() {
  const { k } = useText();
  return (
    <p class="loading" role="status">
      {k.loading}
    </p>
  );
}

type EmptyProps = { readonly title: string; readonly text?: string; readonly children?: ComponentChildren };

export const Empty = ({ title, text, children }: EmptyProps) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {text !== undefined && <p>{text}</p>}
    {children}
  </div>
);

export type Fact = readonly [name: string, value: ComponentChildren];

interface FactsProps {
  readonly facts: readonly (Fact | null)[];
  /** They lie beside each other rather than each on a line of its own. */
  readonly beside?: boolean;
  /** The names are those of a document's members. */
  readonly isDocument?: boolean;
  readonly lang?: string;
}

export const Facts = ({ facts, beside = false, isDocument = false, lang }: FactsProps) => (
  <dl class={beside ? 'facts' : 'facts facts-wide'} lang={lang}>
    {facts.map(
      (fact) =>
        fact !== null && (
          <div key={fact[0]}>
            <dt>{isDocument ? <code>{fact[0]}</code> : fact[0]}</dt>
            <dd>{fact[1]}</dd>
          </div>
        ),
    )}
  </dl>
);

/** A state, with a mark that does without colour. */
export const Badge = ({ tone, mark, text }: { readonly tone: string; readonly mark: string; readonly text: string }) => (
  <span class={`badge badge-${tone}`}>
    <span aria-hidden="true">{mark}</span> {text}
  </span>
);

export const Mono = ({ children }: { readonly children: ComponentChildren }) => <code class="mono">{children}</code>;

/** Wide content scrolls within itself, never the page; it can be reached by keyboard. */
export const Scroll = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }) => (
  <div class="scroll" role="region" aria-label={label} tabIndex={0}>
    {children}
  </div>
);

interface VerbatimProps {
  readonly label: string;
  readonly text: string;
  /** Lines are broken rather than scrolled. */
  readonly wrap?: boolean;
}

/** A document to the letter. */
export const Verbatim = ({ label, text, wrap = false }: VerbatimProps) => (
  <pre class={wrap ? 'json json-wrap' : 'json'} tabIndex={0} role="group" aria-label={label}>
    {text}
  </pre>
);

/** Pretty-printed JSON that is only made when it is opened. */
export const JsonDetails = ({ title, value }: { readonly title: string; readonly value: unknown }) => (
  <LazyDetails title={title}>{() => <Verbatim label={title} text={JSON.stringify(value, null, 2)} />}</LazyDetails>
);

interface LazyDetailsProps {
  readonly title: ComponentChildren;
  readonly children: () => ComponentChildren;
  readonly open?: boolean;
  /** It is open on paper. */
  readonly prints?: boolean;
}

/** Returns whether the page is on its way to paper. */
function useIsPrinted(): boolean {
  const paper = useMemo(() => matchMedia('print'), []);
  const [isPrinted, setPrinted] = useState(paper.matches);
  useEffect(() => {
    const end = new AbortController();
    const { signal } = end;
    // The event comes before the pages are laid out, the change of the medium only after.
    addEventListener('beforeprint', () => setPrinted(true), { signal });
    addEventListener('afterprint', () => setPrinted(false), { signal });
    paper.addEventListener('change', () => setPrinted(paper.matches), { signal });
    return () => end.abort();
  }, [paper]);
  return isPrinted;
}

/** How long ago something was; on paper, where no time passes, when it was. */
export function Ago({ at }: { readonly at: string }) {
  const { f } = useText();
  const now = useNow();
  const isPrinted = useIsPrinted();
  return (
    <time dateTime={at} title={f.dateTime(at)}>
      {isPrinted ? f.dateTime(at) : f.ago(at, now)}
    </time>
  );
}

/** A part that opens, and whose content is made when it is opened for the first time. */
export function LazyDetails({ title, children, open = false, prints = false }: LazyDetailsProps) {
  const [isOpen, setOpen] = useState(open);
  const [opened, setOpened] = useState(open);
  const isPrinted = useIsPrinted() && prints;
  const toggle = ({ open: now }: HTMLDetailsElement): void => {
    if (isPrinted) return;
    setOpen(now);
    if (now) setOpened(true);
  };
  return (
    <details open={isOpen || isPrinted} onToggle={(event) => toggle(event.currentTarget)}>
      <summary>{title}</summary>
      {(opened || isPrinted) && <div class="details-body">{children()}</div>}
    </details>
  );
}

interface ExplainedProps {
  readonly children: ComponentChildren;
  /** What the word means; without it the word stands alone. */
  readonly means: string | undefined;
}

/** A word of the field that explains itself when it is pointed at or has the focus; on paper it stands alone. */
export const Explained = ({ children, means }: ExplainedProps) =>
  means === undefined ? (
    <>{children}</>
  ) : (
    <span class="explained" tabIndex={0} aria-description={means} data-means={means}>
      {children}
    </span>
  );

export type Figure = readonly [name: string, value: string, below?: string, means?: string];

/** A big figure with its name and a line below. */
export const Figures = ({ figures }: { readonly figures: readonly (Figure | null)[] }) => (
  <dl class="figures">
    {figures.map(
      (figure) =>
        figure !== null && (
          <div key={figure[0]}>
            <dt>
              <Explained means={figure[3]}>{figure[0]}</Explained>
            </dt>
            <dd>
              <div class="figure-value">{figure[1]}</div>
              {figure[2] !== undefined && figure[2] !== '' && <div class="figure-below fine">{figure[2]}</div>}
            </dd>
          </div>
        ),
    )}
  </dl>
);

// A failure: what could not be done, then what the agent or the page says of it, faults by field, and the command that fixes it.

interface ProblemProps {
  readonly problem: Problem;
  /** What could not be done, and to which thing. */
  readonly title: string;
  readonly retry?: () => void;
}

/** What is wrong with the members of a document, each by its path. */
export const FieldErrors = ({ errors }: { readonly errors: readonly FieldError[] }) => (
  <ul lang="en">
    {errors.map(({ path, message }) => (
      <li key={path + message}>
        {path !== '' && <code>{path}</code>} {message}
      </li>
    ))}
  </ul>
);

export function ProblemBox({ problem, title, retry }: ProblemProps) {
  const { k } = useText();
  const homed = useHomed();
  const { code, title: kind, detail, errors, hint, retryAfter } = problem.document;
  const [first] = errors;
  const isListed = first !== undefined && detail.startsWith([first.path, first.message].filter(Boolean).join(': '));
  const own =
    code === 'network' || code === 'unexpected' || code === 'file' || code === 'passkey'
      ? { ...k.problem, ...k.page.problem }[code]
      : null;
  return (
    <div class="problem" role="alert">
      <p class="problem-title">
        {title}
        {kind !== '' && <span lang="en">{k.colon + kind}</span>}
      </p>
      {own !== null && <p>{own}</p>}
      {detail !== '' && !isListed && <p lang="en">{detail}</p>}
      {retryAfter !== null && <p>{k.problem.later(retryAfter)}</p>}
      {errors.length > 0 && <FieldErrors errors={errors} />}
      {hint !== null && (
        <p>
          {k.problem.fix + k.colon}
          <code>{homed(hint)}</code> <CopyButton text={homed(hint)} label={k.copyCommand} />
        </p>
      )}
      <p class="fine">
        {k.problem.code + k.colon}
        <code>{code}</code>
      </p>
      {retry !== undefined && <Button onClick={retry} text={k.retry} />}
    </div>
  );
}

interface LoadProps<A> {
  readonly from: Loadable<A>;
  readonly failed: string;
  readonly children: (data: A) => ComponentChildren;
}

/** What was loaded; until then that it is on its way, or why it could not be loaded. */
export const Load = <A,>({ from: { data, problem, reload }, failed, children }: LoadProps<A>) => (
  <>
    {problem !== null && <ProblemBox title={failed} problem={problem} retry={reload} />}
    {data === null ? problem === null && <Loading /> : children(data)}
  </>
);

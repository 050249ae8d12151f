/** Small pieces that many pages have. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useText } from '../text/context.js';

/** The page's heading: takes the focus when the page is entered, so that a screen reader says where it is. */
export function PageTitle({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  const { k } = useText();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, []);
  useEffect(() => {
    document.title = `${title.length > 60 ? `${title.slice(0, 59)}…` : title} · ${k.page.app}`;
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

export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

export type Fact = readonly [name: string, value: ComponentChildren];

export function Facts({ facts, wide = false }: { readonly facts: readonly (Fact | null)[]; readonly wide?: boolean }) {
  return (
    <dl class={wide ? 'facts facts-wide' : 'facts'}>
      {facts.map((fact) => fact !== null && <FactPair key={fact[0]} name={fact[0]} value={fact[1]} />)}
    </dl>
  );
}

const FactPair = ({ name, value }: { readonly name: string; readonly value: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

export const Mono = ({ children }: { readonly children: ComponentChildren }) => <code class="mono">{children}</code>;

/** Wide content scrolls within itself, never the page; it can be reached by keyboard. */
export function Scroll({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <div class="scroll" role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}

/** Pretty-printed JSON that is only made when it is opened. */
export function JsonDetails({ title, value }: { readonly title: string; readonly value: unknown }) {
  return (
    <LazyDetails title={title}>
      {() => (
        <pre class="json" tabIndex={0} aria-label={title}>
          {JSON.stringify(value, null, 2)}
        </pre>
      )}
    </LazyDetails>
  );
}

/** A part that opens, and whose content is made when it is opened for the first time. */
interface LazyDetailsProps {
  readonly title: ComponentChildren;
  readonly children: () => ComponentChildren;
  readonly open?: boolean;
}

export function LazyDetails({ title, children, open = false }: LazyDetailsProps) {
  const [opened, setOpened] = useState(open);
  return (
    <details open={open} onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary>{title}</summary>
      {opened && <div class="details-body">{children()}</div>}
    </details>
  );
}

/** A big figure with its name and a line below. */
export function Figures({
  figures,
}: {
  readonly figures: readonly (readonly [name: string, value: string, below?: string] | null)[];
}) {
  return (
    <dl class="figures">
      {figures.map(
        (figure) =>
          figure !== null && (
            <div key={figure[0]}>
              <dt>{figure[0]}</dt>
              <dd>
                <span class="figure-value">{figure[1]}</span>
                {figure[2] !== undefined && <span class="figure-below">{figure[2]}</span>}
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** The frame of every page: header, navigation, and whether the page is live. */
import type { ComponentChildren } from 'preact';
import type { Feed } from '../api/feed.js';
import { useFeedState } from '../load.js';
import { useText } from '../text/context.js';
import { Button, LanguageSwitch } from './inputs.js';
import { PageTitle } from './pieces.js';

interface FrameProps {
  readonly brand: string;
  /** The page that the brand leads to. */
  readonly home: string;
  readonly feed: Feed<never>;
  /** The server does not respond: a stream that still stands is no sign of life. */
  readonly isAway?: boolean;
  readonly feedHint: string;
  readonly pages: readonly { readonly href: string; readonly name: ComponentChildren; readonly isCurrent: boolean }[];
  readonly leave: () => void;
  /** Content next to the brand. */
  readonly beside?: ComponentChildren;
  /** Content next to the choice of language. */
  readonly who?: ComponentChildren;
  readonly banners?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Frame({ brand, home, feed, isAway = false, feedHint, pages, leave, beside, who, banners, children }: FrameProps) {
  const { k } = useText();
  const connection = useFeedState(feed);
  const state = isAway ? 'broken' : connection;
  return (
    <>
      <Button class="skip" onClick={() => document.querySelector<HTMLElement>('#content h1')?.focus()} text={k.skip} />
      <header class="top">
        <div class="top-row flow">
          <a class="brand" href={home}>
            {brand}
          </a>
          {beside}
          <span class={`feed pair feed-${state}`} role="status" title={feedHint}>
            <span class="feed-dot" aria-hidden="true" /> {k.feed[state]}
          </span>
          <span class="spring" />
          {who}
          <LanguageSwitch />
          <Button class="small" onClick={leave} title={k.leaveHint} text={k.leave} />
        </div>
        <nav aria-label={k.nav}>
          <ul class="bare flow">
            {pages.map(({ href, name, isCurrent }) => (
              <li key={href}>
                <a class="pair" href={href} aria-current={isCurrent ? 'page' : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      {banners}
      <main id="content">{children}</main>
    </>
  );
}

/** The frame of a page for somebody who is not signed in. */
export const SignedOut = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }) => (
  <div class="login">
    <header class="title-row">
      <span class="brand">agent-cli</span>
      <LanguageSwitch />
    </header>
    <main>
      <PageTitle title={title} />
      {children}
    </main>
  </div>
);

interface NotFoundProps {
  readonly path: string;
  /** The address of a page that exists. */
  readonly href: string;
  readonly text: string;
}

export function NotFound({ path, href, text }: NotFoundProps) {
  const { k } = useText();
  return (
    <>
      <PageTitle title={k.notFound} />
      <p>{k.notFoundText(path)}</p>
      <p>
        <a href={href}>{text}</a>
      </p>
    </>
  );
}

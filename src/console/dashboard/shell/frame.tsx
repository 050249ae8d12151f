/** The frame of every page: header and navigation; it holds the progress socket. */
import { useEffect, useMemo } from 'preact/hooks';
import { LanguageSwitch } from '../../kit/controls/language-switch.js';
import { openFeed } from '../api/feed.js';
import { allRuns, hrefOf, type Route } from '../session/routes.js';
import { SessionContext, useFeedState, useSession, type Access, type Session } from '../session/session.js';
import { useWords } from '../text/words.js';
import { useRoute } from '../session/use-route.js';
import { Pages } from './pages.js';

export function Frame({ access, leave }: { readonly access: Access; readonly leave: () => void }) {
  const { k } = useWords();
  const { api, socket } = access;
  const feed = useMemo(() => openFeed(socket), [socket]);
  useEffect(() => () => feed.close(), [feed]);
  const session = useMemo<Session>(() => ({ api, feed, leave }), [api, feed, leave]);
  return (
    <SessionContext.Provider value={session}>
      <button type="button" class="skip" onClick={() => document.querySelector<HTMLElement>('#content h1')?.focus()}>
        {k.skip}
      </button>
      <Header />
      <main id="content">
        <Pages />
      </main>
    </SessionContext.Provider>
  );
}

function Header() {
  const { k, t } = useWords();
  const { leave } = useSession();
  return (
    <header class="top">
      <div class="top-row">
        <a class="brand" href={hrefOf({ page: 'new' })}>
          {t.shell.brand}
        </a>
        <FeedLight />
        <span class="spring" />
        <LanguageSwitch />
        <button type="button" class="small" onClick={leave} title={k.leaveHint}>
          {k.leave}
        </button>
      </div>
      <Navigation />
    </header>
  );
}

const targets: readonly (readonly ['new' | 'runs' | 'compare' | 'insight', Route, readonly Route['page'][]])[] = [
  ['new', { page: 'new' }, ['new']],
  ['runs', allRuns, ['runs', 'run']],
  ['compare', { page: 'compare', ids: [] }, ['compare']],
  ['insight', { page: 'insight', ids: [] }, ['insight']],
];

function Navigation() {
  const { k, t } = useWords();
  const route = useRoute();
  return (
    <nav aria-label={k.nav}>
      <ul>
        {targets.map(([name, target, pages]) => (
          <li key={name}>
            <a href={hrefOf(target)} aria-current={pages.includes(route.page) ? 'page' : undefined}>
              {t.shell.pages[name]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function FeedLight() {
  const { t, k } = useWords();
  const state = useFeedState();
  return (
    <span class={`feed feed-${state}`} role="status" title={t.shell.feedHint}>
      <span class="feed-dot" aria-hidden="true" /> {k.feed[state]}
    </span>
  );
}

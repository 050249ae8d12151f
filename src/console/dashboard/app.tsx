/** Signed out: the sign-in page. Signed in: the frame with the page that the address names. The token is in this component's memory only. */
import { useCallback, useEffect, useState, useMemo } from 'preact/hooks';
import { apiFor } from '../kit/api/client.js';
import { Announcer } from '../kit/controls/announce.js';
import { TextProvider } from '../kit/text/context.js';
import { socketFor, openFeed } from './api/feed.js';
import { type Access, SessionContext, useFeedState, useSession, type Session, useRoute } from './session/session.js';
import { pageWords, useWords } from './text/words.js';
import { asProblem } from '../kit/api/problem.js';
import { useAction } from '../kit/load.js';
import { complaintOf, TokenForm, type Complaint, LanguageSwitch } from '../kit/controls/token-form.js';
import { agentsCodec } from '../../codec/api-simulation.js';
import { allRuns, hrefOf, type Route } from './session/routes.js';
import { PageTitle } from '../kit/controls/pieces.js';
import { ComparePage } from './pages/compare.js';
import { InsightPage } from './pages/insight.js';
import { NewPage } from './pages/new.js';
import { RunPage } from './pages/run.js';
import { RunsPage } from './pages/runs.js';

/** A missing token is 401, a wrong one 403: this interface has no roles, so either means that the token is not valid. */
const unauthorized = [401, 403];

export function App() {
  return (
    <TextProvider page={pageWords}>
      <Announcer>
        <Gate />
      </Announcer>
    </TextProvider>
  );
}

function Gate() {
  const [access, setAccess] = useState<Access | null>(null);
  const [ended, setEnded] = useState(false);
  const leave = useCallback((byServer: boolean) => {
    setEnded(byServer);
    setAccess(null);
  }, []);
  useEffect(() => {
    if (access === null) return undefined;
    // A page that the browser keeps for "back" must not keep the token with it.
    const forget = (event: PageTransitionEvent): void => {
      if (event.persisted) leave(false);
    };
    addEventListener('pagehide', forget);
    return () => removeEventListener('pagehide', forget);
  }, [access, leave]);
  if (access !== null) return <Frame access={access} leave={() => leave(false)} />;
  const open = (token: string): Access => ({
    api: apiFor(token, () => leave(true), unauthorized),
    socket: socketFor(token),
  });
  return <SignIn ended={ended} open={open} enter={setAccess} />;
}

/** Signing in: the token is typed, tried on /status, and kept in memory. */
interface SignInProps {
  readonly ended: boolean;
  readonly open: (token: string) => Access;
  readonly enter: (access: Access) => void;
}

function useSignIn({ ended, open, enter }: SignInProps) {
  const [complaint, setComplaint] = useState<Complaint | null>(ended ? 'ended' : null);
  const { busy, problem, run } = useAction();
  const attempt = async (access: Access): Promise<void> => {
    try {
      await access.api.get('/status', agentsCodec);
      enter(access);
    } catch (error) {
      const why = asProblem(error);
      if (![401, 403].includes(why.document.status)) throw why;
      setComplaint('wrong');
    }
  };
  const signIn = (token: string): void => {
    const why = complaintOf(token);
    setComplaint(why);
    if (why === null) run(() => attempt(open(token)));
  };
  return { complaint, busy, problem, signIn };
}

const SignIn = (props: SignInProps) => <TokenForm {...useSignIn(props)} />;

/** The frame of every page: header and navigation; it holds the progress socket. */
function Frame({ access, leave }: { readonly access: Access; readonly leave: () => void }) {
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

/** The page that the address names. */
function Pages() {
  const route = useRoute();
  switch (route.page) {
    case 'new':
      return <NewPage key={route.from} from={route.from ?? null} />;
    case 'runs':
      return <RunsPage state={route.state} cursor={route.cursor} />;
    case 'run':
      return <RunPage key={route.id} id={route.id} />;
    case 'compare':
      return <ComparePage ids={route.ids} />;
    case 'insight':
      return <InsightPage ids={route.ids} />;
    case 'unknown':
      return <UnknownPage path={route.path} />;
  }
}

function UnknownPage({ path }: { readonly path: string }) {
  const { t } = useWords();
  return (
    <>
      <PageTitle title={t.shell.notFound} />
      <p>{t.shell.notFoundText(path)}</p>
      <p>
        <a href={hrefOf({ page: 'new' })}>{t.shell.toNew}</a>
      </p>
    </>
  );
}

/** Signed out: the sign-in page. Signed in: the frame with the page that the address names. The token is in this component's memory only. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { agentsCodec } from '../../codec/api-simulation.js';
import { apiFor, asProblem } from '../kit/api/client.js';
import { Announcer } from '../kit/controls/announce.js';
import { Frame, NotFound } from '../kit/controls/frame.js';
import { type Complaint, complaintOf, TokenForm, useForgetting } from '../kit/controls/token-form.js';
import { useAction } from '../kit/load.js';
import { TextProvider } from '../kit/text/context.js';
import { openFeed, socketFor } from './api/feed.js';
import { ComparePage } from './pages/compare.js';
import { InsightPage } from './pages/insight.js';
import { NewPage } from './pages/new.js';
import { RunPage } from './pages/run.js';
import { RunsPage } from './pages/runs.js';
import { SweepPage } from './pages/sweep.js';
import { allRuns, hrefOf, type Route } from './session/routes.js';
import { type Access, type Session, SessionProvider, useRoute } from './session/session.js';
import { pageWords } from './text/all.js';
import { useWords } from './text/words.js';

/** A missing token is 401, a wrong one 403. A 403 for a token whose role is too low says so in a field of its own. */
const unauthorized = [401, 403];

export const App = () => (
  <TextProvider page={pageWords}>
    <Announcer>
      <Gate />
    </Announcer>
  </TextProvider>
);

function Gate() {
  const [access, setAccess] = useState<Access | null>(null);
  const [ended, setEnded] = useState(false);
  const forget = (byServer: boolean): void => (setEnded(byServer), setAccess(null));
  const leave = (): void => forget(false);
  useForgetting(access !== null, leave);
  if (access !== null) return <SignedIn access={access} leave={leave} />;
  const open = (token: string): Access => ({
    api: apiFor(token, () => forget(true), unauthorized),
    socket: socketFor(token),
  });
  return <SignIn ended={ended} open={open} enter={setAccess} />;
}

interface SignInProps {
  readonly ended: boolean;
  readonly open: (token: string) => Access;
  readonly enter: (access: Access) => void;
}

/** The token is typed, tried on /status, and kept in memory. */
function SignIn({ ended, open, enter }: SignInProps) {
  const [complaint, setComplaint] = useState<Complaint | null>(ended ? 'ended' : null);
  const { busy, problem, run } = useAction();
  const attempt = async (access: Access): Promise<void> => {
    try {
      await access.api.get('/status', agentsCodec);
      enter(access);
    } catch (error) {
      const problem = asProblem(error);
      if (!unauthorized.includes(problem.document.status)) throw problem;
      setComplaint('wrong');
    }
  };
  const signIn = (token: string): void => {
    const fault = complaintOf(token);
    setComplaint(fault);
    if (fault === null) run(() => attempt(open(token)));
  };
  return <TokenForm complaint={complaint} busy={busy} problem={problem} signIn={signIn} />;
}

const targets: readonly (readonly ['new' | 'runs' | 'compare' | 'insight', Route, readonly Route['page'][]])[] = [
  ['new', { page: 'new' }, ['new']],
  ['runs', allRuns, ['runs', 'run', 'sweep']],
  ['compare', { page: 'compare', ids: [] }, ['compare']],
  ['insight', { page: 'insight', ids: [] }, ['insight']],
];

/** The frame of every page; it holds the progress socket. */
function SignedIn({ access: { api, socket }, leave }: { readonly access: Access; readonly leave: () => void }) {
  const { t } = useWords();
  const route = useRoute();
  const feed = useMemo(() => openFeed(socket), [socket]);
  useEffect(() => feed.close, [feed]);
  const session = useMemo<Session>(() => ({ api, feed }), [api, feed]);
  return (
    <SessionProvider value={session}>
      <Frame
        brand={t.shell.brand}
        home={hrefOf({ page: 'new' })}
        feed={feed}
        feedHint={t.shell.feedHint}
        leave={leave}
        pages={targets.map(([name, target, pages]) => ({
          href: hrefOf(target),
          name: t.shell.pages[name],
          isCurrent: pages.includes(route.page),
        }))}
      >
        <Page route={route} />
      </Frame>
    </SessionProvider>
  );
}

/** The page that the address names. */
function Page({ route }: { readonly route: Route }) {
  const { t } = useWords();
  switch (route.page) {
    case 'new':
      return <NewPage key={route.from} from={route.from ?? null} />;
    case 'runs':
      return <RunsPage place={route} />;
    case 'sweep':
      return <SweepPage key={route.id} id={route.id} />;
    case 'run':
      return <RunPage key={route.id} id={route.id} />;
    case 'compare':
      return <ComparePage ids={route.ids} />;
    case 'insight':
      return <InsightPage ids={route.ids} />;
    case 'unknown':
      return <NotFound path={route.path} href={hrefOf({ page: 'new' })} text={t.shell.toNew} />;
  }
}
